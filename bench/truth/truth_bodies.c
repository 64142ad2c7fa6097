// Random bodies and small mechanisms as MJCF.
#include "bench/truth/truth_bodies.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

// Half of 6 and of 14 cm.
static const double SMALL = 0.03, LARGE = 0.07;

static double uniform(TactTruthDrawing *drawing, double lo, double hi)
{
    return tact_random_uniform(&drawing->random, lo, hi);
}

static double half_length(TactTruthDrawing *drawing)
{
    return uniform(drawing, SMALL, LARGE);
}

// Draws are statements of their own: C leaves open in which order arguments are evaluated.

TactVec3 tact_truth_draw_direction(TactRandom *random)
{
    TactVec3 d;
    d.x = tact_random_normal(random);
    d.y = tact_random_normal(random);
    d.z = tact_random_normal(random);
    return tact_vec3_normalise(d);
}

static TactVec3 direction(TactTruthDrawing *drawing)
{
    return tact_truth_draw_direction(&drawing->random);
}

/// A rotation by up to this angle, either way, about any axis.
static TactQuat rotation(TactTruthDrawing *drawing, double most)
{
    TactVec3 axis = direction(drawing);
    double   angle = uniform(drawing, -most, most);
    return tact_quat_exp(tact_vec3_scale(angle, axis));
}

__attribute__((format(printf, 2, 3))) static void add(TactTruthBody *body, const char *format, ...)
{
    size_t  used = strlen(body->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(body->text + used, sizeof body->text - used, format, arguments);
    va_end(arguments);
}

/// What all geoms say at their end.
static void add_material(TactTruthDrawing *drawing, TactTruthBody *body)
{
    // as many light ones as heavy ones
    double density = 300 * pow(10, uniform(drawing, 0, 1));
    add(body, " density=\"%.9g\" friction=\"%.9g\"/>\n", density, drawing->mu);
}

TactTruthBody tact_truth_draw_box(TactTruthDrawing *drawing)
{
    TactTruthBody body = {.text = ""};
    double        a = half_length(drawing), b = half_length(drawing), c = half_length(drawing);
    add(&body, "<geom type=\"box\" size=\"%.9g %.9g %.9g\"", a, b, c);
    add_material(drawing, &body);
    body.radius = sqrt(a * a + b * b + c * c);
    return body;
}

static TactTruthBody draw_sphere(TactTruthDrawing *drawing)
{
    TactTruthBody body = {.radius = half_length(drawing)};
    add(&body, "<geom type=\"sphere\" size=\"%.9g\"", body.radius);
    add_material(drawing, &body);
    return body;
}

static TactTruthBody draw_capsule(TactTruthDrawing *drawing)
{
    TactTruthBody body = {.radius = half_length(drawing)};
    double        r = body.radius * uniform(drawing, 0.25, 0.8);
    add(&body, "<geom type=\"capsule\" size=\"%.9g %.9g\"", r, body.radius - r);
    add_material(drawing, &body);
    return body;
}

static TactTruthBody draw_cylinder(TactTruthDrawing *drawing)
{
    TactTruthBody body = {.text = ""};
    double        r = half_length(drawing), half = half_length(drawing);
    add(&body, "<geom type=\"cylinder\" size=\"%.9g %.9g\"", r, half);
    add_material(drawing, &body);
    body.radius = sqrt(r * r + half * half);
    return body;
}

static TactTruthBody draw_ellipsoid(TactTruthDrawing *drawing)
{
    TactTruthBody body = {.text = ""};
    double        a = half_length(drawing), b = half_length(drawing), c = half_length(drawing);
    add(&body, "<geom type=\"ellipsoid\" size=\"%.9g %.9g %.9g\"", a, b, c);
    add_material(drawing, &body);
    body.radius = fmax(a, fmax(b, c));
    return body;
}

/// The hull of 8 to 20 points of an ellipsoid.
static TactTruthBody draw_mesh(TactTruthDrawing *drawing)
{
    TactTruthBody body = {.text = ""};
    int           points = 8 + (int)uniform(drawing, 0, 13);
    double        a = half_length(drawing), b = half_length(drawing), c = half_length(drawing);
    fprintf(drawing->assets, "<mesh name=\"m%d\" vertex=\"", drawing->count);
    for (int i = 0; i < points; i++) {
        TactVec3 d = direction(drawing);
        fprintf(drawing->assets, "%s%.9g %.9g %.9g", i ? "  " : "", a * d.x, b * d.y, c * d.z);
    }
    fprintf(drawing->assets, "\"/>\n");
    add(&body, "<geom type=\"mesh\" mesh=\"m%d\"", drawing->count);
    add_material(drawing, &body);
    body.radius = fmax(a, fmax(b, c));
    return body;
}

/// A box at the origin and a sphere or capsule aside, of another density.
static TactTruthBody draw_compound(TactTruthDrawing *drawing)
{
    TactTruthBody body = {.text = ""};
    TactVec3      d = direction(drawing);
    double        a = uniform(drawing, 0.02, 0.04), b = uniform(drawing, 0.02, 0.04);
    double        c = uniform(drawing, 0.02, 0.04), r = uniform(drawing, 0.015, 0.03);
    double        away = uniform(drawing, 0.03, 0.05), half = uniform(drawing, 0.01, 0.03);
    bool          ball = uniform(drawing, 0, 2) < 1;
    TactQuat      turn = rotation(drawing, 3);
    add(&body, "<geom type=\"box\" size=\"%.9g %.9g %.9g\"", a, b, c);
    add_material(drawing, &body);
    add(&body, "<geom type=\"%s\" pos=\"%.9g %.9g %.9g\"", ball ? "sphere" : "capsule", away * d.x,
        away * d.y, away * d.z);
    add(&body, " quat=\"%.9g %.9g %.9g %.9g\" size=\"%.9g %.9g\"", turn.w, turn.x, turn.y, turn.z,
        r, half);
    add_material(drawing, &body);
    body.radius = fmax(sqrt(a * a + b * b + c * c), away + r + (ball ? 0 : half));
    return body;
}

TactTruthBody tact_truth_draw_body(TactTruthDrawing *drawing)
{
    if (drawing->ellipsoids && uniform(drawing, 0, 2) < 1) {
        return draw_ellipsoid(drawing);
    }
    double kind = uniform(drawing, 0, 8);
    return kind < 2.5   ? tact_truth_draw_box(drawing)
           : kind < 3.5 ? draw_sphere(drawing)
           : kind < 4.5 ? draw_capsule(drawing)
           : kind < 5.5 ? draw_cylinder(drawing)
           : kind < 7   ? draw_mesh(drawing)
                        : draw_compound(drawing);
}

// ---------------------------------------------------------------------------------------------
// Mechanisms

/// A capsule along x about the body's origin.
static void add_link(TactTruthDrawing *drawing, TactTruthBody *body, double r, double half)
{
    add(body, "<geom type=\"capsule\" fromto=\"%.9g 0 0 %.9g 0 0\" size=\"%.9g\"", -half, half, r);
    add_material(drawing, body);
}

/// A child body whose joint is where its end meets that of the body before it, a little bent.
static void open_link(TactTruthDrawing *drawing, TactTruthBody *body, double half, bool ball)
{
    TactQuat turn = rotation(drawing, 0.6);
    TactVec3 end = {half, 0, 0}, axis = {0, 0, 0};
    TactVec3 middle = tact_vec3_add(end, tact_quat_rotate(turn, end));
    double   angle = uniform(drawing, 0, 3.14);
    axis.y = cos(angle);
    axis.z = sin(angle);
    add(body, "<body pos=\"%.9g %.9g %.9g\" quat=\"%.9g %.9g %.9g %.9g\">\n", middle.x, middle.y,
        middle.z, turn.w, turn.x, turn.y, turn.z);
    add(body, "<joint type=\"%s\" pos=\"%.9g 0 0\" axis=\"0 %.9g %.9g\"/>\n",
        ball ? "ball" : "hinge", -half, axis.y, axis.z);
}

TactTruthBody tact_truth_draw_mechanism(TactTruthDrawing *drawing)
{
    TactTruthBody body = {.text = ""};
    bool          ball = uniform(drawing, 0, 2) < 1;
    int           links = ball ? 2 : 3;
    double        r = uniform(drawing, 0.015, 0.022), half = uniform(drawing, 0.04, 0.055);
    add_link(drawing, &body, r, half);
    for (int i = 1; i < links; i++) {
        open_link(drawing, &body, half, ball);
        add_link(drawing, &body, r, half);
    }
    for (int i = 1; i < links; i++) {
        add(&body, "</body>\n");
    }
    body.radius = (2 * links - 1) * half + r;
    body.balls = ball ? 1 : 0;
    body.hinges = ball ? 0 : 2;
    return body;
}

// ---------------------------------------------------------------------------------------------

void tact_truth_add_body(TactTruthDrawing *drawing, const TactTruthBody *body, TactVec3 position,
                         TactTwist motion)
{
    TactQuat turn;
    turn.w = tact_random_normal(&drawing->random);
    turn.x = tact_random_normal(&drawing->random);
    turn.y = tact_random_normal(&drawing->random);
    turn.z = tact_random_normal(&drawing->random);
    turn = tact_quat_normalise(turn);
    TactVec3 v = motion.linear, w = motion.angular;
    double   rate = tact_vec3_norm(w) > 0 ? 5 : 0;
    drawing->moves = drawing->moves || rate > 0 || tact_vec3_norm(v) > 0;
    fprintf(drawing->bodies, "<body pos=\"%.9g %.9g %.9g\" quat=\"%.9g %.9g %.9g %.9g\">",
            position.x, position.y, position.z, turn.w, turn.x, turn.y, turn.z);
    fprintf(drawing->bodies, "<freejoint/>\n%s</body>\n", body->text);
    fprintf(drawing->velocities, "%s%.9g %.9g %.9g %.9g %.9g %.9g", drawing->count ? "  " : "", v.x,
            v.y, v.z, w.x, w.y, w.z);
    for (int i = 0; i < body->hinges + 3 * body->balls; i++) {
        fprintf(drawing->velocities, " %.9g", uniform(drawing, -rate, rate));
    }
    drawing->count++;
}
