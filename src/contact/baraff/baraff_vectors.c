// Baraff: vectors of the clamped block over the supports of their groups, and products with them.
//
// Supports overlap only where groups share bodies. A motion is gathered once a group, and then all
// vectors of that group run along contiguous memory, padded with zeros to whole lanes.
#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "contact/baraff/baraff.h"
#include "linalg/lane_loops.h"

enum { LANES = 4 };

static const TactItemGroup *group_of(const TactBaraff *self, int item)
{
    return &self->system->groups[tact_baraff_group(self, item)];
}

static int padded(int size)
{
    return (size + LANES - 1) / LANES * LANES;
}

// ---------------------------------------------------------------------------------------------
// Rows and columns

TACT_LANES_INLINE void combine(int n, const double *x, double fx, const double *y, double fy,
                               double *out)
{
    for (int s = 0; s < n; s++) {
        out[s] = fx * x[s] + fy * y[s];
    }
}

TACT_CLONES void tact_baraff_row(const TactBaraff *self, int item, int component, double *out)
{
    const TactBaraffItem *at = &self->items[item];
    int                   n = group_of(self, item)->size;
    const double         *normal = self->system->columns + self->system->column[item];
    const double         *t1 = normal + n, *t2 = t1 + n;
    double                x = at->r * at->s[0], y = at->r * at->s[1];
    if (component == TACT_BARAFF_N) {
        combine(n, normal, at->r, normal, 0, out);
    } else if (component == TACT_BARAFF_ALONG) {
        combine(n, t1, x, t2, y, out);
    } else {
        combine(n, t1, -y, t2, x, out);
    }
    for (int s = n; s < padded(n); s++) {
        out[s] = 0;
    }
}

TACT_CLONES void tact_baraff_column(const TactBaraff *self, int item, int component, double *out)
{
    const TactBaraffItem *at = &self->items[item];
    bool follows = at->friction == TACT_BARAFF_FOLLOWS || at->friction == TACT_BARAFF_SLIDE;
    tact_baraff_row(self, item, component, out);
    if (component == TACT_BARAFF_N && at->mu > 0 && follows) {
        int           n = group_of(self, item)->size;
        const double *t1 = self->system->columns + self->system->column[item] + n;
        double        x = at->mu * at->r * at->s[0], y = at->mu * at->r * at->s[1];
        for (int s = 0; s < n; s++) {
            out[s] += x * t1[s] + y * t1[n + s];
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Products

/// x'y over whole lanes.
TACT_LANES_INLINE double dot_rows(int n, const double *x, const double *y)
{
    TactLanes sum = {0};
    for (int s = 0; s < n; s += LANES) {
        sum += *tact_lanes_at(x + s) * *tact_lanes_at(y + s);
    }
    return (sum[0] + sum[2]) + (sum[1] + sum[3]);
}

/// The part of a motion in the support of a group, padded.
static inline void gather_support(const TactBaraff *self, const TactItemGroup *group,
                                  const double *y, double *out)
{
    const int *support = self->system->support + group->support;
    for (int s = 0; s < group->size; s++) {
        out[s] = y[support[s]];
    }
    for (int s = group->size; s < padded(group->size); s++) {
        out[s] = 0;
    }
}

TACT_CLONES static void multiply_gathered(TactBaraff *self, const double *vectors, const double *y,
                                          double *out)
{
    size_t length = (size_t)self->block.length;
    self->motion.stamp++;
    for (int k = 0; k < self->block.count; k++) {
        int                  g = tact_baraff_group(self, self->block.places[k].item);
        const TactItemGroup *group = &self->system->groups[g];
        double              *part = self->motion.gathered + (size_t)g * length;
        if (self->motion.stamps[g] != self->motion.stamp) {
            self->motion.stamps[g] = self->motion.stamp;
            gather_support(self, group, y, part);
        }
        out[k] = dot_rows(padded(group->size), vectors + (size_t)k * length, part);
    }
}

void tact_baraff_products(TactBaraff *self, const double *vectors, int item, const double *vector,
                          double *out)
{
    const TactItemGroup *own = group_of(self, item);
    const int           *support = self->system->support + own->support;
    for (int s = 0; s < own->size; s++) {
        self->motion.dense[support[s]] = vector[s];
    }
    multiply_gathered(self, vectors, self->motion.dense, out);
    for (int s = 0; s < own->size; s++) {
        self->motion.dense[support[s]] = 0;
    }
}

TACT_CLONES double tact_baraff_dot(const TactBaraff *self, int item, const double *x,
                                   const double *y)
{
    return dot_rows(padded(group_of(self, item)->size), x, y);
}

// ---------------------------------------------------------------------------------------------
// Sums

/// sum += f x and size += |f x| over whole lanes.
TACT_LANES_INLINE void add_scaled(int n, double f, const double *x, double *sum, double *size)
{
    for (int s = 0; s < n; s += LANES) {
        TactLanes part = f * *tact_lanes_at(x + s);
        *(TactLanes *)(sum + s) += part;
        *(TactLanes *)(size + s) += TACT_LANES_ABS(part);
    }
}

/// Adds f times a vector to the sums of its group, which start at 0.
TACT_LANES_INLINE void add_to_group(TactBaraff *self, int item, double f, const double *vector)
{
    int     g = tact_baraff_group(self, item);
    int     n = padded(self->system->groups[g].size);
    double *sum = self->motion.gathered + (size_t)g * (size_t)self->block.length;
    double *size = self->motion.sizes + (size_t)g * (size_t)self->block.length;
    if (self->motion.stamps[g] != self->motion.stamp) {
        self->motion.stamps[g] = self->motion.stamp;
        memset(sum, 0, (size_t)n * sizeof(double));
        memset(size, 0, (size_t)n * sizeof(double));
    }
    add_scaled(n, f, vector, sum, size);
}

TACT_CLONES static void add_to_groups(TactBaraff *self, int item, double f, const double *vector)
{
    self->motion.stamp++;
    add_to_group(self, item, f, vector);
    for (int k = 0; k < self->block.count; k++) {
        add_to_group(self, self->block.places[k].item, self->block.df[k],
                     self->block.columns + (size_t)k * (size_t)self->block.length);
    }
}

void tact_baraff_combine(TactBaraff *self, int item, double f, const double *vector)
{
    const TactSystem *system = self->system;
    memset(self->motion.dy, 0, (size_t)system->dof * sizeof(double));
    memset(self->motion.change, 0, (size_t)system->dof * sizeof(double));
    add_to_groups(self, item, f, vector);
    for (int g = 0; g < system->group_count; g++) {
        if (self->motion.stamps[g] == self->motion.stamp) {
            const TactItemGroup *group = &system->groups[g];
            const int           *support = system->support + group->support;
            const double *sum = self->motion.gathered + (size_t)g * (size_t)self->block.length;
            const double *size = self->motion.sizes + (size_t)g * (size_t)self->block.length;
            for (int s = 0; s < group->size; s++) {
                self->motion.dy[support[s]] += sum[s];
                self->motion.change[support[s]] += size[s];
            }
        }
    }
}
