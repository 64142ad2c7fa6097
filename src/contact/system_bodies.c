// Items between free bodies: columns straight from the geometry, with their scale and offset while
// they are at hand.
#include <math.h>
#include <string.h>

#include "contact/frame.h"
#include "contact/rows.h"
#include "contact/system_internal.h"

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
    tact_contact_frame(contact, frame);
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

void tact_system_build_bodies(TactSystem *system, const TactContactProblem *problem,
                              const double *before)
{
    TactSystemFill fill = {0};
    TactItemGroup *group = NULL;
    int            bodies[2] = {-1, -1};
    int            count = 0;
    for (int i = 0; i < system->item_count; i++) {
        TactItem *item = &system->items[i];
        if (i == 0 || system->keys[i].support != system->keys[i - 1].support) {
            count = list_bodies(problem, system->keys[i].source, bodies);
            group = tact_system_open_group(system, i, 6 * count, &fill);
            for (int j = 0; j < 6 * count; j++) {
                system->support[group->support + j] = 6 * bodies[j / 6] + j % 6;
            }
        }
        tact_system_join_group(system, i, group, &fill);
        double u[3] = {0, 0, 0};
        bool   contact = item->kind == TACT_ITEM_CONTACT;
        double square = contact ? contact_columns(system, problem, i, bodies, count, u)
                                : joint_columns(system, problem, i, bodies, count, u);
        square += item->compliance;
        item->scale = square > 0 ? 1 / sqrt(square) : 1;
        tact_system_offset(system, problem, i, before, NULL);
        for (int c = 0; c < 3; c++) {
            system->b[3 * i + c] = u[c] + system->e[3 * i + c];
        }
    }
}
