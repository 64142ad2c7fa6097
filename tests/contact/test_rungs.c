// The table of rungs: its order for stated facts, what a climb reports against it, its two copies
// in the documents, and the memory that a rung makes.
#include "contact/ladder/ladder.h"
#include "contact/solver.h"
#include <tact/record.h>

#include "pegs.h"

enum { MOST_LINES = 64, LINE = 512 };

/// The first cells of the table of a page whose head is `head`, in order; stops at its end.
typedef struct Page {
    int  count;
    char name[MOST_LINES][64];   // the first cell, without its quotes
    char tried[MOST_LINES][256]; // the last cell
} Page;

static void read_table(const char *path, const char *head, Page *page)
{
    char  line[4 * LINE];
    FILE *file = fopen(path, "r");
    bool  within = false;
    assert_non_null(file);
    *page = (Page){0};
    while (fgets(line, sizeof line, file)) {
        if (within && line[0] != '|') {
            break;
        }
        if (within && line[1] != '-') {
            char *last = line + strlen(line) - 1;
            while (*last == '\n' || *last == '|' || *last == ' ') {
                *last-- = '\0';
            }
            assert_true(page->count < MOST_LINES);
            assert_int_equal(sscanf(line, "| `%63[^`]` |", page->name[page->count]), 1);
            snprintf(page->tried[page->count], sizeof page->tried[0], "%s", strrchr(line, '|') + 2);
            page->count++;
        }
        within = within || strncmp(line, head, strlen(head)) == 0;
    }
    fclose(file);
}

/// The first line of the page that is not that of the table; -1: they are the same.
static int first_difference(const TactRung *rungs, int count, const Page *page)
{
    for (int k = 0; k < count || k < page->count; k++) {
        if (k >= count || k >= page->count || strcmp(rungs[k].name, page->name[k]) != 0 ||
            strcmp(rungs[k].tried, page->tried[k]) != 0) {
            return k;
        }
    }
    return -1;
}

static void the_theory_page_has_the_table(void **state)
{
    (void)state;
    static Page page;
    TactRung    wrong[TACT_LADDER_RUNGS];
    read_table(TACT_SOURCE_DIR "/docs/theory/ladder.md", "| rung | what it does |", &page);
    assert_int_equal(first_difference(tact_ladder_rungs, TACT_LADDER_RUNGS, &page), -1);

    // Two rungs changed places, one renamed, one tried at other times, one left out.
    memcpy(wrong, tact_ladder_rungs, sizeof wrong);
    wrong[4] = tact_ladder_rungs[5];
    wrong[5] = tact_ladder_rungs[4];
    assert_int_equal(first_difference(wrong, TACT_LADDER_RUNGS, &page), 4);
    memcpy(wrong, tact_ladder_rungs, sizeof wrong);
    wrong[12].name = "from-slips";
    assert_int_equal(first_difference(wrong, TACT_LADDER_RUNGS, &page), 12);
    memcpy(wrong, tact_ladder_rungs, sizeof wrong);
    wrong[20].tried = "never";
    assert_int_equal(first_difference(wrong, TACT_LADDER_RUNGS, &page), 20);
    assert_int_equal(first_difference(tact_ladder_rungs, TACT_LADDER_RUNGS - 1, &page),
                     TACT_LADDER_RUNGS - 1);
}

static void the_guide_lists_every_name_once_in_order(void **state)
{
    (void)state;
    static Page page;
    int         listed = 0;
    read_table(TACT_SOURCE_DIR "/docs/guide/solve.md", "| rung | is |", &page);
    for (int k = 0; k < TACT_LADDER_RUNGS; k++) {
        const char *name = tact_ladder_rungs[k].name;
        bool        before = false;
        for (int j = 0; j < k; j++) {
            before = before || strcmp(tact_ladder_rungs[j].name, name) == 0;
        }
        if (!before) {
            assert_true(listed < page.count);
            assert_string_equal(page.name[listed++], name);
        }
    }
    assert_int_equal(listed, page.count);
}

static void names_fit_into_reports_and_recordings(void **state)
{
    (void)state;
    for (int k = 0; k < TACT_LADDER_RUNGS; k++) {
        const char *name = tact_ladder_rungs[k].name;
        assert_true(strlen(name) < sizeof((TactRecordRung *)0)->name);
        assert_null(strpbrk(name, " ,\""));
    }
}

// ---------------------------------------------------------------------------------------------
// Order

/// The rungs for these facts if none of them solves the problem. Each but Newton's few steps leaves
/// a tenth of the error that was there, the first one what stands in the facts, or 1.
static int plan(const TactRung *rungs, TactLadderFacts facts, const char *names[])
{
    int    count = 0;
    double first = facts.best_error > 0 ? facts.best_error : 1;
    facts.best_error = facts.polished = HUGE_VAL;
    for (int k = 0; k < TACT_LADDER_RUNGS; k++) {
        if (!rungs[k].when(&facts)) {
            continue;
        }
        names[count++] = rungs[k].name;
        if (rungs[k].run == tact_ladder_polish) {
            facts.polished = facts.best_error;
        } else {
            facts.best_error = facts.best_error < HUGE_VAL ? 0.1 * facts.best_error : first;
        }
    }
    return count;
}

static void no_climb_reports_more_rungs_than_a_report_has_room_for(void **state)
{
    (void)state;
    int most = 0;
    for (int bits = 0; bits < 1 << 10; bits++) {
        const char     *names[TACT_LADDER_RUNGS];
        TactLadderFacts facts = {
            .size = 8,
            .dof = bits & 1 ? 12 : 900,
            .made_for = 8,
            .cone = bits & 2 ? TACT_CONE_CIRCLE : TACT_CONE_PYRAMID,
            .columns = bits & 4,
            .given_W = bits & 8,
            .warm = bits & 16,
            .based = bits & 32,
            .small = bits & 64,
            .large = bits & 128,
            .divides = bits & 256,
            .cheap = bits & 512,
            .best_error = 1e-4,
        };
        int count = plan(tact_ladder_rungs, facts, names);
        most = count > most ? count : most;
    }
    assert_true(most > 20);
    assert_true(most <= TACT_CONTACT_MAX_RUNGS);
}

static bool is_plan(const TactRung *rungs, TactLadderFacts facts, const char *const *wanted)
{
    const char *names[TACT_LADDER_RUNGS];
    int         count = plan(rungs, facts, names), k = 0;
    while (k < count && wanted[k] && strcmp(names[k], wanted[k]) == 0) {
        k++;
    }
    return k == count && !wanted[k];
}

typedef struct Planned {
    TactLadderFacts facts;
    const char     *names[TACT_LADDER_RUNGS + 1];
} Planned;

static const Planned planned[] = {
    {{.size = 8, .dof = 6, .made_for = 8, .columns = true, .small = true},
     {"reduced", "search", "lemke-lex", "newton", "pgs-sm", "nsgs", "newton-more", "nsgs-anew",
      "nsgs-fine", "quadruple"}},
    {{.size = 8,
      .dof = 6,
      .made_for = 8,
      .columns = true,
      .small = true,
      .warm = true,
      .based = true,
      .cone = TACT_CONE_CIRCLE},
     {"last-basis", "reduced", "from-slip", "rotated", "newton", "baraff", "search", "lemke-lex",
      "pgs-sm", "nsgs", "newton-more", "nsgs-anew", "nsgs-fine", "quadruple"}},
    {{.size = 8,
      .dof = 6,
      .made_for = 8,
      .columns = true,
      .small = true,
      .warm = true,
      .cone = TACT_CONE_CIRCLE,
      .best_error = 1e-4},
     {"last-basis", "last-answer", "polish", "reduced", "polish", "from-slip", "rotated", "newton",
      "baraff", "search", "lemke-lex", "pgs-sm", "nsgs", "newton-more", "nsgs-anew", "nsgs-fine",
      "quadruple"}},
    {{.size = 8, .made_for = 8, .columns = true, .small = true, .given_W = true},
     {"reduced", "reduced-W", "search", "lemke-lex", "newton", "pgs-sm", "nsgs", "newton-more",
      "nsgs-anew", "nsgs-fine", "quadruple"}},
    {{.size = 200,
      .dof = 120,
      .made_for = 250,
      .columns = true,
      .small = true,
      .large = true,
      .warm = true,
      .cheap = true},
     {"warm-start", "proximal", "pile", "prox-anew", "last-basis", "reduced", "newton", "pgs-sm",
      "nsgs", "prox-more", "newton-more", "nsgs-anew", "nsgs-fine"}},
    {{.size = 900, .dof = 900, .made_for = 900, .columns = true, .large = true, .divides = true},
     {"islands", "pile", "proximal", "nsgs"}},
    {{.size = 900,
      .dof = 900,
      .made_for = 900,
      .columns = true,
      .large = true,
      .warm = true,
      .cheap = true},
     {"warm-start", "pile", "proximal", "prox-anew", "nsgs", "prox-more"}},
    {{.size = 8,
      .made_for = 8,
      .columns = true,
      .small = true,
      .given_W = true,
      .cone = TACT_CONE_CIRCLE,
      .best_error = 1e-4},
     {"reduced", "reduced-W", "polish", "from-slip", "rotated", "newton", "baraff", "search",
      "lemke-lex", "pgs-sm", "nsgs", "newton-more", "nsgs-anew", "nsgs-fine", "quadruple"}},
    {{.size = 900,
      .dof = 900,
      .made_for = 900,
      .columns = true,
      .large = true,
      .divides = true,
      .warm = true},
     {"warm-start", "islands", "pile", "proximal", "nsgs"}},
    {{.size = 900, .dof = 2700, .made_for = 900, .given_W = true}, {"nsgs"}},
    {{.size = 20,
      .dof = 60,
      .made_for = 30,
      .columns = true,
      .small = true,
      .cone = TACT_CONE_CIRCLE,
      .best_error = 1e-4},
     {"reduced", "polish", "proximal", "from-slip", "rotated", "newton", "baraff", "search",
      "lemke-lex", "pgs-sm", "nsgs", "newton-more", "nsgs-anew", "nsgs-fine", "quadruple"}},
};

static void stated_facts_lead_to_these_rungs_in_this_order(void **state)
{
    (void)state;
    int noticed = 0;
    for (size_t k = 0; k < sizeof planned / sizeof *planned; k++) {
        const Planned *p = &planned[k];
        assert_true(is_plan(tact_ladder_rungs, p->facts, p->names));
    }
    // Any two neighbours that change places are noticed.
    for (int r = 0; r + 1 < TACT_LADDER_RUNGS; r++) {
        TactRung wrong[TACT_LADDER_RUNGS];
        bool     seen = false;
        memcpy(wrong, tact_ladder_rungs, sizeof wrong);
        wrong[r] = tact_ladder_rungs[r + 1];
        wrong[r + 1] = tact_ladder_rungs[r];
        for (size_t k = 0; k < sizeof planned / sizeof *planned; k++) {
            const Planned *p = &planned[k];
            seen = seen || !is_plan(wrong, p->facts, p->names);
        }
        noticed += seen;
    }
    assert_int_equal(noticed, TACT_LADDER_RUNGS - 1);
}

/// The same row twice, one of them `longer`, with targets that differ: no rung can solve that.
static void contradict(Scene *scene, double longer)
{
    scene_block_on_plane(scene);
    for (int k = 0; k < 2; k++) {
        TactContactRow *row = scene_add_row(scene, TACT_ROW_BILATERAL, -1, 0);
        row->J_b[0] = k ? longer : 1;
        row->target = k;
    }
}

/// Two walls that face each other at one point and each ask for room.
static void squeeze(Scene *scene, double room)
{
    scene_block_on_plane(scene);
    for (int k = 0; k < 2; k++) {
        TactContact *contact = &scene->contacts[scene->problem.contact_count++];
        *contact = scene->contacts[0];
        contact->point[2] = 0.5;
        contact->normal[0] = k ? -1 : 1;
        contact->normal[1] = contact->normal[2] = 0;
        contact->tangent[0] = contact->tangent[1] = contact->tangent[2] = 0;
        contact->bias = -room;
        contact->id = 100 + (uint64_t)k;
    }
}

/// The last rungs take most of the time, and are not tried for what two copies of a row, or two
/// walls, rule out to the last bit.
static void the_last_rungs_are_not_tried_where_there_is_plainly_no_answer(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        TactContactConfig config =
            solving_config(TACT_METHOD_LADDER, k % 2 ? TACT_CONE_CIRCLE : TACT_CONE_PYRAMID);
        Scene   scene;
        Solving solving;
        if (k < 2) {
            contradict(&scene, 1);
        } else {
            squeeze(&scene, 1);
        }
        solving_begin(&solving, &scene.problem, &config);
        assert_int_not_equal(solving_run(&solving, &scene.problem), TACT_OUTCOME_SOLVED);
        const TactContactReport *report = &solving.report;
        assert_true(report->rung_count > 3);
        assert_string_equal(report->rungs[report->rung_count - 1].name, "nsgs-anew");
        solving_end(&solving);
    }
    // Walls that leave the room that they ask for are solved.
    Scene             scene;
    Solving           solving;
    TactContactConfig config = solving_config(TACT_METHOD_LADDER, TACT_CONE_CIRCLE);
    squeeze(&scene, 0);
    solving_begin(&solving, &scene.problem, &config);
    assert_int_equal(solving_run(&solving, &scene.problem), TACT_OUTCOME_SOLVED);
    solving_end(&solving);
}

static void a_climb_to_the_top_reports_the_rungs_of_its_facts(void **state)
{
    (void)state;
    for (int circle = 0; circle < 2; circle++) {
        TactContactConfig config =
            solving_config(TACT_METHOD_LADDER, circle ? TACT_CONE_CIRCLE : TACT_CONE_PYRAMID);
        Scene       scene;
        Solving     solving;
        const char *names[TACT_LADDER_RUNGS];
        contradict(&scene, 2);
        solving_begin(&solving, &scene.problem, &config);
        assert_int_not_equal(solving_run(&solving, &scene.problem), TACT_OUTCOME_SOLVED);
        TactContactCapacity need = tact_contact_get_capacity(&scene.problem);
        TactLadderFacts     facts = {
                .size = need.contacts + need.rows,
                .dof = need.dof,
                .made_for = solving.solver->capacity.contacts + solving.solver->capacity.rows,
                .cone = config.cone,
                .columns = true,
                .small = true,
        };
        assert_int_equal(plan(tact_ladder_rungs, facts, names), solving.report.rung_count);
        for (int k = 0; k < solving.report.rung_count; k++) {
            assert_string_equal(solving.report.rungs[k].name, names[k]);
        }
        solving_end(&solving);
    }
}

// ---------------------------------------------------------------------------------------------
// Memory

static bool no_memory;

static void *allocate(void *context, size_t size)
{
    (void)context;
    return no_memory ? NULL : malloc(size);
}

static void release(void *context, void *block)
{
    (void)context;
    free(block);
}

static void a_rung_whose_memory_lacks_fails_the_solve_and_is_tried_again(void **state)
{
    (void)state;
    Scene               scene;
    Solving             whole, sparing;
    TactContactConfig   config = solving_config(TACT_METHOD_LADDER, TACT_CONE_PYRAMID);
    TactContactCapacity capacity;
    contradict(&scene, 2);
    solving_begin(&whole, &scene.problem, &config);
    solving_run(&whole, &scene.problem);
    solving_begin(&sparing, &scene.problem, &config);
    tact_contact_solver_destroy(sparing.solver);
    tact_allocator_set(&(TactAllocator){.allocate = allocate, .release = release});
    capacity = tact_contact_get_capacity(&scene.problem);
    assert_int_equal(tact_contact_solver_create_sparing(&capacity, &config, &sparing.solver),
                     TACT_OK);
    TactContactAnswer answer = {.impulse = sparing.impulse};
    no_memory = true;
    assert_int_equal(tact_contact_solve(sparing.solver, &scene.problem, &answer, &sparing.report),
                     TACT_NO_MEMORY);
    no_memory = false;
    assert_int_equal(tact_contact_solve(sparing.solver, &scene.problem, &answer, &sparing.report),
                     TACT_OK);
    assert_memory_equal(sparing.impulse, whole.impulse,
                        3 * (size_t)scene.problem.contact_count * sizeof(double));
    assert_int_equal(sparing.report.pivots, whole.report.pivots);
    solving_end(&sparing);
    tact_allocator_set(NULL);
    solving_end(&whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_theory_page_has_the_table),
        cmocka_unit_test(the_guide_lists_every_name_once_in_order),
        cmocka_unit_test(names_fit_into_reports_and_recordings),
        cmocka_unit_test(no_climb_reports_more_rungs_than_a_report_has_room_for),
        cmocka_unit_test(stated_facts_lead_to_these_rungs_in_this_order),
        cmocka_unit_test(the_last_rungs_are_not_tried_where_there_is_plainly_no_answer),
        cmocka_unit_test(a_climb_to_the_top_reports_the_rungs_of_its_facts),
        cmocka_unit_test(a_rung_whose_memory_lacks_fails_the_solve_and_is_tried_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
