// tact's own JSON of contact problems, "tact-contact/1".
#ifndef TACT_IO_PROBLEM_CONTACT_JSON_H
#define TACT_IO_PROBLEM_CONTACT_JSON_H

#include "io/problem/contact_file.h"
#include "io/text.h"

#define TACT_CONTACT_JSON_FORMAT "tact-contact/1"

/// The whole file. TACT_UNSUPPORTED in a build without jansson.
TactStatus tact_contact_json_read(TactText *text, TactContactParts *parts);

#endif
