// What a solver remembers of the last step: by id, without what is gone, never NaN.
#include "contact/pivot/memory.h"

#include "systems.h"

typedef struct Remembered {
    TactContactMemory memory;
    TactArena         arena;
} Remembered;

static void memory_create(Remembered *remembered, int contacts, int rows)
{
    TactContactCapacity capacity = {.contacts = contacts, .rows = rows, .dof = 6 * SCENE_BODIES};
    *remembered = (Remembered){0};
    tact_memory_layout(&remembered->memory, &capacity, &remembered->arena);
    assert_int_equal(tact_arena_create(&remembered->arena), TACT_OK);
    tact_memory_layout(&remembered->memory, &capacity, &remembered->arena);
}

static void memory_destroy(Remembered *remembered)
{
    tact_arena_destroy(&remembered->arena);
}

/// The block on its four corners with ids 11, 12, 13, 14.
static void make_block(Scene *scene)
{
    scene_block_on_plane(scene);
    for (int i = 0; i < 4; i++) {
        scene->contacts[i].id = (uint64_t)(11 + i);
    }
}

/// A kernel that has nothing but a basis and turns.
typedef struct Basis {
    TactKernel kernel;
    TactVar    col[8];
    double     turn[8];
    double     damping[8];
} Basis;

static void make_basis(Basis *basis, const TactSystem *system)
{
    *basis = (Basis){.kernel = {.system = system, .basis.z0_position = -1}};
    basis->kernel.basis.col = basis->col;
    basis->kernel.items.turn = basis->turn;
    basis->kernel.items.damping = basis->damping;
    for (int i = 0; i < 8; i++) {
        basis->turn[i] = 0.1 * (i + 1);
        basis->damping[i] = i;
    }
    basis->col[0] = tact_var(TACT_VAR_THETA, 0, 0);
    basis->col[1] = tact_var(TACT_VAR_THETA, 2, 0);
    basis->col[2] = tact_var(TACT_VAR_PHI, 2, 7);
    basis->col[3] = tact_var(TACT_VAR_LAMBDA, 2, 0);
    basis->col[4] = tact_var(TACT_VAR_DAMPER, 2, 0);
    basis->kernel.basis.k = 5;
}

static const double IMPULSES[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

static void the_same_contacts_get_their_impulses_basis_and_turns(void **state)
{
    (void)state;
    Scene       scene;
    OwnedSystem owned;
    Remembered  r;
    Basis       basis;
    make_block(&scene);
    system_create(&owned, &scene.problem);
    memory_create(&r, 4, 0);
    make_basis(&basis, &owned.system);
    tact_memory_store(&r.memory, &owned.system, IMPULSES, &basis.kernel);

    double  p[12], turn[4] = {0}, damping[4] = {0};
    TactVar vars[16];
    assert_int_equal(tact_memory_recall(&r.memory, &owned.system, p), 4);
    assert_memory_equal(p, IMPULSES, sizeof p);
    // All but the damper, which is added by the kernel itself.
    assert_int_equal(tact_memory_recall_basis(&r.memory, &owned.system, vars), 4);
    assert_memory_equal(vars, basis.col, 4 * sizeof *vars);
    tact_memory_recall_turns(&r.memory, turn);
    assert_memory_equal(turn, basis.turn, sizeof turn);
    tact_memory_recall_damping(&r.memory, damping);
    assert_memory_equal(damping, basis.damping, sizeof damping);
    double again[12];
    tact_memory_recall_again(&r.memory, &owned.system, again);
    assert_memory_equal(again, p, sizeof again);
    memory_destroy(&r);
    system_destroy(&owned);
}

static void reordered_contacts_are_found_by_their_id(void **state)
{
    (void)state;
    Scene       scene;
    OwnedSystem owned, turned;
    Remembered  r;
    Basis       basis;
    make_block(&scene);
    system_create(&owned, &scene.problem);
    memory_create(&r, 4, 0);
    make_basis(&basis, &owned.system);
    tact_memory_store(&r.memory, &owned.system, IMPULSES, &basis.kernel);

    Scene other = scene;
    other.problem.bodies = other.bodies, other.problem.contacts = other.contacts;
    for (int i = 0; i < 4; i++) {
        other.contacts[i] = scene.contacts[3 - i];
    }
    other.contacts[0].id = 99; // a new one in the place of 14
    system_create(&turned, &other.problem);
    double  p[12], turn[4] = {-1, -1, -1, -1}, again[12];
    TactVar vars[16];
    assert_int_equal(tact_memory_recall(&r.memory, &turned.system, p), 3);
    const double expected[12] = {0, 0, 0, 7, 8, 9, 4, 5, 6, 1, 2, 3};
    assert_memory_equal(p, expected, sizeof p);
    tact_memory_recall_again(&r.memory, &turned.system, again);
    assert_memory_equal(again, p, sizeof again);
    assert_int_equal(tact_memory_recall_basis(&r.memory, &turned.system, vars), 4);
    assert_int_equal(vars[0], tact_var(TACT_VAR_THETA, 3, 0));
    assert_int_equal(vars[2], tact_var(TACT_VAR_PHI, 1, 7));
    tact_memory_recall_turns(&r.memory, turn);
    assert_true(turn[0] == -1 && turn[1] == basis.turn[2] && turn[3] == basis.turn[0]);
    memory_destroy(&r);
    system_destroy(&owned);
    system_destroy(&turned);
}

static void unknowns_that_a_contact_no_longer_has_are_left_out(void **state)
{
    (void)state;
    Scene       scene;
    OwnedSystem owned, fewer;
    Remembered  r;
    Basis       basis;
    TactVar     vars[16];
    double      p[12];
    make_block(&scene);
    system_create(&owned, &scene.problem);
    memory_create(&r, 4, 0);
    make_basis(&basis, &owned.system);
    tact_memory_store(&r.memory, &owned.system, IMPULSES, &basis.kernel);

    scene.contacts[2].directions = 4; // phi along direction 7 is gone
    system_create(&fewer, &scene.problem);
    assert_int_equal(tact_memory_recall(&r.memory, &fewer.system, p), 4);
    assert_int_equal(tact_memory_recall_basis(&r.memory, &fewer.system, vars), 3);
    system_destroy(&fewer);

    scene.contacts[2].mu = 0; // no friction at all
    system_create(&fewer, &scene.problem);
    assert_int_equal(tact_memory_recall(&r.memory, &fewer.system, p), 4);
    assert_int_equal(tact_memory_recall_basis(&r.memory, &fewer.system, vars), 2);
    system_destroy(&fewer);
    memory_destroy(&r);
    system_destroy(&owned);
}

static void a_contact_is_not_taken_for_a_row_of_the_same_number(void **state)
{
    (void)state;
    Scene       scene;
    OwnedSystem owned, rows;
    Remembered  r;
    double      p[15];
    scene_block_on_plane(&scene);
    scene.contacts[0].id = 1; // the id of row 0
    system_create(&owned, &scene.problem);
    memory_create(&r, 4, 1);
    tact_memory_store(&r.memory, &owned.system, IMPULSES, NULL);
    system_destroy(&owned);

    scene.contacts[0].id = 0;
    scene_add_row(&scene, TACT_ROW_UNILATERAL, -1, 0)->J_b[2] = 1;
    system_create(&rows, &scene.problem);
    assert_int_equal(tact_memory_recall(&r.memory, &rows.system, p), 0);
    for (int i = 0; i < 15; i++) {
        assert_true(p[i] == 0);
    }
    memory_destroy(&r);
    system_destroy(&rows);
}

static void contacts_without_id_are_not_remembered(void **state)
{
    (void)state;
    Scene       scene;
    OwnedSystem owned;
    Remembered  r;
    double      p[12];
    scene_block_on_plane(&scene);
    scene.contacts[1].id = 5;
    system_create(&owned, &scene.problem);
    memory_create(&r, 4, 0);
    tact_memory_store(&r.memory, &owned.system, IMPULSES, NULL);
    assert_int_equal(tact_memory_recall(&r.memory, &owned.system, p), 1);
    const double expected[12] = {0, 0, 0, 4, 5, 6};
    assert_memory_equal(p, expected, sizeof p);
    TactVar vars[16];
    assert_int_equal(tact_memory_recall_basis(&r.memory, &owned.system, vars), -1);
    memory_destroy(&r);
    system_destroy(&owned);
}

static void impulses_that_are_not_finite_are_forgotten(void **state)
{
    (void)state;
    const double bad[] = {NAN, INFINITY};
    for (int k = 0; k < 2; k++) {
        Scene       scene;
        OwnedSystem owned;
        Remembered  r;
        Basis       basis;
        double      p[12];
        make_block(&scene);
        system_create(&owned, &scene.problem);
        memory_create(&r, 4, 0);
        make_basis(&basis, &owned.system);
        memcpy(p, IMPULSES, sizeof p);
        p[7] = bad[k];
        tact_memory_store(&r.memory, &owned.system, IMPULSES, &basis.kernel);
        tact_memory_store(&r.memory, &owned.system, p, &basis.kernel);
        assert_int_equal(tact_memory_recall(&r.memory, &owned.system, p), 0);
        for (int i = 0; i < 12; i++) {
            assert_true(p[i] == 0);
        }
        memory_destroy(&r);
        system_destroy(&owned);
    }
}

static void what_is_forgotten_does_not_come_back(void **state)
{
    (void)state;
    Scene       scene;
    OwnedSystem owned;
    Remembered  r;
    Basis       basis;
    TactVar     vars[16];
    double      p[12];
    make_block(&scene);
    system_create(&owned, &scene.problem);
    memory_create(&r, 4, 0);
    make_basis(&basis, &owned.system);
    tact_memory_store(&r.memory, &owned.system, IMPULSES, &basis.kernel);
    tact_memory_forget(&r.memory);
    assert_int_equal(tact_memory_recall(&r.memory, &owned.system, p), 0);
    assert_int_equal(tact_memory_recall_basis(&r.memory, &owned.system, vars), -1);
    // A basis with z0 in it is none.
    basis.kernel.basis.z0_position = 1;
    tact_memory_store(&r.memory, &owned.system, IMPULSES, &basis.kernel);
    assert_int_equal(tact_memory_recall(&r.memory, &owned.system, p), 4);
    assert_int_equal(tact_memory_recall_basis(&r.memory, &owned.system, vars), -1);
    memory_destroy(&r);
    system_destroy(&owned);
}

/// What is not written again where nothing has changed is what would have been written.
static void turns_of_the_same_contacts_are_those_of_the_last_store(void **state)
{
    (void)state;
    Scene       scene;
    OwnedSystem owned;
    Remembered  r;
    Basis       basis;
    double      p[12], turn[4] = {9, 9, 9, 9}, damping[4] = {9, 9, 9, 9};
    make_block(&scene);
    system_create(&owned, &scene.problem);
    memory_create(&r, 4, 0);
    make_basis(&basis, &owned.system);
    tact_memory_store(&r.memory, &owned.system, IMPULSES, &basis.kernel);
    assert_int_equal(tact_memory_recall(&r.memory, &owned.system, p), 4);
    tact_memory_store(&r.memory, &owned.system, IMPULSES, NULL); // after a kernel: items' own
    for (int again = 0; again < 3; again++) {
        owned.system.items[1].turn = 0.3 * again; // unchanged, then two others
        assert_int_equal(tact_memory_recall(&r.memory, &owned.system, p), 4);
        p[4] = again;
        tact_memory_store(&r.memory, &owned.system, p, NULL);
        assert_int_equal(tact_memory_recall(&r.memory, &owned.system, p), 4);
        tact_memory_recall_turns(&r.memory, turn);
        tact_memory_recall_damping(&r.memory, damping);
        for (int i = 0; i < 4; i++) {
            assert_true(turn[i] == owned.system.items[i].turn);
            assert_true(damping[i] == 0);
        }
        assert_true(p[4] == again && p[3] == IMPULSES[3]);
    }
    memory_destroy(&r);
    system_destroy(&owned);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_contacts_get_their_impulses_basis_and_turns),
        cmocka_unit_test(reordered_contacts_are_found_by_their_id),
        cmocka_unit_test(unknowns_that_a_contact_no_longer_has_are_left_out),
        cmocka_unit_test(a_contact_is_not_taken_for_a_row_of_the_same_number),
        cmocka_unit_test(contacts_without_id_are_not_remembered),
        cmocka_unit_test(impulses_that_are_not_finite_are_forgotten),
        cmocka_unit_test(what_is_forgotten_does_not_come_back),
        cmocka_unit_test(turns_of_the_same_contacts_are_those_of_the_last_store),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
