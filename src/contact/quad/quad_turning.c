#include "contact/quad/quad_turning.h"

#include <string.h>

// Directions of a pyramid that stands for a circle.
enum { DIRECTIONS = 8 };

// Pivots of a path, for every unknown: those that come to their end take one to three.
enum { PIVOTS = 6 };

static const double PI = 3.14159265358979323846;

// Slip below this part of the load does not turn friction.
static const double SLIPS = 1e-24;

/// An unknown as impulses of up to two rows of the system.
typedef struct Column {
    int      row[2];
    TactQuad part[2];
    int      count; // 0: no impulse, e.g. lambda
} Column;

static int directions_of(const TactQuadSystem *system, int contact)
{
    int own = tact_quad_directions(system, contact);
    return system->problem->contacts[contact].mu > 0 ? (own > 0 ? own : DIRECTIONS) : 0;
}

/// Unknowns of the LCP of the largest problem: theta, phi, lambda and a damper a contact, two
/// directions and a bound a motor.
static int most_unknowns(const TactContactCapacity *capacity)
{
    int d = capacity->directions > DIRECTIONS ? capacity->directions : DIRECTIONS;
    return capacity->contacts * (d + 3) + capacity->rows * 3;
}

void tact_quad_turning_layout(TactQuadTurning *turning, const TactContactCapacity *capacity,
                              int max_unknowns, TactArena *arena)
{
    int             most = most_unknowns(capacity);
    size_t          contacts = (size_t)capacity->contacts, rows = (size_t)capacity->rows;
    TactQuadTurning lent = {
        .turn = tact_arena_take(arena, contacts, sizeof(double)),
        .damping = tact_arena_take(arena, contacts, sizeof(TactQuad)),
        .first = tact_arena_take(arena, contacts + rows + 1, sizeof(int)),
        .pull = tact_arena_take(arena, 3 * contacts + rows, sizeof(TactQuad)),
    };
    tact_quad_lemke_layout(&lent.lemke, most < max_unknowns ? most : max_unknowns, arena);
    if (arena->block) {
        *turning = lent;
    }
}

void tact_quad_turning_begin(TactQuadTurning *turning, const TactQuadSystem *system, double turn)
{
    for (int i = 0; i < system->problem->contact_count; i++) {
        turning->turn[i] = system->problem->contacts[i].turn + turn;
        turning->damping[i] = 0;
    }
}

// ---------------------------------------------------------------------------------------------
// The LCP

/// Direction j of a contact. The second half are the first ones turned round, as they are where
/// answers are certified.
static void direction(const TactQuadTurning *turning, int contact, int j, int d, TactQuad out[2])
{
    int    own = j >= d / 2 ? j - d / 2 : j;
    double sign = j >= d / 2 ? -1 : 1, angle = turning->turn[contact] + 2 * PI * own / d;
    out[0] = sign * cos(angle);
    out[1] = sign * sin(angle);
}

static void number(TactQuadTurning *turning, const TactQuadSystem *system)
{
    const TactContactProblem *problem = system->problem;
    int                       n = 0;
    for (int i = 0; i < problem->contact_count; i++) {
        int d = directions_of(system, i);
        turning->first[i] = n;
        n += 1 + (d > 0 ? d + 1 : 0) + (turning->damping[i] > 0);
    }
    for (int i = 0; i < problem->row_count; i++) {
        turning->first[problem->contact_count + i] = n;
        n += problem->rows[i].kind == TACT_ROW_MOTOR ? 3 : 1;
    }
    turning->first[problem->contact_count + problem->row_count] = n;
    turning->lemke.n = n;
}

/// Unknown number `own` of a contact: theta, phi_0 .. phi_d-1, lambda, the damper.
static Column contact_column(const TactQuadTurning *turning, const TactQuadSystem *system, int i,
                             int own)
{
    int    d = directions_of(system, i);
    Column column = {{3 * i, 0}, {1, 0}, 1};
    if (own > 0) {
        TactQuad axis[2];
        direction(turning, i, own <= d ? own - 1 : 0, d, axis);
        bool damper = own == d + 2;
        column.row[0] = 3 * i + 1;
        column.row[1] = 3 * i + 2;
        column.part[0] = damper ? -axis[1] : axis[0];
        column.part[1] = damper ? axis[0] : axis[1];
        column.count = own == d + 1 ? 0 : 2;
    }
    return column;
}

static Column unknown_column(const TactQuadTurning *turning, const TactQuadSystem *system,
                             int source, int own)
{
    const TactContactProblem *problem = system->problem;
    if (source < problem->contact_count) {
        return contact_column(turning, system, source, own);
    }
    int    row = source - problem->contact_count;
    Column column = {{3 * problem->contact_count + row, 0}, {own == 1 ? -1 : 1, 0}, 1};
    column.count = own < 2;
    return column;
}

/// What is no impulse: sigma_j has lambda, gamma = mu theta - sum phi (of a motor: its bound),
/// a damper its own damping; joints are free.
static void fill_rest(TactQuadTurning *turning, const TactQuadSystem *system, int source)
{
    const TactContactProblem *problem = system->problem;
    TactQuadLemke            *lemke = &turning->lemke;
    size_t                    stride = (size_t)lemke->stride;
    int                       at = turning->first[source], phi = at + 1, d = 0;
    if (source >= problem->contact_count) {
        const TactContactRow *row = &problem->rows[source - problem->contact_count];
        lemke->free[at] = row->kind == TACT_ROW_BILATERAL;
        if (row->kind != TACT_ROW_MOTOR) {
            return;
        }
        phi = at;
        d = 2;
        double scale = system->scale[source + 2 * problem->contact_count];
        lemke->q[at + 2] = (TactQuad)problem->step * row->force_max * scale;
    } else {
        d = directions_of(system, source);
        if (d == 0) {
            return;
        }
        lemke->T[(size_t)(phi + d) * stride + (size_t)at] = problem->contacts[source].mu;
        if (turning->damping[source] > 0) {
            int own = phi + d + 1;
            lemke->T[(size_t)own * stride + (size_t)own] += turning->damping[source];
            lemke->free[own] = true;
        }
    }
    for (int j = phi; j < phi + d; j++) {
        lemke->T[(size_t)j * stride + (size_t)(phi + d)] = 1;
        lemke->T[(size_t)(phi + d) * stride + (size_t)j] = -1;
    }
}

static void assemble_pyramids(TactQuadTurning *turning, const TactQuadSystem *system)
{
    TactQuadLemke *lemke = &turning->lemke;
    int            n = system->n;
    int            sources = system->problem->contact_count + system->problem->row_count;
    size_t         stride = (size_t)lemke->stride;
    memset(lemke->T, 0, (size_t)lemke->n * stride * sizeof *lemke->T);
    memset(lemke->q, 0, (size_t)lemke->n * sizeof *lemke->q);
    memset(lemke->free, 0, (size_t)lemke->n * sizeof *lemke->free);
    for (int s = 0; s < sources; s++) {
        for (int a = turning->first[s]; a < turning->first[s + 1]; a++) {
            Column column = unknown_column(turning, system, s, a - turning->first[s]);
            memset(turning->pull, 0, (size_t)n * sizeof *turning->pull);
            for (int k = 0; k < column.count; k++) {
                const TactQuad *W = system->W + (size_t)column.row[k] * (size_t)n;
                lemke->q[a] += column.part[k] * system->b[column.row[k]];
                for (int j = 0; j < n; j++) {
                    turning->pull[j] += column.part[k] * W[j];
                }
            }
            for (int t = 0; t < sources && column.count > 0; t++) {
                for (int b = turning->first[t]; b < turning->first[t + 1]; b++) {
                    Column other = unknown_column(turning, system, t, b - turning->first[t]);
                    for (int k = 0; k < other.count; k++) {
                        lemke->T[(size_t)a * stride + (size_t)b] +=
                            turning->pull[other.row[k]] * other.part[k];
                    }
                }
            }
        }
        fill_rest(turning, system, s);
    }
}

bool tact_quad_turning_solve(TactQuadTurning *turning, TactQuadSystem *system, int path,
                             int *pivots)
{
    TactQuadLemke *lemke = &turning->lemke;
    int            sources = system->problem->contact_count + system->problem->row_count;
    number(turning, system);
    if (lemke->n >= lemke->stride) {
        return false;
    }
    assemble_pyramids(turning, system);
    bool solved = tact_quad_lemke_solve(lemke, path, PIVOTS * lemke->n);
    *pivots += lemke->pivots;
    memset(system->p, 0, (size_t)system->n * sizeof *system->p);
    for (int s = 0; s < sources; s++) {
        for (int a = turning->first[s]; a < turning->first[s + 1]; a++) {
            Column column = unknown_column(turning, system, s, a - turning->first[s]);
            for (int k = 0; k < column.count; k++) {
                system->p[column.row[k]] += column.part[k] * lemke->z[a];
            }
        }
    }
    return solved;
}

// ---------------------------------------------------------------------------------------------
// Turns

void tact_quad_turning_turn(TactQuadTurning *turning, TactQuadSystem *system)
{
    tact_quad_system_move(system, system->p, system->u);
    for (int i = 0; i < system->problem->contact_count; i++) {
        const TactQuad *p = system->p + 3 * (size_t)i, *u = system->u + 3 * (size_t)i;
        TactQuad        slip = tact_quad_root(u[1] * u[1] + u[2] * u[2]);
        TactQuad        radius = system->problem->contacts[i].mu * p[0];
        turning->damping[i] = 0;
        if (!(p[0] > 0) || !(radius > 0) || !(slip > SLIPS * radius)) {
            continue;
        }
        TactQuad rho = radius > slip ? radius / slip : 1;
        TactQuad q[2] = {p[1] - rho * u[1], p[2] - rho * u[2]};
        TactQuad length = tact_quad_root(q[0] * q[0] + q[1] * q[1]);
        turning->turn[i] = atan2((double)q[1], (double)q[0]);
        if (length > radius) {
            turning->damping[i] = (length - radius) / (rho * radius);
        }
    }
}
