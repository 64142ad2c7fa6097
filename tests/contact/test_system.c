// The whitened system against dense matrices: J M^-1 J', the constrained motion, the way back.
#include "scenes.h"
// clang-format off
#include "contact/system/system.h"
#include "linalg/lu.h"
// clang-format on

enum { MAX_DOF = 24, MAX_ITEMS = 24 };

typedef struct Made {
    TactContactProblem problem;
    TactContactBody    bodies[4];
    TactContact        contacts[8];
    TactContactRow     rows[8];
    double             M[MAX_DOF * MAX_DOF], v[MAX_DOF], tau[MAX_DOF];
    double             J[8][3 * MAX_DOF], row_J[8][MAX_DOF];
    int                parent[MAX_DOF];
    TactSystem         system;
    TactArena          arena;
} Made;

static double normal(TactRandom *random)
{
    return tact_random_normal(random);
}

/// M = B B' + n on a tree: M_ij is 0 unless one of i, j is above the other.
static void make_mass(Made *made, TactRandom *random, int n, bool tree)
{
    // L' D L with random L along the tree has exactly that pattern.
    double L[MAX_DOF * MAX_DOF] = {0}, D[MAX_DOF];
    for (int i = 0; i < n; i++) {
        made->parent[i] = tree && i > 0 ? (int)tact_random_uniform(random, -1, i) : i - 1;
        made->parent[i] = made->parent[i] < -1 ? -1 : made->parent[i];
        L[i * n + i] = 1;
        D[i] = tact_random_uniform(random, 0.5, 2);
        for (int j = made->parent[i]; j >= 0; j = made->parent[j]) {
            L[i * n + j] = 0.5 * normal(random);
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            made->M[i * n + j] = 0;
            for (int k = 0; k < n; k++) {
                made->M[i * n + j] += L[k * n + i] * D[k] * L[k * n + j];
            }
        }
        made->v[i] = normal(random);
        made->tau[i] = normal(random);
    }
}

static void make_generalized(Made *made, uint64_t seed, int n, int contacts, bool tree)
{
    TactRandom random = tact_random_seed(seed);
    *made = (Made){0};
    make_mass(made, &random, n, tree);
    for (int i = 0; i < contacts; i++) {
        // A contact of one link: the path from a leaf to the root.
        int leaf = (int)tact_random_uniform(&random, 0, n);
        for (int c = 0; c < 3; c++) {
            for (int j = leaf; j >= 0; j = made->parent[j]) {
                made->J[i][c * n + j] = normal(&random);
            }
        }
        made->contacts[i] = (TactContact){.J = made->J[i], .mu = 0.5, .id = (uint64_t)i + 1};
    }
    made->problem = (TactContactProblem){
        .step = 0.01,
        .nv = n,
        .M = made->M,
        .parent = tree ? made->parent : NULL,
        .v = made->v,
        .tau = made->tau,
        .contact_count = contacts,
        .contacts = made->contacts,
        .rows = made->rows,
    };
}

static void add_row(Made *made, TactRandom *random, TactContactRowKind kind)
{
    int n = made->problem.nv;
    int r = made->problem.row_count++;
    for (int j = 0; j < n; j++) {
        made->row_J[r][j] = normal(random);
    }
    made->rows[r] = (TactContactRow){
        .kind = kind, .J = made->row_J[r], .target = normal(random), .force_max = 1};
}

static void build(Made *made)
{
    TactContactCapacity capacity = tact_contact_get_capacity(&made->problem);
    tact_system_layout(&made->system, &capacity, &made->arena);
    assert_int_equal(tact_arena_create(&made->arena), TACT_OK);
    tact_system_layout(&made->system, &capacity, &made->arena);
    assert_int_equal(tact_system_build(&made->system, &made->problem, false), TACT_OK);
}

/// x = M^-1 f by LU
static void mass_solve(const Made *made, const double *f, double *x)
{
    int    n = made->problem.nv;
    double LU[MAX_DOF * MAX_DOF];
    int    perm[MAX_DOF];
    memcpy(LU, made->M, sizeof LU);
    assert_int_equal(tact_lu_factor(n, LU, n, perm, 1e-14), -1);
    tact_lu_solve(n, LU, n, perm, f, x);
}

static double dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static void assert_close(double x, double y, double tol)
{
    if (!(fabs(x - y) <= tol * (1 + fabs(y)))) {
        print_error("%.17g is not %.17g\n", x, y);
        fail();
    }
}

static void check_delassus(const Made *made)
{
    const TactSystem *system = &made->system;
    int               n = made->problem.nv;
    for (int i = 0; i < system->item_count; i++) {
        for (int j = 0; j < system->item_count; j++) {
            double block[3][3];
            tact_system_block(system, i, j, block);
            for (int c = 0; c < 3; c++) {
                double x[MAX_DOF];
                mass_solve(made, made->J[system->items[j].source] + c * n, x);
                for (int r = 0; r < 3; r++) {
                    double W = dot(n, made->J[system->items[i].source] + r * n, x);
                    assert_close(block[r][c], W, 1e-12);
                }
            }
        }
    }
}

static void delassus_of_a_dense_mass_matrix_is_j_m_inverse_j(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        Made made;
        make_generalized(&made, seed, 2 + (int)seed, 5, false);
        build(&made);
        check_delassus(&made);
        tact_arena_destroy(&made.arena);
    }
}

static void delassus_of_a_tree_is_the_same_and_its_supports_are_paths_to_the_root(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        Made made;
        make_generalized(&made, seed, 20, 6, true);
        build(&made);
        check_delassus(&made);
        for (int g = 0; g < made.system.group_count; g++) {
            const TactItemGroup *group = &made.system.groups[g];
            const int           *support = made.system.support + group->support;
            for (int s = 1; s < group->size; s++) {
                assert_int_equal(made.parent[support[s]], support[s - 1]);
            }
        }
        tact_arena_destroy(&made.arena);
    }
}

static void free_motion_is_v_plus_h_m_inverse_tau(void **state)
{
    (void)state;
    Made made;
    make_generalized(&made, 3, 10, 6, true);
    build(&made);
    double x[MAX_DOF];
    mass_solve(&made, made.tau, x);
    for (int j = 0; j < 10; j++) {
        x[j] = made.v[j] + made.problem.step * x[j];
    }
    for (int i = 0; i < made.system.item_count; i++) {
        for (int c = 0; c < 3; c++) {
            double u = dot(10, made.J[made.system.items[i].source] + c * 10, x);
            assert_close(made.system.b[3 * i + c], u, 1e-13);
        }
    }
    tact_arena_destroy(&made.arena);
}

/// v+ of M (v+ - v) = h tau + J'p + B lambda, B'v+ = t, by one dense solve of the whole system.
static void constrained_motion(const Made *made, const double *p, int rows, double *out)
{
    int    n = made->problem.nv, m = n + rows;
    double K[40 * 40] = {0}, f[40] = {0};
    int    perm[40];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            K[i * m + j] = made->M[i * n + j];
            f[i] += made->M[i * n + j] * made->v[j];
        }
        f[i] += made->problem.step * made->tau[i];
        for (int k = 0; k < made->problem.contact_count; k++) {
            for (int c = 0; c < 3; c++) {
                f[i] += made->J[k][c * n + i] * p[3 * k + c];
            }
        }
        for (int r = 0; r < rows; r++) {
            K[i * m + n + r] = -made->row_J[r][i];
            K[(n + r) * m + i] = made->row_J[r][i];
        }
    }
    for (int r = 0; r < rows; r++) {
        f[n + r] = made->rows[r].target;
    }
    assert_int_equal(tact_lu_factor(m, K, m, perm, 1e-14), -1);
    tact_lu_solve(m, K, m, perm, f, out);
}

static void check_constrained(Made *made, TactRandom *random, int independent)
{
    double            p[3 * MAX_ITEMS], impulse[3 * 8], velocity[MAX_DOF], rows[8], u[3 * 8];
    TactContactAnswer answer = {
        .impulse = impulse, .velocity = velocity, .row_impulse = rows, .u = u};
    for (int i = 0; i < 3 * made->system.item_count; i++) {
        p[i] = normal(random);
    }
    tact_system_answer(&made->system, &made->problem, p, &answer);
    double x[40];
    constrained_motion(made, impulse, independent, x);
    int n = made->problem.nv;
    for (int j = 0; j < n; j++) {
        assert_close(velocity[j], x[j], 1e-11);
    }
    double y[MAX_DOF], moved[3 * MAX_ITEMS];
    tact_system_move(&made->system, p, y, moved);
    for (int i = 0; i < made->system.item_count; i++) {
        for (int c = 0; c < 3; c++) {
            int source = made->system.items[i].source;
            assert_close(moved[3 * i + c], dot(n, made->J[source] + c * n, x), 1e-11);
            assert_close(u[3 * source + c], moved[3 * i + c], 1e-11);
        }
    }
}

static void bilateral_rows_are_held_and_their_impulses_recovered(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        TactRandom random = tact_random_seed(seed + 100);
        Made       made;
        make_generalized(&made, seed, 12, 5, true);
        int rows = 1 + (int)(seed % 5);
        for (int r = 0; r < rows; r++) {
            add_row(&made, &random, TACT_ROW_BILATERAL);
        }
        build(&made);
        assert_int_equal(made.system.dof, 12 - rows);
        assert_int_equal(made.system.redundant_rows, 0);
        check_constrained(&made, &random, rows);
        tact_arena_destroy(&made.arena);
    }
}

static void redundant_bilateral_rows_are_counted_and_change_nothing(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(9);
    Made       made;
    make_generalized(&made, 5, 12, 5, true);
    for (int r = 0; r < 5; r++) {
        add_row(&made, &random, TACT_ROW_BILATERAL);
    }
    for (int j = 0; j < 12; j++) { // rows 3 and 4 follow from the others
        made.row_J[3][j] = made.row_J[0][j] - 2 * made.row_J[1][j];
        made.row_J[4][j] = made.row_J[2][j];
    }
    made.rows[3].target = made.rows[0].target - 2 * made.rows[1].target;
    made.rows[4].target = made.rows[2].target;
    build(&made);
    assert_int_equal(made.system.redundant_rows, 2);
    assert_int_equal(made.system.dof, 9);
    check_constrained(&made, &random, 3);
    tact_arena_destroy(&made.arena);
}

static void a_delassus_matrix_of_low_rank_is_factored_to_its_rank(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(4);
    double     C[5 * 12], W[12 * 12], u_free[12];
    for (int i = 0; i < 60; i++) {
        C[i] = normal(&random);
    }
    for (int i = 0; i < 12; i++) {
        u_free[i] = normal(&random);
        for (int j = 0; j < 12; j++) {
            W[12 * i + j] = 0;
            for (int k = 0; k < 5; k++) {
                W[12 * i + j] += C[12 * k + i] * C[12 * k + j];
            }
        }
    }
    Made made = {0};
    made.problem = (TactContactProblem){
        .step = 1, .W = W, .u_free = u_free, .contact_count = 4, .contacts = made.contacts};
    build(&made);
    assert_int_equal(made.system.dof, 5);
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            double block[3][3];
            tact_system_block(&made.system, i, j, block);
            for (int r = 0; r < 3; r++) {
                for (int c = 0; c < 3; c++) {
                    int a = 3 * made.system.items[i].source + r;
                    int b = 3 * made.system.items[j].source + c;
                    assert_close(block[r][c], W[12 * a + b], 1e-12);
                }
            }
        }
        for (int c = 0; c < 3; c++) {
            assert_close(made.system.b[3 * i + c], u_free[3 * made.system.items[i].source + c],
                         1e-14);
        }
    }
    tact_arena_destroy(&made.arena);
}

static void a_matrix_that_is_not_positive_definite_is_refused_with_its_place(void **state)
{
    (void)state;
    Made made;
    make_generalized(&made, 3, 6, 2, false);
    made.M[2 * 6 + 2] = -1;
    TactContactCapacity capacity = tact_contact_get_capacity(&made.problem);
    tact_system_layout(&made.system, &capacity, &made.arena);
    assert_int_equal(tact_arena_create(&made.arena), TACT_OK);
    tact_system_layout(&made.system, &capacity, &made.arena);
    assert_int_equal(tact_system_build(&made.system, &made.problem, false), TACT_BAD_INPUT);
    assert_non_null(strstr(tact_status_message(), "degree of freedom 2"));
    tact_arena_destroy(&made.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(delassus_of_a_dense_mass_matrix_is_j_m_inverse_j),
        cmocka_unit_test(delassus_of_a_tree_is_the_same_and_its_supports_are_paths_to_the_root),
        cmocka_unit_test(free_motion_is_v_plus_h_m_inverse_tau),
        cmocka_unit_test(bilateral_rows_are_held_and_their_impulses_recovered),
        cmocka_unit_test(redundant_bilateral_rows_are_counted_and_change_nothing),
        cmocka_unit_test(a_delassus_matrix_of_low_rank_is_factored_to_its_rank),
        cmocka_unit_test(a_matrix_that_is_not_positive_definite_is_refused_with_its_place),
    };
    return cmocka_run_group_tests_name("contact/system", tests, NULL, NULL);
}
