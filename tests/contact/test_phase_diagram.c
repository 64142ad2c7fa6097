// What a ball on a slope does from rest, by the slope and by its resistance against rolling: the
// whole plane solved, held against the closed form, and drawn (docs/images/rolling-phases.svg; with
// --write FILE the picture is written there).
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
// clang-format on
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tact/contact.h>

// Cells of the picture: mu_roll / r from 0 to 0.8 across, tan of the slope from 0 to 1.2 upwards.
enum { ACROSS = 64, UP = 48, CELL = 8, LEFT = 60, TOP = 16, BELOW = 56, RIGHT = 170 };
static const double MOST_LEVER = 0.8, MOST_TAN = 1.2, MU = 0.4;

typedef enum Phase { STAYS, ROLLS, ROLLS_AND_SLIDES, SLIDES } Phase;
static const char *const names[] = {"stays", "rolls", "rolls and slides", "slides"};
static const char *const colours[] = {"#9aa3ad", "#35c26b", "#f2a13c", "#f0524f"};

/// The closed form: accelerations of a ball, I = 2/5 m r^2, over g cos of the slope.
static Phase expected_phase(double tan, double lever)
{
    if (tan <= fmin(MU, lever)) {
        return STAYS;
    }
    if (tan > lever && tan - 5 / 7.0 * (tan - lever) <= MU) {
        return ROLLS;
    }
    return MU > lever ? ROLLS_AND_SLIDES : SLIDES;
}

/// What the answer of a step from rest shows: does it turn, does it slip?
static Phase solved_phase(double tan, double lever)
{
    double          mass = 0.3, r = 0.05, cosine = 1 / sqrt(1 + tan * tan), weight = 9.81 * mass;
    double          p[3], m[3], w[3], v[6], u[3], inertia = 0.4 * mass * r * r;
    TactContactBody body = {.mass = mass,
                            .inertia = {inertia, inertia, inertia},
                            .position = {0, 0, r},
                            .force = {weight * tan * cosine, 0, -weight * cosine}};
    TactContact     contact = {
            .a = -1, .b = 0, .normal = {0, 0, 1}, .mu = MU, .mu_roll = lever * r, .tangent = {1, 0, 0}};
    TactContactProblem problem = {
        .step = 0.001, .bodies = &body, .body_count = 1, .contacts = &contact, .contact_count = 1};
    TactContactCapacity capacity = tact_contact_get_capacity(&problem);
    TactContactConfig   config = tact_contact_config_default(TACT_METHOD_LADDER);
    TactContactAnswer   answer = {.impulse = p, .moment = m, .spin = w, .velocity = v, .u = u};
    TactContactReport   report;
    TactContactSolver  *solver = NULL;
    config.cone = TACT_CONE_CIRCLE;
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    assert_int_equal(tact_contact_solve(solver, &problem, &answer, &report), TACT_OK);
    assert_int_equal(report.outcome, TACT_OUTCOME_SOLVED);
    tact_contact_solver_destroy(solver);
    bool turns = fabs(v[4] * r) > 1e-9, slips = hypot(u[1], u[2]) > 1e-9;
    return slips ? (turns ? ROLLS_AND_SLIDES : SLIDES) : turns ? ROLLS : STAYS;
}

// ---------------------------------------------------------------------------------------------
// The picture

typedef struct Text {
    char   bytes[1 << 18];
    size_t used;
} Text;

__attribute__((format(printf, 2, 3))) static void add(Text *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int size = vsnprintf(text->bytes + text->used, sizeof text->bytes - text->used, format, list);
    va_end(list);
    assert_true(size >= 0 && text->used + (size_t)size < sizeof text->bytes);
    text->used += (size_t)size;
}

static double x_of(double lever)
{
    return LEFT + lever / MOST_LEVER * ACROSS * CELL;
}

static double y_of(double tan)
{
    return TOP + (1 - tan / MOST_TAN) * UP * CELL;
}

/// Borders of the closed form.
static void draw_borders(Text *text)
{
    const double lines[][4] = {
        {0, 0, MU, MU},                                   // tan = lever
        {MU, MU, MOST_LEVER, MU},                         // tan = mu
        {MU, MU, MU, MOST_TAN},                           // lever = mu
        {(7 * MU - 2 * MOST_TAN) / 5, MOST_TAN, MU, MU}}; // 2/7 tan + 5/7 lever = mu
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        const double *l = lines[k];
        add(text, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", x_of(l[0]),
            y_of(l[1]), x_of(l[2]), y_of(l[3]));
    }
}

static void draw_axes(Text *text)
{
    double bottom = TOP + UP * CELL;
    for (int k = 0; k <= 4; k++) {
        add(text, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%.1f</text>\n", x_of(0.2 * k),
            bottom + 18, 0.2 * k);
    }
    for (int k = 0; k <= 6; k++) {
        add(text, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.1f</text>\n", LEFT - 8,
            y_of(0.2 * k) + 4, 0.2 * k);
    }
    add(text, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">mu_roll / radius</text>\n",
        x_of(MOST_LEVER / 2), bottom + 40);
    add(text,
        "<text transform=\"translate(16 %.1f) rotate(-90)\" text-anchor=\"middle\">tan of the "
        "slope</text>\n",
        y_of(MOST_TAN / 2));
    for (int k = 0; k < 4; k++) {
        add(text, "<rect x=\"%.1f\" y=\"%d\" width=\"14\" height=\"14\" fill=\"%s\"/>\n",
            x_of(MOST_LEVER) + 16, TOP + 24 * k, colours[k]);
        add(text, "<text x=\"%.1f\" y=\"%d\">%s</text>\n", x_of(MOST_LEVER) + 38, TOP + 12 + 24 * k,
            names[k]);
    }
    add(text, "<text x=\"%.1f\" y=\"%d\">mu = %.1f</text>\n", x_of(MOST_LEVER) + 16, TOP + 124, MU);
}

static void every_cell_of_the_plane_is_in_its_phase_and_the_picture_shows_it(void **state)
{
    const char  *write = *state;
    static Text  text;
    int          seen[4] = {0}, wide = LEFT + ACROSS * CELL + RIGHT, high = TOP + UP * CELL + BELOW;
    const char  *file = TACT_SOURCE_DIR "/docs/images/rolling-phases.svg";
    static Phase phase[UP][ACROSS + 1];
    add(&text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d "
        "%d\" "
        "font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"%d\" height=\"%d\" "
        "fill=\"white\"/>\n",
        wide, high, wide, high, wide, high);
    for (int j = 0; j < UP; j++) {
        for (int i = 0; i < ACROSS; i++) {
            double lever = MOST_LEVER * (i + 0.51) / ACROSS, tan = MOST_TAN * (j + 0.47) / UP;
            phase[j][i] = solved_phase(tan, lever);
            assert_int_equal(phase[j][i], expected_phase(tan, lever));
            seen[phase[j][i]]++;
        }
    }
    // Equal neighbours are one rectangle.
    for (int j = 0; j < UP; j++) {
        for (int i = 0, end; i < ACROSS; i = end) {
            for (end = i + 1; end < ACROSS && phase[j][end] == phase[j][i]; end++) {
            }
            add(&text, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>\n",
                LEFT + i * CELL, TOP + (UP - 1 - j) * CELL, (end - i) * CELL, CELL,
                colours[phase[j][i]]);
        }
    }
    add(&text, "<g stroke=\"black\" stroke-width=\"1.5\">\n");
    draw_borders(&text);
    add(&text, "</g>\n");
    draw_axes(&text);
    add(&text, "</svg>\n");
    print_message("stays %d, rolls %d, rolls and slides %d, slides %d\n", seen[0], seen[1], seen[2],
                  seen[3]);
    assert_true(seen[0] > 100 && seen[1] > 100 && seen[2] > 100 && seen[3] > 100);
    FILE *stream = fopen(write ? write : file, write ? "wb" : "rb");
    assert_non_null(stream);
    if (write) {
        assert_int_equal(fwrite(text.bytes, 1, text.used, stream), text.used);
    } else {
        static char kept[1 << 18];
        size_t      size = fread(kept, 1, sizeof kept, stream);
        assert_int_equal(size, text.used);
        assert_memory_equal(kept, text.bytes, size);
    }
    assert_int_equal(fclose(stream), 0);
}

int main(int argc, char **argv)
{
    char                   *write = argc == 3 && strcmp(argv[1], "--write") == 0 ? argv[2] : NULL;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(every_cell_of_the_plane_is_in_its_phase_and_the_picture_shows_it,
                                  write),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
