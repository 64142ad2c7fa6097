// Dantzig: the direction in which a driven index takes the others with it [Baraff94, eqs. 8, 9]:
//
//     dz_d = +-1,  M_CC dz_C = -M_Cd dz_d,  dz_N = 0,  dw = M dz.
#include <math.h>

#include "base/clones.h"
#include "lcp/dantzig/dantzig.h"
#include "linalg/lane_loops.h"
#include "linalg/vector.h"

// A curvature dz'M dz not larger than this, relative to (sum s_j |dz_j|)^2, is rounding: M dz = 0.
static const double FLAT = 0x1p-52;

// M_CC dz_C = -M_Cd holds to this, or else dz is refined, or else M_CC factored anew.
static const double DRIFT = 1e-12;

// A pivot smaller than this, relative to what it is summed from, is looked at twice.
static const double SUSPECT = 1e-10;

void tact_dantzig_eliminate(const TactDantzig *self, int i, double *y)
{
    const double *row = self->M + (size_t)i * (size_t)self->n;
    for (int k = 0; k < self->ldl.n; k++) {
        y[k] = row[self->clamped.index[k]];
    }
    tact_ldl_forward(&self->ldl, y, y);
}

/// dz_C = -direction M_CC^-1 M_Cd from y
static void solve_clamped(TactDantzig *self, TactDantzigDrive *drive)
{
    int k = self->ldl.n;
    tact_ldl_backward(&self->ldl, self->clamped.y, self->clamped.dz);
    tact_vec_scale(k, -drive->direction, self->clamped.dz);
}

/// dw = M_N: dz
static void multiply_columns(TactDantzig *self, TactDantzigDrive *drive)
{
    int           k = self->ldl.n;
    const double *row = self->M + (size_t)drive->d * (size_t)self->n;
    for (int c = 0; c < self->outer.count; c++) {
        self->outer.dw[c] = drive->direction * row[self->outer.index[c]];
    }
    tact_dantzig_add_rows(self->outer.count, self->MCN, self->ld, k, self->clamped.row,
                          self->clamped.dz, self->outer.dw);
    drive->size = self->s[drive->d] + tact_dantzig_sum_abs(k, self->clamped.s, self->clamped.dz);
    drive->curvature = drive->direction * self->outer.dw[self->place[drive->d]];
}

/// sum over C of +-(M dz)_i, which should be 0: one number that tells whether dz solves its system,
/// for the price of one product of vectors.
static bool passes_probe(const TactDantzig *self, const TactDantzigDrive *drive)
{
    double sum = drive->direction * self->probe[drive->d];
    double size = 0;
    for (int k = 0; k < self->ldl.n; k++) {
        sum += self->clamped.dz[k] * self->probe[self->clamped.index[k]];
        size += self->clamped.s[k];
    }
    return fabs(sum) <= DRIFT * drive->size * size;
}

/// left = (M dz)_C, all of it. True if it is 0 but for rounding.
static bool find_residual(TactDantzig *self, TactDantzigDrive *drive, double *left)
{
    size_t n = (size_t)self->n;
    bool   fine = true;
    for (size_t i = 0; i < n; i++) {
        self->all_w[i] = drive->direction * self->M[(size_t)drive->d * n + i];
    }
    tact_dantzig_add_rows(self->n, self->M, n, self->ldl.n, self->clamped.index, self->clamped.dz,
                          self->all_w);
    for (int k = 0; k < self->ldl.n; k++) {
        left[k] = self->all_w[self->clamped.index[k]];
        fine &= fabs(left[k]) <= DRIFT * drive->size * self->clamped.s[k];
    }
    return fine;
}

static void check_factor(TactDantzig *self, TactDantzigDrive *drive)
{
    double *left = self->work;
    bool    fine = find_residual(self, drive, left);
    if (!fine) {
        tact_ldl_solve(&self->ldl, left, left);
        tact_vec_axpy(self->ldl.n, -1, left, self->clamped.dz);
        multiply_columns(self, drive);
        fine = find_residual(self, drive, left);
    }
    if (!fine) {
        tact_dantzig_refactor(self);
        drive->barred = 0;
        tact_dantzig_eliminate(self, drive->d, self->clamped.y);
        solve_clamped(self, drive);
        multiply_columns(self, drive);
        find_residual(self, drive, left);
    }
    // What is left in C, to first order, of dz'M dz.
    drive->curvature += tact_vec_dot(self->ldl.n, self->clamped.dz, left);
}

void tact_dantzig_direction(TactDantzig *self, TactDantzigDrive *drive)
{
    solve_clamped(self, drive);
    multiply_columns(self, drive);
    bool suspect = drive->curvature <= SUSPECT * drive->size * drive->size;
    if (suspect || !passes_probe(self, drive)) {
        check_factor(self, drive);
    }
    drive->flat = drive->curvature <= FLAT * drive->size * drive->size;
}

bool tact_dantzig_can_enter(TactDantzig *self, TactDantzigDrive *drive, int i)
{
    double diagonal = self->M[(size_t)i * ((size_t)self->n + 1)];
    tact_dantzig_eliminate(self, i, self->clamped.v);
    drive->pivot = tact_ldl_pivot(&self->ldl, self->clamped.v, diagonal);
    if (drive->pivot > SUSPECT * diagonal) {
        return true;
    }
    tact_ldl_backward(&self->ldl, self->clamped.v, self->work);
    double size = self->s[i] + tact_dantzig_sum_abs(self->ldl.n, self->clamped.s, self->work);
    return drive->pivot > FLAT * size * size;
}
