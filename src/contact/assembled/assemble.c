// The dense LCP and the Delassus matrix of a system.
#include "contact/assembled/assemble.h"

#include <math.h>
#include <string.h>

#include "lcp/pivot/pivot.h"

static const double PI = 3.14159265358979323846;

enum { DEFAULT_DIRECTIONS = 8 };

// ---------------------------------------------------------------------------------------------
// Unknowns

size_t tact_assemble_most(const TactContactCapacity *capacity)
{
    int most =
        capacity->directions > DEFAULT_DIRECTIONS ? capacity->directions : DEFAULT_DIRECTIONS;
    size_t directions = (size_t)most;
    return (size_t)capacity->contacts * (directions + 2) + 3 * (size_t)capacity->rows;
}

void tact_assemble_number(TactAssembleMap *map, const TactSystem *system,
                          const TactContactProblem *problem, TactContactCone cone)
{
    map->system = system;
    map->problem = problem;
    map->thetas = map->phis = map->lambdas = 0;
    for (int i = 0; i < system->item_count; i++) {
        const TactItem    *item = &system->items[i];
        TactAssemblePlace *place = &map->places[i];
        bool               box = cone == TACT_CONE_BOX && item->kind == TACT_ITEM_CONTACT;
        *place = (TactAssemblePlace){.theta = -1, .phi = -1, .lambda = -1};
        place->directions = box && item->directions > 0 ? 4 : item->directions;
        place->turn = item->kind == TACT_ITEM_MOTOR ? 0 : box ? PI / 4 : item->turn;
        place->mu = box ? sqrt(2) * item->mu : item->mu;
        if (item->kind != TACT_ITEM_MOTOR) {
            place->theta = map->thetas++;
        }
        if (place->directions > 0) {
            place->phi = map->phis;
            place->lambda = map->lambdas++;
            map->phis += place->directions;
        }
    }
    for (int i = 0; i < system->item_count; i++) {
        if (map->places[i].directions > 0) {
            map->places[i].phi += map->thetas;
            map->places[i].lambda += map->thetas + map->phis;
        }
    }
    map->n = map->thetas + map->phis + map->lambdas;
}

// Cosines and sines below this are 0, and rounding of pi.
static const double NO_COSINE = 1e-15;

/// cos(pi / 2) is 0. As 6e-17 it would be a number like others to methods that scale rows, and a
/// contact in the plane, whose tangent 2 does nothing, would have a direction of rounding errors.
static double without_rounding(double x)
{
    return fabs(x) < NO_COSINE ? 0 : x;
}

void tact_assemble_direction(const TactAssemblePlace *place, int k, double d[2])
{
    int    half = place->directions / 2;
    double angle = place->turn + 2 * PI * (k % half) / place->directions;
    double sign = k < half ? 1 : -1;
    d[0] = sign * without_rounding(cos(angle));
    d[1] = sign * without_rounding(sin(angle));
}

// ---------------------------------------------------------------------------------------------
// Matrices

void tact_assemble_block(const TactAssembleMap *map, int i, int j, double block[3][3])
{
    const TactSystem *system = map->system;
    const double     *W = map->problem->W;
    if (W) {
        size_t n = 3 * (size_t)map->problem->contact_count;
        size_t row = 3 * (size_t)system->items[i].source;
        size_t column = 3 * (size_t)system->items[j].source;
        for (size_t r = 0; r < 3; r++) {
            memcpy(block[r], W + (row + r) * n + column, 3 * sizeof(double));
        }
    } else {
        tact_system_block(system, i, j, block);
    }
    if (i == j) {
        block[0][0] += system->items[i].compliance;
    }
}

void tact_assemble_delassus(const TactAssembleMap *map, double *W, double *b)
{
    int    count = map->system->item_count;
    size_t ld = 3 * (size_t)count;
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++) {
            double block[3][3];
            tact_assemble_block(map, i, j, block);
            for (size_t r = 0; r < 3; r++) {
                memcpy(W + (3 * (size_t)i + r) * ld + 3 * (size_t)j, block[r], sizeof block[r]);
            }
        }
    }
    memcpy(b, map->system->b, ld * sizeof(double));
}

/// Rows of item i against columns of item j. rows is the block, its tangents turned to directions
/// first on the left, then on the right.
static void place_block(const TactAssembleMap *map, int i, int j, double *A)
{
    const TactAssemblePlace *row = &map->places[i];
    const TactAssemblePlace *column = &map->places[j];
    size_t                   n = (size_t)map->n;
    double                   block[3][3];
    tact_assemble_block(map, i, j, block);
    for (int r = -1; r < row->directions; r++) {
        if (r < 0 && row->theta < 0) {
            continue;
        }
        double left[3]; // row r times the block
        if (r < 0) {
            memcpy(left, block[0], sizeof left);
        } else {
            double d[2];
            tact_assemble_direction(row, r, d);
            for (int c = 0; c < 3; c++) {
                left[c] = d[0] * block[1][c] + d[1] * block[2][c];
            }
        }
        double *out = A + (size_t)(r < 0 ? row->theta : row->phi + r) * n;
        if (column->theta >= 0) {
            out[column->theta] = left[0];
        }
        for (int c = 0; c < column->directions; c++) {
            double d[2];
            tact_assemble_direction(column, c, d);
            out[column->phi + c] = d[0] * left[1] + d[1] * left[2];
        }
    }
}

/// E, -E' and mu of one item, and its part of q.
static void place_cone(const TactAssembleMap *map, int i, double *A, double *q)
{
    const TactAssemblePlace *place = &map->places[i];
    const TactItem          *item = &map->system->items[i];
    const double            *b = map->system->b + 3 * (size_t)i;
    size_t                   n = (size_t)map->n;
    if (place->theta >= 0) {
        q[place->theta] = b[0];
    }
    for (int k = 0; k < place->directions; k++) {
        double d[2];
        tact_assemble_direction(place, k, d);
        size_t phi = (size_t)(place->phi + k);
        size_t lambda = (size_t)place->lambda;
        q[phi] = d[0] * b[1] + d[1] * b[2];
        A[phi * n + lambda] = 1;
        A[lambda * n + phi] = -1;
    }
    if (place->lambda >= 0 && place->theta >= 0) {
        A[(size_t)place->lambda * n + (size_t)place->theta] = place->mu;
        q[place->lambda] = 0;
    } else if (place->lambda >= 0) {
        q[place->lambda] = item->bound;
    }
}

void tact_assemble_lcp(const TactAssembleMap *map, double *A, double *q)
{
    memset(A, 0, (size_t)map->n * (size_t)map->n * sizeof(double));
    for (int i = 0; i < map->system->item_count; i++) {
        for (int j = 0; j < map->system->item_count; j++) {
            place_block(map, i, j, A);
        }
        place_cone(map, i, A, q);
    }
}

// ---------------------------------------------------------------------------------------------
// Stabilisation

void tact_assemble_soften(const TactAssembleMap *map, double softness, double *A)
{
    size_t n = (size_t)map->n;
    for (size_t i = 0; i < (size_t)(map->thetas + map->phis); i++) {
        A[i * n + i] += softness;
    }
}

void tact_assemble_equilibrate(const TactAssembleMap *map, double *A, double *q, double *d)
{
    size_t n = (size_t)map->n;
    for (size_t i = 0; i < (size_t)(map->thetas + map->phis); i++) {
        d[i] = 1 / tact_power_of_two(sqrt(fmax(A[i * n + i], 0)));
    }
    for (int i = 0; i < map->system->item_count; i++) {
        const TactAssemblePlace *place = &map->places[i];
        if (place->lambda >= 0) {
            d[place->lambda] = 1 / d[place->phi]; // so that E stays near 1
        }
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            A[i * n + j] *= d[i] * d[j];
        }
        q[i] *= d[i];
    }
}

// ---------------------------------------------------------------------------------------------
// Answers

void tact_assemble_impulse(const TactAssembleMap *map, const double *z, double *p)
{
    for (int i = 0; i < map->system->item_count; i++) {
        const TactAssemblePlace *place = &map->places[i];
        double                  *out = p + 3 * (size_t)i;
        out[0] = place->theta >= 0 ? z[place->theta] : 0;
        out[1] = out[2] = 0;
        for (int k = 0; k < place->directions; k++) {
            double beta = z[place->phi + k];
            if (beta != 0) {
                double d[2];
                tact_assemble_direction(place, k, d);
                out[1] += beta * d[0];
                out[2] += beta * d[1];
            }
        }
    }
}

/// p_t = beta_j d_j + beta_k d_k with the two directions on either side of it.
static void split_friction(const TactAssemblePlace *place, const double t[2], double *beta)
{
    double sector = 2 * PI / place->directions;
    double length = hypot(t[0], t[1]);
    if (length == 0) {
        return;
    }
    double angle = fmod(atan2(t[1], t[0]) - place->turn, 2 * PI);
    angle += angle < 0 ? 2 * PI : 0;
    int    j = (int)floor(angle / sector) % place->directions;
    double inside = angle - j * sector;
    if (place->directions == 2) {
        beta[inside < PI / 2 ? j : 1 - j] = length;
        return;
    }
    beta[j] = length * sin(sector - inside) / sin(sector);
    beta[(j + 1) % place->directions] = length * sin(inside) / sin(sector);
}

void tact_assemble_unknowns(const TactAssembleMap *map, const double *p, const double *u, double *z)
{
    memset(z, 0, (size_t)map->n * sizeof(double));
    for (int i = 0; i < map->system->item_count; i++) {
        const TactAssemblePlace *place = &map->places[i];
        const double            *own = p + 3 * (size_t)i;
        const double            *slip = u + 3 * (size_t)i + 1;
        if (place->theta >= 0) {
            z[place->theta] = own[0];
        }
        if (place->directions > 0) {
            split_friction(place, own + 1, z + place->phi);
        }
        for (int k = 0; k < place->directions; k++) {
            double d[2];
            tact_assemble_direction(place, k, d);
            z[place->lambda] = fmax(z[place->lambda], -(d[0] * slip[0] + d[1] * slip[1]));
        }
    }
}
