#!/bin/sh
# The laws of one contact compile as C++, and as C with other warnings.
set -eu
command -v c++ >/dev/null || { echo "skipped: no c++"; exit 0; }
echo '#include "contact/contact_law.h"
double use(const TactLawCone *c, const double *p, const double *u);
double use(const TactLawCone *c, const double *p, const double *u)
{
    return tact_law_contact_residual(c, p, u, 1) + tact_law_contact_gap(p, u) +
           tact_law_row_residual(2, p[0], u[0], 1, 1) + tact_law_row_gap(1, p[0], u[0]);
}' | c++ -x c++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only -I"$TACT_SOURCE/src" -
