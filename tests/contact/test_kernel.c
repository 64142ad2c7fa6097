// The pivoting kernel against the dense LCP that it never forms.
#include "contact/pivot/kernel_internal.h"

#include "kernels.h"
#include "law.h"
#include "made.h"
// clang-format off
#include "contact/assembled/assemble.h"
// clang-format on

enum { MOST_ITEMS = 16, MOST_N = 66 * MOST_ITEMS };

/// The dense LCP in the kernel's units: S A S and S q / q_scale, S = scale of theta and phi,
/// 1 / scale of lambda, since gamma and lambda are an impulse and a velocity.
typedef struct Dense {
    TactAssembleMap   map;
    TactAssemblePlace places[MOST_ITEMS];
    double           *A;
    double           *q;
} Dense;

static int dense_index(const Dense *dense, TactVar variable)
{
    const TactAssemblePlace *place = &dense->places[tact_var_item(variable)];
    switch (tact_var_kind(variable) & 3) {
    case TACT_VAR_THETA: return place->theta;
    case TACT_VAR_PHI: return place->phi + tact_var_direction(variable);
    default: return place->lambda;
    }
}

static void dense_create(Dense *dense, const TactKernel *kernel, const TactContactProblem *problem)
{
    *dense = (Dense){0};
    dense->map.places = dense->places;
    tact_assemble_number(&dense->map, kernel->system, problem, TACT_CONE_PYRAMID);
    int     n = dense->map.n;
    double *S = calloc((size_t)n, sizeof *S);
    dense->A = calloc((size_t)n * (size_t)n, sizeof(double));
    dense->q = calloc((size_t)n, sizeof(double));
    assert_true(S && dense->A && dense->q);
    tact_assemble_lcp(&dense->map, dense->A, dense->q);
    for (int i = 0; i < kernel->system->item_count; i++) {
        const TactAssemblePlace *place = &dense->places[i];
        double                   s = kernel->system->items[i].scale;
        if (place->theta >= 0) {
            S[place->theta] = s;
        }
        for (int j = 0; j < place->directions; j++) {
            S[place->phi + j] = s;
            S[place->lambda] = 1 / s;
        }
    }
    for (int r = 0; r < n; r++) {
        dense->q[r] *= S[r] / kernel->items.q_scale;
        for (int c = 0; c < n; c++) {
            dense->A[r * n + c] *= S[r] * S[c];
        }
    }
    free(S);
}

static void dense_destroy(Dense *dense)
{
    free(dense->A);
    free(dense->q);
}

/// M(row, col) of the LCP with the covering vector as the column of z0.
static double dense_entry(const Dense *dense, const TactKernel *kernel, TactVar row, TactVar col)
{
    int r = dense_index(dense, row);
    if (col == TACT_VAR_Z0) {
        return tact_kernel_cover(kernel, row);
    }
    return dense->A[r * dense->map.n + dense_index(dense, col)];
}

typedef void RowVisit(void *context, TactVar row, int at);

/// All rows that the kernel has: nu of items that have one, sigma and gamma of active ones.
static void visit_rows(const TactKernel *kernel, RowVisit *visit, void *context)
{
    for (int i = 0; i < kernel->system->item_count; i++) {
        const TactItem *item = &kernel->system->items[i];
        if (item->kind != TACT_ITEM_MOTOR) {
            visit(context, tact_var(TACT_VAR_NU, i, 0), kernel->rows.nu + i);
        }
        if (kernel->items.active[i] >= 0) {
            for (int j = 0; j < item->directions; j++) {
                TactVar sigma = tact_var(TACT_VAR_SIGMA, i, j);
                visit(context, sigma, tact_kernel_row_at(kernel, sigma));
            }
            TactVar gamma = tact_var(TACT_VAR_GAMMA, i, 0);
            visit(context, gamma, tact_kernel_row_at(kernel, gamma));
        }
    }
}

typedef struct Comparison {
    const Dense      *dense;
    const TactKernel *kernel;
    TactVar           driving; // TACT_VAR_NONE: values
    double            worst;
    int               rows;
} Comparison;

static void compare_value(void *context, TactVar row, int at)
{
    Comparison       *comparison = context;
    const TactKernel *kernel = comparison->kernel;
    double            sum = comparison->dense->q[dense_index(comparison->dense, row)];
    double            size = 1;
    for (int c = 0; c < kernel->basis.k; c++) {
        sum +=
            dense_entry(comparison->dense, kernel, row, kernel->basis.col[c]) * kernel->basis.z[c];
        size = fmax(size, fabs(kernel->basis.z[c]));
    }
    comparison->worst = fmax(comparison->worst, fabs(sum - kernel->rows.value[at]) / size);
    comparison->rows++;
}

static void compare_rate(void *context, TactVar row, int at)
{
    Comparison       *comparison = context;
    const TactKernel *kernel = comparison->kernel;
    TactVar           driving = comparison->driving;
    bool              unknown = driving == TACT_VAR_Z0 || tact_var_kind(driving) < TACT_VAR_NU;
    double            sum = unknown ? dense_entry(comparison->dense, kernel, row, driving) : 0;
    for (int c = 0; c < kernel->basis.k; c++) {
        sum +=
            dense_entry(comparison->dense, kernel, row, kernel->basis.col[c]) * kernel->basis.dz[c];
    }
    double size = kernel->basis.size;
    comparison->worst = fmax(comparison->worst, fabs(sum - kernel->rows.rate[at]) / size);
    comparison->rows++;
}

/// Values of all rows, and those of non-basic rows 0.
static void assert_values(const TactKernel *kernel, const Dense *dense)
{
    Comparison comparison = {.dense = dense, .kernel = kernel};
    double     size = 1;
    for (int c = 0; c < kernel->basis.k; c++) {
        size = fmax(size, fabs(kernel->basis.z[c]));
    }
    visit_rows(kernel, compare_value, &comparison);
    assert_true(comparison.rows >= kernel->basis.k);
    assert_true(comparison.worst <= 1e-11);
    for (int r = 0; r < kernel->basis.k; r++) {
        assert_true(fabs(kernel->rows.value[kernel->basis.row_at[r]]) <= 1e-9 * size);
    }
}

/// Entries of every column at every non-basic row, and of every row at every basic unknown.
static void assert_entries(TactKernel *kernel, const Dense *dense)
{
    double entries[MOST_N];
    for (int c = 0; c < kernel->basis.k; c++) {
        tact_kernel_column_entries(kernel, kernel->basis.col[c], entries);
        for (int r = 0; r < kernel->basis.k; r++) {
            double expected =
                dense_entry(dense, kernel, kernel->basis.row[r], kernel->basis.col[c]);
            assert_true(fabs(entries[r] - expected) <= 1e-12 * (1 + fabs(expected)));
        }
    }
    for (int r = 0; r < kernel->basis.k; r++) {
        tact_kernel_row_entries(kernel, kernel->basis.row[r], entries);
        for (int c = 0; c < kernel->basis.k; c++) {
            double expected =
                dense_entry(dense, kernel, kernel->basis.row[r], kernel->basis.col[c]);
            assert_true(fabs(entries[c] - expected) <= 1e-12 * (1 + fabs(expected)));
        }
    }
}

static void assert_rates(TactKernel *kernel, const Dense *dense, TactVar driving)
{
    Comparison comparison = {.dense = dense, .kernel = kernel, .driving = driving};
    assert_true(tact_kernel_column(kernel, driving));
    visit_rows(kernel, compare_rate, &comparison);
    assert_true(comparison.worst <= 1e-11);
    double size = kernel->basis.size;
    for (int r = 0; r < kernel->basis.k; r++) { // non-basic rows stay, but for a driving one
        double expected = kernel->basis.row[r] == driving ? 1 : 0;
        assert_true(fabs(kernel->rows.rate[kernel->basis.row_at[r]] - expected) <= 1e-9 * size);
    }
}

/// Every variable that is not basic as the driving one.
static void assert_all_rates(TactKernel *kernel, const Dense *dense)
{
    for (int i = 0; i < kernel->system->item_count; i++) {
        const TactItem *item = &kernel->system->items[i];
        if (item->kind != TACT_ITEM_MOTOR && kernel->basis.position[TACT_VAR_THETA][i] < 0) {
            assert_rates(kernel, dense, tact_var(TACT_VAR_THETA, i, 0));
        }
        if (kernel->items.active[i] < 0) {
            continue;
        }
        for (int j = 0; j < item->directions; j++) {
            if (kernel->basis.position[TACT_VAR_PHI][i * TACT_MAX_DIRECTIONS + j] < 0) {
                assert_rates(kernel, dense, tact_var(TACT_VAR_PHI, i, j));
            }
        }
        if (kernel->basis.position[TACT_VAR_LAMBDA][i] < 0) {
            assert_rates(kernel, dense, tact_var(TACT_VAR_LAMBDA, i, 0));
        }
    }
    for (int r = 0; r < kernel->basis.k; r++) {
        assert_rates(kernel, dense, kernel->basis.row[r]);
    }
    if (kernel->basis.z0_position < 0) {
        assert_rates(kernel, dense, TACT_VAR_Z0);
    }
}

static int draw(TactRandom *random, int below)
{
    int i = (int)tact_random_uniform(random, 0, below);
    return i < below ? i : below - 1;
}

/// Contacts and rows that are open, stick, slide, have no friction yet, or three directions.
static int draw_basis(TactRandom *random, const TactSystem *system, TactVar *basis)
{
    int count = 0;
    for (int i = 0; i < system->item_count; i++) {
        int state = draw(random, 8);
        int d = system->items[i].directions;
        if (state > 4) {
            continue;
        }
        if (system->items[i].kind != TACT_ITEM_MOTOR) {
            basis[count++] = tact_var(TACT_VAR_THETA, i, 0);
        }
        int j = d > 0 ? draw(random, d) : 0;
        int phis = d == 0 || state == 0 ? 0 : d == 2 ? 1 : state == 1 ? 2 : state == 2 ? 3 : 1;
        for (int k = 0; k < phis; k++) {
            basis[count++] = tact_var(TACT_VAR_PHI, i, (j + k) % d);
        }
        if (phis > 0 && state != 1) {
            basis[count++] = tact_var(TACT_VAR_LAMBDA, i, 0);
        }
    }
    return count;
}

/// Bodies with turned pyramids of different sizes, compliance on some contacts, no friction on one.
static void make_bodies(uint64_t seed, Made *made)
{
    TactRandom     random = tact_random_seed(seed);
    const MadeKind kind = {.cone = TACT_CONE_PYRAMID, .ratio = 10, .speed = 1};
    made_create(&random, &kind, made);
    for (int i = 0; i < made->scene.problem.contact_count; i++) {
        TactContact *contact = &made->scene.contacts[i];
        contact->directions = 4 + 2 * draw(&random, 5);
        contact->turn = i % 3 ? tact_random_uniform(&random, -3, 3) : 0;
        contact->compliance = i % 4 == 1 ? tact_random_uniform(&random, 0, 2) : 0;
        contact->bias = tact_random_normal(&random);
    }
    made->scene.contacts[5].mu = 0;
}

/// Values, entries and rates of random bases, and of where Lemke's path stands after some pivots.
static void assert_like_dense(const TactContactProblem *problem, uint64_t seed, int tries,
                              int least_regular)
{
    TactRandom  random = tact_random_seed(seed);
    OwnedSystem system;
    OwnedKernel owned;
    Dense       dense;
    int         regular = 0;
    system_create(&system, problem);
    kernel_create(&owned, &system.system, false);
    dense_create(&dense, &owned.kernel, problem);
    for (int t = 0; t < tries; t++) {
        TactKernel *kernel = &owned.kernel;
        TactVar     basis[8 * MOST_ITEMS];
        tact_kernel_load(kernel, &system.system);
        kernel_add_all_friction(&owned);
        int count = draw_basis(&random, &system.system, basis);
        if (!tact_kernel_set_basis(kernel, basis, count) || tact_kernel_error(kernel) > 1e5) {
            continue; // more than the degrees of freedom can tell apart
        }
        regular++;
        assert_int_equal(kernel->basis.k, count);
        assert_entries(kernel, &dense);
        assert_values(kernel, &dense);
        assert_all_rates(kernel, &dense);
        TactKernelPath path = {.max_pivots = draw(&random, 12), .tie = 1e-10, .random = random};
        tact_kernel_follow(kernel, &path);
        tact_kernel_refine(kernel);
        assert_entries(kernel, &dense);
        assert_values(kernel, &dense);
        assert_all_rates(kernel, &dense);
    }
    assert_true(regular >= least_regular);
    dense_destroy(&dense);
    kernel_destroy(&owned);
    system_destroy(&system);
}

static void rows_of_bodies_are_those_of_the_dense_lcp(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        Made made;
        make_bodies(seed, &made);
        assert_like_dense(&made.scene.problem, seed, 10, 1);
    }
}

static void rows_of_joints_limits_and_motors_are_those_of_the_dense_lcp(void **state)
{
    (void)state;
    Scene scene;
    scene_arm(&scene);
    assert_like_dense(&scene.problem, 3, 40, 5);
    scene_arm(&scene);
    scene.problem.row_count = 0;
    scene.rows[0] = scene.rows[4], scene.rows[1] = scene.rows[5]; // without joints
    scene.problem.row_count = 2;
    assert_like_dense(&scene.problem, 4, 40, 5);
}

static void rows_of_a_delassus_matrix_are_those_of_the_dense_lcp(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(9);
    for (int rank = 3; rank <= 12; rank += 3) {
        double      W[12 * 12], u_free[12];
        TactContact contacts[4];
        random_delassus(&random, 4, rank, 1, W);
        for (int i = 0; i < 12; i++) {
            u_free[i] = 0; // of the range of W, whatever its rank
            for (int j = 0; j < 12; j++) {
                u_free[i] += W[i * 12 + j] * (j % 5 - 2);
            }
        }
        for (int i = 0; i < 4; i++) {
            contacts[i] = (TactContact){.mu = 0.1 + 0.3 * i, .directions = 4 + 4 * (i % 2)};
        }
        TactContactProblem problem = {
            .step = 1, .W = W, .u_free = u_free, .contact_count = 4, .contacts = contacts};
        assert_like_dense(&problem, (uint64_t)rank, 30, 3);
    }
}

static void friction_on_demand_has_the_same_rows(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        Made        made;
        OwnedSystem system;
        OwnedKernel owned;
        Dense       dense;
        make_bodies(seed, &made);
        system_create(&system, &made.scene.problem);
        kernel_create(&owned, &system.system, false);
        dense_create(&dense, &owned.kernel, &made.scene.problem);
        for (int pivots = 0; pivots < 30; pivots += 3) {
            TactKernelPath path = {.lazily = true, .max_pivots = pivots, .tie = 1e-10};
            path.random = tact_random_seed(seed);
            tact_kernel_load(&owned.kernel, &system.system);
            assert_true(tact_kernel_set_basis(&owned.kernel, NULL, 0));
            tact_kernel_follow(&owned.kernel, &path);
            tact_kernel_refine(&owned.kernel);
            assert_entries(&owned.kernel, &dense);
            assert_values(&owned.kernel, &dense);
            assert_all_rates(&owned.kernel, &dense);
            for (int a = 0; a < owned.kernel.friction.count; a++) {
                assert_int_equal(owned.kernel.items.active[owned.kernel.friction.item[a]], a);
            }
        }
        dense_destroy(&dense);
        kernel_destroy(&owned);
        system_destroy(&system);
    }
}

static void along_a_path_elimination_has_the_columns_of_the_whole_matrix(void **state)
{
    (void)state;
    // z0 is basic there, so that what its covering vector adds to eliminated friction (c*) counts.
    int paths = 0;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        Made        made;
        OwnedSystem system;
        OwnedKernel owned;
        Dense       dense;
        make_bodies(seed, &made);
        system_create(&system, &made.scene.problem);
        kernel_create(&owned, &system.system, true);
        dense_create(&dense, &owned.kernel, &made.scene.problem);
        for (int pivots = 1; pivots < 30; pivots += 2) {
            TactKernelPath path = {.max_pivots = pivots, .tie = 1e-10};
            path.random = tact_random_seed(seed);
            tact_kernel_load(&owned.kernel, &system.system);
            kernel_add_all_friction(&owned);
            assert_true(tact_kernel_set_basis(&owned.kernel, NULL, 0));
            tact_kernel_follow(&owned.kernel, &path);
            paths += owned.kernel.basis.z0_position >= 0;
            tact_kernel_refine(&owned.kernel);
            assert_entries(&owned.kernel, &dense);
            assert_values(&owned.kernel, &dense);
            assert_all_rates(&owned.kernel, &dense);
        }
        dense_destroy(&dense);
        kernel_destroy(&owned);
        system_destroy(&system);
    }
    assert_true(paths >= 50);
}

/// dz of the same basis and driving variable by the inverse and by elimination.
static void assert_same_column(TactKernel *a, TactKernel *b, TactVar driving)
{
    assert_true(tact_kernel_column(a, driving));
    assert_true(tact_kernel_column(b, driving));
    double size = a->basis.size;
    for (int c = 0; c < a->basis.k; c++) {
        assert_true(fabs(a->basis.dz[c] - b->basis.dz[c]) <= 1e-8 * size);
    }
}

static void elimination_and_inverse_give_the_same_columns(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(5);
    int        regular = 0;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        Made        made;
        OwnedSystem system;
        OwnedKernel inverse, structural;
        TactVar     basis[8 * MOST_ITEMS];
        make_bodies(seed, &made);
        system_create(&system, &made.scene.problem);
        kernel_create(&inverse, &system.system, false);
        kernel_create(&structural, &system.system, true);
        kernel_add_all_friction(&inverse);
        kernel_add_all_friction(&structural);
        int  count = draw_basis(&random, &system.system, basis);
        bool first = tact_kernel_set_basis(&inverse.kernel, basis, count);
        bool second = tact_kernel_set_basis(&structural.kernel, basis, count);
        if (first && second && tact_kernel_error(&inverse.kernel) < 1e5) {
            regular++;
            for (int i = 0; i < system.system.item_count; i++) {
                TactVar theta = tact_var(TACT_VAR_THETA, i, 0);
                bool    basic = inverse.kernel.basis.position[TACT_VAR_THETA][i] >= 0;
                assert_same_column(&inverse.kernel, &structural.kernel,
                                   basic ? tact_var_complement(theta) : theta);
            }
            for (int r = 0; r < inverse.kernel.basis.k; r++) {
                assert_same_column(&inverse.kernel, &structural.kernel,
                                   inverse.kernel.basis.row[r]);
            }
            assert_true(structural.elimination.size <= system.system.dof);
        }
        kernel_destroy(&inverse);
        kernel_destroy(&structural);
        system_destroy(&system);
    }
    assert_true(regular >= 5);
}

// ---------------------------------------------------------------------------------------------
// Dampers

enum { NV = 6 };

/// Three contacts on a mass matrix, two of which slide along their direction 0.
typedef struct Damped {
    TactContactProblem problem;
    TactContact        contacts[3];
    double             M[NV * NV], v[NV], tau[NV], J[3][3 * NV];
} Damped;

static void make_damped(TactRandom *random, Damped *damped)
{
    double B[NV * NV];
    *damped = (Damped){0};
    for (int i = 0; i < NV * NV; i++) {
        B[i] = tact_random_normal(random);
    }
    for (int i = 0; i < NV; i++) {
        damped->tau[i] = tact_random_normal(random);
        for (int j = 0; j < NV; j++) {
            for (int k = 0; k < NV; k++) {
                damped->M[i * NV + j] += B[i * NV + k] * B[j * NV + k] + (i == j ? 0.2 : 0);
            }
        }
    }
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3 * NV; k++) {
            damped->J[i][k] = tact_random_normal(random);
        }
        damped->contacts[i] = (TactContact){.J = damped->J[i], .mu = 0.4, .turn = 0.5 * i};
    }
    damped->problem = (TactContactProblem){
        .step = 1,
        .nv = NV,
        .M = damped->M,
        .v = damped->v,
        .tau = damped->tau,
        .contact_count = 3,
        .contacts = damped->contacts,
    };
}

static void solve_damped(const Damped *damped, const double damping[3], double p[9])
{
    static const TactVar kinds[] = {TACT_VAR_THETA, TACT_VAR_PHI, TACT_VAR_LAMBDA};
    OwnedSystem          system;
    OwnedKernel          owned;
    TactVar              basis[7];
    int                  count = 0;
    system_create(&system, &damped->problem);
    kernel_create(&owned, &system.system, false);
    kernel_add_all_friction(&owned);
    for (int i = 0; i < 3; i++) {
        double s = owned.kernel.items.scale[i];
        tact_kernel_turn(&owned.kernel, i, damped->contacts[i].turn, damping[i] / (s * s));
        for (int k = 0; k < (i < 2 ? 3 : 1); k++) {
            basis[count++] = tact_var(kinds[k], i, 0);
        }
    }
    assert_true(tact_kernel_set_basis(&owned.kernel, basis, count));
    tact_kernel_impulses(&owned.kernel, false, p);
    kernel_destroy(&owned);
    system_destroy(&system);
}

// A damper gives -c tau (tau' u) at the contact: implicit, it adds c J_tau' J_tau to the mass
// matrix while the momentum stays what it was (v = 0, so that all of it is in tau).
static void dampers_act_as_a_viscous_term_in_the_mass_matrix(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(11);
    for (int t = 0; t < 20; t++) {
        Damped       damped;
        const double damping[3] = {0.7, 3, 0}, none[3] = {0};
        double       with_dampers[9], with_mass[9];
        make_damped(&random, &damped);
        solve_damped(&damped, damping, with_dampers);
        for (int i = 0; i < 2; i++) {
            double c = cos(damped.contacts[i].turn), s = sin(damped.contacts[i].turn), tau[NV];
            for (int k = 0; k < NV; k++) {
                tau[k] = c * damped.J[i][2 * NV + k] - s * damped.J[i][NV + k];
            }
            for (int k = 0; k < NV * NV; k++) {
                damped.M[k] += damping[i] * tau[k / NV] * tau[k % NV];
            }
        }
        solve_damped(&damped, none, with_mass);
        double size = 0;
        for (int k = 0; k < 9; k++) {
            size = fmax(size, fabs(with_mass[k]));
        }
        for (int k = 0; k < 9; k++) {
            assert_true(fabs(with_mass[k] - with_dampers[k]) <= 1e-9 * size);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Edges

static void a_basis_that_is_too_large_or_singular_is_refused(void **state)
{
    (void)state;
    Scene       scene;
    OwnedSystem system;
    OwnedKernel owned;
    scene_block_on_plane(&scene); // four normals on a plane: three are enough
    system_create(&system, &scene.problem);
    kernel_create(&owned, &system.system, false);
    TactVar basis[4];
    for (int i = 0; i < 4; i++) {
        basis[i] = tact_var(TACT_VAR_THETA, i, 0);
    }
    assert_false(tact_kernel_set_basis(&owned.kernel, basis, 4));
    assert_true(tact_kernel_set_basis(&owned.kernel, basis, 3));
    owned.kernel.basis.max_k = 2;
    assert_false(tact_kernel_set_basis(&owned.kernel, basis, 3));
    assert_true(tact_kernel_set_basis(&owned.kernel, basis, 2));
    kernel_destroy(&owned);
    system_destroy(&system);
}

static void values_that_are_nan_are_not_feasible(void **state)
{
    (void)state;
    Scene       scene;
    OwnedSystem system;
    OwnedKernel owned;
    scene_block_on_plane(&scene);
    system_create(&system, &scene.problem);
    kernel_create(&owned, &system.system, false);
    TactVar theta = tact_var(TACT_VAR_THETA, 2, 0);
    assert_true(tact_kernel_set_basis(&owned.kernel, &theta, 1));
    owned.kernel.rows.value[1] = 0; // the row of contact 1
    assert_true(isfinite(tact_kernel_lowest(&owned.kernel)));
    owned.kernel.rows.value[1] = NAN;
    assert_true(tact_kernel_lowest(&owned.kernel) == -HUGE_VAL);
    assert_true(tact_kernel_error(&owned.kernel) == HUGE_VAL);
    kernel_destroy(&owned);
    system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_bodies_are_those_of_the_dense_lcp),
        cmocka_unit_test(rows_of_joints_limits_and_motors_are_those_of_the_dense_lcp),
        cmocka_unit_test(rows_of_a_delassus_matrix_are_those_of_the_dense_lcp),
        cmocka_unit_test(friction_on_demand_has_the_same_rows),
        cmocka_unit_test(along_a_path_elimination_has_the_columns_of_the_whole_matrix),
        cmocka_unit_test(elimination_and_inverse_give_the_same_columns),
        cmocka_unit_test(dampers_act_as_a_viscous_term_in_the_mass_matrix),
        cmocka_unit_test(a_basis_that_is_too_large_or_singular_is_refused),
        cmocka_unit_test(values_that_are_nan_are_not_feasible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
