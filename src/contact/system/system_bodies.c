// Items between free bodies: columns straight from the geometry, with their scale and offset while
// they are at hand.
#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "contact/problem/problem.h"
#include "contact/system/system_internal.h"

/// Row of a contact on one body: out = sign G^-1 (d, arm x d). Returns out'y.
static inline double contact_row(const double *G, const double d[3], const double arm[3],
                                 double sign, const double *y, double *out)
{
    const double *l = G + 1;
    double        a = sign * d[0], b = sign * d[1], c = sign * d[2];
    double        tx = arm[1] * c - arm[2] * b;
    double        ty = arm[2] * a - arm[0] * c;
    double        tz = arm[0] * b - arm[1] * a;
    double        x3 = tx * G[7];
    double        x4 = (ty - l[1] * x3) * G[8];
    double        x5 = (tz - l[3] * x3 - l[4] * x4) * G[9];
    out[0] = a * G[0];
    out[1] = b * G[0];
    out[2] = c * G[0];
    out[3] = x3;
    out[4] = x4;
    out[5] = x5;
    return ((out[0] * y[0] + out[1] * y[1]) + (out[2] * y[2] + x3 * y[3])) +
           (x4 * y[4] + x5 * y[5]);
}

static double square6(const double *x)
{
    return ((x[0] * x[0] + x[1] * x[1]) + (x[2] * x[2] + x[3] * x[3])) +
           (x[4] * x[4] + x[5] * x[5]);
}

/// A contact: three columns over the bodies of its group, C'y0 into u. Returns |C_n|^2.
static double contact_columns(const TactSystem *system, const TactContactProblem *problem, int i,
                              const int *bodies, int count, double u[3])
{
    const TactContact *contact = &problem->contacts[system->items[i].source];
    double            *out = system->columns + system->column[i];
    int                size = 6 * count;
    double             square = 0;
    double             frame[3][3];
    tact_contact_compute_frame(contact, frame);
    for (int k = 0; k < count; k++, out += 6) {
        const double *centre = problem->bodies[bodies[k]].position;
        const double *G = tact_whitener_of_body(&system->whitener, bodies[k]);
        const double *y = system->y0 + 6 * (size_t)bodies[k];
        double        sign = contact->b == bodies[k] ? 1 : -1;
        double        arm[3] = {contact->point[0] - centre[0], contact->point[1] - centre[1],
                                contact->point[2] - centre[2]};
        u[0] += contact_row(G, frame[0], arm, sign, y, out);
        u[1] += contact_row(G, frame[1], arm, sign, y, out + size);
        u[2] += contact_row(G, frame[2], arm, sign, y, out + 2 * size);
        square += square6(out);
    }
    return square;
}

/// A unilateral row or a motor: the one column it has, the others 0.
static double joint_columns(const TactSystem *system, const TactContactProblem *problem, int i,
                            const int *bodies, int count, double u[3])
{
    const TactItem *item = &system->items[i];
    int             source = problem->contact_count + item->source;
    int             c = item->kind == TACT_ITEM_MOTOR ? 1 : 0;
    int             size = 6 * count;
    double         *out = system->columns + system->column[i];
    double          square = 0;
    memset(out, 0, 3 * (size_t)size * sizeof(double));
    out += c * size;
    for (int k = 0; k < count; k++, out += 6) {
        const double *y = system->y0 + 6 * (size_t)bodies[k];
        if (tact_rows_body_part(problem, source, c, bodies[k], out)) {
            tact_whitener_body(&system->whitener, bodies[k], out);
            for (int j = 0; j < 6; j++) {
                u[c] += out[j] * y[j];
            }
            square += square6(out);
        }
    }
    return square;
}

// ---------------------------------------------------------------------------------------------
// Four contacts of one group at a time

/// contact_row() of four contacts: six entries each.
TACT_WIDE void wide_row(const double *G, const TactWide3 *d, const TactWide3 *arm,
                        const TactLanes *sign, const double *y, TactLanes out[6], TactLanes *u)
{
    const double *l = G + 1;
    TactWide3     f = {*sign * d->x, *sign * d->y, *sign * d->z}, torque;
    tact_wide_cross(arm, &f, &torque);
    out[0] = f.x * G[0];
    out[1] = f.y * G[0];
    out[2] = f.z * G[0];
    out[3] = torque.x * G[7];
    out[4] = (torque.y - l[1] * out[3]) * G[8];
    out[5] = (torque.z - l[3] * out[3] - l[4] * out[4]) * G[9];
    *u += ((out[0] * y[0] + out[1] * y[1]) + (out[2] * y[2] + out[3] * y[3])) +
          (out[4] * y[4] + out[5] * y[5]);
}

/// Six entries of four contacts to where their columns start.
TACT_WIDE void put_six(const TactLanes in[6], double *columns, const size_t start[4])
{
    TactLanes four[4];
    TactLanes low = __builtin_shufflevector(in[4], in[5], 0, 4, 1, 5);
    TactLanes high = __builtin_shufflevector(in[4], in[5], 2, 6, 3, 7);
    tact_lanes_transpose(in, four);
    for (int j = 0; j < 4; j++) {
        double *out = columns + start[j];
        TACT_LANES_PUT(out) = four[j];
        out[4] = j < 2 ? low[2 * j] : high[2 * j - 4];
        out[5] = j < 2 ? low[2 * j + 1] : high[2 * j - 3];
    }
}

/// What a contact or a row adds to its velocities, and b = C'y0 + e.
static inline void put_offset(TactSystem *system, const TactContactProblem *problem, int i,
                              const double *before, const double u[3])
{
    const TactItem    *item = &system->items[i];
    double            *e = system->e + 3 * i, *b = system->b + 3 * i;
    const TactContact *contact =
        item->kind == TACT_ITEM_CONTACT ? &problem->contacts[item->source] : NULL;
    if (contact && contact->restitution == 0) {
        bool velocities = problem->level == TACT_LEVEL_VELOCITY;
        e[0] = contact->bias;
        e[1] = velocities ? contact->surface[0] : 0;
        e[2] = velocities ? contact->surface[1] : 0;
    } else {
        tact_system_offset(system, problem, i, before, NULL);
    }
    b[0] = u[0] + e[0];
    b[1] = u[1] + e[1];
    b[2] = u[2] + e[2];
}

/// The bodies of a group, and the velocity before the step.
typedef struct Movers {
    const int    *bodies;
    int           count;
    const double *before;
} Movers;

/// contact_columns() of the contacts first .. first + 3, with their scales and b.
TACT_WIDE void four_columns(TactSystem *system, const TactContactProblem *problem, int first,
                            const Movers *movers, const TactWide3 frame[3])
{
    const TactContact *contact[4];
    TactLanes          u[3] = {TACT_LANES_ALL(0.0), TACT_LANES_ALL(0.0), TACT_LANES_ALL(0.0)};
    const TactItem    *item = system->items + first;
    TactLanes          scale,
        square = {item[0].compliance, item[1].compliance, item[2].compliance, item[3].compliance};
    for (int k = 0; k < 4; k++) {
        contact[k] = &problem->contacts[item[k].source];
    }
    for (int k = 0; k < movers->count; k++) {
        int           body = movers->bodies[k];
        const double *centre = problem->bodies[body].position;
        const double *G = tact_whitener_of_body(&system->whitener, body);
        const double *y = system->y0 + 6 * (size_t)body;
        TactWide3     arm = {{0}, {0}, {0}};
        TactLanes     out[18];
        TactLanes     sign = {contact[0]->b == body ? 1 : -1, contact[1]->b == body ? 1 : -1,
                          contact[2]->b == body ? 1 : -1, contact[3]->b == body ? 1 : -1};
        TACT_WIDE_GATHER(contact, point, &arm);
        arm.x -= centre[0];
        arm.y -= centre[1];
        arm.z -= centre[2];
        for (int c = 0; c < 3; c++) {
            wide_row(G, &frame[c], &arm, &sign, y, out + 6 * c, &u[c]);
        }
        square += ((out[0] * out[0] + out[1] * out[1]) + (out[2] * out[2] + out[3] * out[3])) +
                  (out[4] * out[4] + out[5] * out[5]);
        for (int c = 0; c < 3; c++) {
            size_t at = (size_t)(6 * movers->count * c + 6 * k);
            put_six(out + 6 * c, system->columns + at, system->column + first);
        }
    }
    tact_wide_root(&square, &scale);
    scale = 1 / scale;
    for (int j = 0; j < 4; j++) {
        double own[3] = {u[0][j], u[1][j], u[2][j]};
        system->items[first + j].scale = scale[j];
        put_offset(system, problem, first + j, movers->before, own);
    }
}

// So many fours of contacts have their frames made together: the roots in them take their time, and
// those of several do not wait for each other.
enum { MOST_FOURS = 8 };

/// Columns of up to so many fours of contacts. Returns how many there were: up to the first that do
/// not go together.
TACT_CLONES static int many_contacts(TactSystem *system, const TactContactProblem *problem,
                                     int first, int fours, const Movers *movers)
{
    TactWide3 frame[MOST_FOURS][3];
    int       made = 0;
    for (; made < fours && made < MOST_FOURS; made++) {
        const TactContact *contact[4];
        for (int k = 0; k < 4; k++) {
            contact[k] = &problem->contacts[system->items[first + 4 * made + k].source];
        }
        if (!tact_wide_frames(contact, frame[made])) {
            break;
        }
    }
    for (int k = 0; k < made; k++) {
        four_columns(system, problem, first + 4 * k, movers, frame[k]);
    }
    return made;
}

// ---------------------------------------------------------------------------------------------

/// One item: columns, scale and b.
static void one_item(TactSystem *system, const TactContactProblem *problem, int i,
                     const Movers *movers)
{
    TactItem *item = &system->items[i];
    double    u[3] = {0, 0, 0};
    double    square = item->kind == TACT_ITEM_CONTACT
                           ? contact_columns(system, problem, i, movers->bodies, movers->count, u)
                           : joint_columns(system, problem, i, movers->bodies, movers->count, u);
    square += item->compliance;
    item->scale = square > 0 ? 1 / sqrt(square) : 1;
    put_offset(system, problem, i, movers->before, u);
}

/// A group is a pair of bodies, of which one may be the world. Returns how many can move.
static int list_bodies(const TactContactProblem *problem, int source, int bodies[2])
{
    int a, b;
    tact_rows_bodies(problem, source, &a, &b);
    int low = a < b ? a : b;
    int high = a < b ? b : a;
    bodies[0] = low < 0 ? high : low;
    bodies[1] = high;
    return low < 0 ? 1 : 2;
}

/// How many fours of contacts there are from item i on. Rows come after them.
static int count_fours(const TactSystem *system, int i, int end)
{
    int fours = 0;
    while (fours < MOST_FOURS && i + 4 * fours + 4 <= end &&
           system->items[i + 4 * fours + 3].kind == TACT_ITEM_CONTACT) {
        fours++;
    }
    return fours;
}

void tact_system_build_bodies(TactSystem *system, const TactContactProblem *problem,
                              const double *before)
{
    TactSystemFill fill = {0};
    for (int i = 0; i < system->item_count;) {
        int            bodies[2];
        int            count = list_bodies(problem, system->keys[i].source, bodies);
        int            end = i;
        TactItemGroup *group = tact_system_open_group(system, i, 6 * count, &fill);
        for (int j = 0; j < 6 * count; j++) {
            system->support[group->support + j] = 6 * bodies[j / 6] + j % 6;
        }
        uint64_t key = system->keys[i].support;
        for (; end < system->item_count && system->keys[end].support == key; end++) {
            system->items[end].group = system->group_count - 1;
            system->column[end] = fill.columns;
            fill.columns += 3 * (size_t)group->size;
        }
        group->count = end - i;
        Movers movers = {bodies, count, before};
        while (i < end) {
            int fours = count_fours(system, i, end);
            fours = fours > 0 ? many_contacts(system, problem, i, fours, &movers) : 0;
            if (fours == 0) {
                one_item(system, problem, i, &movers);
            }
            i += fours > 0 ? 4 * fours : 1;
        }
    }
}
