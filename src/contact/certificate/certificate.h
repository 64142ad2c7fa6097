// Room "certificate": what an answer is worth, recomputed from the problem alone; and what its
// contacts do.
#ifndef TACT_CONTACT_CERTIFICATE_CERTIFICATE_H
#define TACT_CONTACT_CERTIFICATE_CERTIFICATE_H

#include "contact/certificate/certify.h"
#include "contact/certificate/certify_fine.h"
#include "contact/certificate/defect.h"
#include "contact/certificate/diagnose.h"

#endif
