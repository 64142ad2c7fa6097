// All of tact's headers.
#ifndef TACT_TACT_H
#define TACT_TACT_H

#include <tact/base.h>
#include <tact/batch.h>
#include <tact/collide.h>
#include <tact/contact.h>
#include <tact/contact_batch.h>
#include <tact/dynamics.h>
#include <tact/io.h>
#include <tact/lcp.h>
#include <tact/load.h>
#include <tact/math.h>
#include <tact/mesh.h>
#include <tact/model.h>
#include <tact/parameter.h>
#include <tact/picture.h>
#include <tact/prove.h>
#include <tact/record.h>
#include <tact/sim.h>
#include <tact/sweep.h>
#include <tact/verify.h>
#include <tact/world_batch.h>

#endif
