// Where a limit holds: the margin inside of the range.
#ifndef TACT_MODEL_LIMIT_H
#define TACT_MODEL_LIMIT_H

/// The value at which the lower (0) or upper (1) limit of a range holds. Margins that meet do so in
/// the middle of the range.
static inline double tact_limit_at(const double range[2], double margin, int side)
{
    double half = 0.5 * (range[1] - range[0]);
    double inside = margin < half ? margin : half;
    return margin == 0 ? range[side] : side ? range[1] - inside : range[0] + inside;
}

#endif
