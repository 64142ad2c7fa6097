// Room "problem": files of LCPs and contact problems: which kind a file is, JSON, Matrix Market.
#ifndef TACT_IO_PROBLEM_PROBLEM_H
#define TACT_IO_PROBLEM_PROBLEM_H

#include "io/problem/contact_file.h"
#include "io/problem/contact_matrix.h"
#ifdef TACT_HAVE_JANSSON
#include "io/json/json.h"
#endif
#include "io/problem/matrix.h"
#include "io/problem/mtx.h"
#include "io/problem/sniff.h"

#endif
