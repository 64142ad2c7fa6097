// W by sparse blocks. The oracle knows no solver: the law's residual from the raw blocks, or from
// the raw text of a file, in long double.
//
// TACT_LONG=1: 100,000 contacts, with time and memory.
#include <stdio.h>
#include <sys/resource.h>
#include <tact/tact.h>

#include "contact/law.h"
#include "io/scratch.h"

// ---------------------------------------------------------------------------------------------
// A heap of point masses in a grid, neighbours touch; the lowest layer touches the ground.

typedef struct Heap {
    TactContactProblem problem;
    TactContactBlocks  blocks;
    TactContact       *contacts;
    size_t            *start;
    int               *column;
    double            *value;
    double            *u_free;
    int (*sides)[2];    // masses of a contact, -1: the ground
    double (*frame)[9]; // n, 1, 2
} Heap;

static void unit(TactRandom *random, double x[3])
{
    double length;
    do {
        for (int k = 0; k < 3; k++) {
            x[k] = tact_random_uniform(random, -1, 1);
        }
        length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    } while (length < 0.1 || length > 1);
    for (int k = 0; k < 3; k++) {
        x[k] /= length;
    }
}

/// A frame whose normal is near an axis.
static void make_frame(TactRandom *random, int axis, double frame[9])
{
    double other[3], along;
    unit(random, frame);
    for (int k = 0; k < 3; k++) {
        frame[k] = 0.2 * frame[k] + (k == axis);
    }
    along = sqrt(frame[0] * frame[0] + frame[1] * frame[1] + frame[2] * frame[2]);
    for (int k = 0; k < 3; k++) {
        frame[k] /= along;
    }
    do {
        unit(random, other);
        along = other[0] * frame[0] + other[1] * frame[1] + other[2] * frame[2];
    } while (fabs(along) > 0.9);
    double length = sqrt(1 - along * along);
    for (int k = 0; k < 3; k++) {
        frame[3 + k] = (other[k] - along * frame[k]) / length;
    }
    for (int k = 0; k < 3; k++) {
        int a = (k + 1) % 3, b = (k + 2) % 3;
        frame[6 + k] = frame[a] * frame[3 + b] - frame[b] * frame[3 + a];
    }
}

static int add_contact(Heap *heap, TactRandom *random, int a, int b, int axis)
{
    int i = heap->problem.contact_count++;
    heap->sides[i][0] = a;
    heap->sides[i][1] = b;
    make_frame(random, axis, heap->frame[i]);
    heap->contacts[i] =
        (TactContact){.a = -1, .b = -1, .mu = tact_random_uniform(random, 0.2, 0.8)};
    return i;
}

/// W_ij = sum over the masses that both touch of +- F_i F_j' / m.
static bool add_block(Heap *heap, const double *mass, int i, int j, double W[9])
{
    bool coupled = false;
    for (int k = 0; k < 4; k++) {
        int a = heap->sides[i][k / 2], b = heap->sides[j][k % 2];
        if (a < 0 || a != b) {
            continue;
        }
        double sign = (k / 2 == k % 2 ? 1 : -1) / mass[a];
        coupled = true;
        for (int e = 0; e < 9; e++) {
            for (int c = 0; c < 3; c++) {
                W[e] += sign * heap->frame[i][3 * (e / 3) + c] * heap->frame[j][3 * (e % 3) + c];
            }
        }
    }
    return coupled;
}

/// side x side x high masses that fall with a velocity each.
static void make_heap(Heap *heap, uint64_t seed, int side, int high)
{
    TactRandom random = tact_random_seed(seed);
    int        masses = side * side * high;
    size_t     most = 3 * (size_t)masses;
    double    *mass = calloc((size_t)masses, sizeof *mass);
    double(*v)[3] = calloc((size_t)masses, sizeof *v);
    int(*touch)[7] = calloc((size_t)masses, sizeof *touch); // contacts of a mass, then how many
    *heap = (Heap){.contacts = calloc(most, sizeof(TactContact)),
                   .sides = calloc(most, sizeof *heap->sides),
                   .frame = calloc(most, sizeof *heap->frame),
                   .start = calloc(most + 1, sizeof(size_t)),
                   .column = calloc(11 * most, sizeof(int)),
                   .value = calloc(99 * most, sizeof(double)),
                   .u_free = calloc(3 * most, sizeof(double))};
    for (int m = 0; m < masses; m++) {
        int x = m % side, y = m / side % side, z = m / (side * side);
        mass[m] = tact_random_uniform(&random, 0.5, 2);
        for (int k = 0; k < 3; k++) {
            v[m][k] = tact_random_uniform(&random, -0.3, 0.3) - (k == 2);
        }
        int other[3] = {z > 0 ? m - side * side : -1, x > 0 ? m - 1 : -2, y > 0 ? m - side : -2};
        for (int k = 0; k < 3; k++) {
            if (other[k] > -2) {
                int i = add_contact(heap, &random, other[k], m, k == 0 ? 2 : k - 1);
                touch[m][touch[m][6]++] = i;
                if (other[k] >= 0) {
                    touch[other[k]][touch[other[k]][6]++] = i;
                }
            }
        }
    }
    size_t used = 0;
    for (int i = 0; i < heap->problem.contact_count; i++) {
        int near[12], count = 0;
        heap->start[i] = used;
        for (int s = 0; s < 2; s++) {
            int m = heap->sides[i][s];
            for (int k = 0; m >= 0 && k < touch[m][6]; k++) {
                near[count++] = touch[m][k];
            }
            for (int c = 0; m >= 0 && c < 9; c++) {
                heap->u_free[3 * i + c / 3] += (s == 0 ? -1 : 1) * heap->frame[i][c] * v[m][c % 3];
            }
        }
        for (int last = -1, next = 0; next >= 0; last = next) { // ascending, each once
            next = -1;
            for (int k = 0; k < count; k++) {
                next = near[k] > last && (next < 0 || near[k] < next) ? near[k] : next;
            }
            if (next >= 0 && add_block(heap, mass, i, next, heap->value + 9 * used)) {
                heap->column[used++] = next;
            }
        }
    }
    heap->start[heap->problem.contact_count] = used;
    heap->blocks = (TactContactBlocks){heap->start, heap->column, heap->value};
    heap->problem.step = 1;
    heap->problem.contacts = heap->contacts;
    heap->problem.u_free = heap->u_free;
    heap->problem.blocks = &heap->blocks;
    free(mass);
    free(v);
    free(touch);
}

static void destroy_heap(Heap *heap)
{
    free(heap->contacts);
    free(heap->sides);
    free(heap->frame);
    free(heap->start);
    free(heap->column);
    free(heap->value);
    free(heap->u_free);
}

/// The worst natural-map residual of a contact over the largest |W_ij p_j| or |b_i|.
static double law_of_blocks(const TactContactProblem *problem, const double *p)
{
    const TactContactBlocks *W = problem->blocks;
    long double              worst = 0, largest = 0;
    for (int i = 0; i < problem->contact_count; i++) {
        long double u[3], w = 0, x[3], mu = problem->contacts[i].mu;
        for (int r = 0; r < 3; r++) {
            u[r] = problem->u_free[3 * i + r];
            largest = fmaxl(largest, fabsl(u[r]));
            for (size_t k = W->start[i]; k < W->start[i + 1]; k++) {
                for (int c = 0; c < 3; c++) {
                    long double part = (long double)W->value[9 * k + (size_t)(3 * r + c)] *
                                       p[3 * W->column[k] + c];
                    u[r] += part;
                    largest = fmaxl(largest, fabsl(part));
                }
                if (W->column[k] == i) {
                    w += W->value[9 * k + (size_t)(4 * r)] / 3;
                }
            }
        }
        u[0] += mu * hypotl(u[1], u[2]);
        for (int c = 0; c < 3; c++) {
            x[c] = p[3 * i + c] - u[c] / w;
        }
        long double t = hypotl(x[1], x[2]), load = x[0], part = 1; // nearest point of the cone
        if (t > mu * load) {
            load = fmaxl((x[0] + mu * t) / (1 + mu * mu), 0);
            part = t > 0 ? mu * load / t : 0;
        }
        long double off =
            hypotl(p[3 * i] - load, hypotl(p[3 * i + 1] - part * x[1], p[3 * i + 2] - part * x[2]));
        worst = fmaxl(worst, w * off);
    }
    return (double)(worst / largest);
}

static double *solve(const TactContactProblem *problem, TactContactMethod method,
                     TactContactReport *report)
{
    TactContactConfig   config = tact_contact_config_default(method);
    TactContactCapacity capacity = tact_contact_get_capacity(problem);
    TactContactSolver  *solver;
    double             *p = calloc(3 * (size_t)problem->contact_count, sizeof *p);
    config.cone = TACT_CONE_CIRCLE;
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    TactContactAnswer answer = {.impulse = p};
    assert_int_equal(tact_contact_solve(solver, problem, &answer, report), TACT_OK);
    tact_contact_solver_destroy(solver);
    return p;
}

// ---------------------------------------------------------------------------------------------

static void heaps_given_by_blocks_obey_the_law(void **state)
{
    (void)state;
    for (int seed = 1; seed <= 8; seed++) {
        const TactContactMethod methods[] = {TACT_METHOD_NSGS, TACT_METHOD_LADDER};
        Heap                    heap;
        make_heap(&heap, (uint64_t)seed, 1 + seed % 4, 1 + seed);
        for (int k = 0; k < 2; k++) {
            TactContactReport report;
            double           *p = solve(&heap.problem, methods[k], &report);
            assert_int_equal(report.outcome, TACT_OUTCOME_SOLVED);
            assert_true(law_of_blocks(&heap.problem, p) <= 1e-8);
            free(p);
        }
        destroy_heap(&heap);
    }
}

/// The dense matrix of the blocks.
static double *make_dense(const Heap *heap)
{
    size_t  n = 3 * (size_t)heap->problem.contact_count;
    double *W = calloc(n * n, sizeof *W);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = heap->start[i / 3]; k < heap->start[i / 3 + 1]; k++) {
            memcpy(W + i * n + 3 * (size_t)heap->column[k], heap->value + 9 * k + 3 * (i % 3),
                   3 * sizeof(double));
        }
    }
    return W;
}

static void blocks_are_certified_as_the_dense_matrix_is(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(5);
    Heap       heap;
    make_heap(&heap, 3, 3, 4);
    size_t             n = 3 * (size_t)heap.problem.contact_count;
    TactContactProblem dense = heap.problem;
    double            *W = make_dense(&heap);
    dense.W = W;
    dense.blocks = NULL;
    for (int k = 0; k < 20; k++) { // answers, the worse the later
        TactContactReport      report;
        TactContactCertificate one, other;
        double                *p = solve(&heap.problem, TACT_METHOD_NSGS, &report);
        for (size_t i = 0; i < n; i++) {
            p[i] += k == 0 ? 0 : pow(10, k - 14) * tact_random_normal(&random);
        }
        assert_int_equal(tact_contact_certify(&heap.problem, TACT_CONE_CIRCLE, p, NULL, NULL, &one),
                         TACT_OK);
        assert_int_equal(tact_contact_certify(&dense, TACT_CONE_CIRCLE, p, NULL, NULL, &other),
                         TACT_OK);
        assert_true(fabs(one.error - other.error) <= 1e-12 + 1e-9 * other.error);
        assert_true(fabs(one.energy_created - other.energy_created) <=
                    1e-12 + 1e-9 * other.energy_created);
        free(p);
    }
    free(W);
    destroy_heap(&heap);
}

static void a_matrix_that_is_none_is_refused(void **state)
{
    (void)state;
    Heap                   heap;
    TactContactCertificate certificate;
    double                 p[64] = {0};
    make_heap(&heap, 4, 1, 4);
    assert_int_equal(tact_contact_check(&heap.problem), TACT_OK);
    heap.value[10] += 1; // of block (0, 1), but not of (1, 0)
    assert_int_equal(tact_contact_check(&heap.problem), TACT_BAD_INPUT);
    heap.value[10] = NAN;
    assert_int_equal(tact_contact_check(&heap.problem), TACT_BAD_INPUT);
    destroy_heap(&heap);
    make_heap(&heap, 4, 1, 4);
    heap.column[1] = 0; // twice the same
    assert_int_equal(tact_contact_check(&heap.problem), TACT_BAD_INPUT);
    heap.column[0] = 1; // no diagonal
    heap.column[1] = 2;
    assert_int_equal(tact_contact_check(&heap.problem), TACT_BAD_INPUT);
    destroy_heap(&heap);
    make_heap(&heap, 4, 1, 4);
    heap.contacts[1].mu_roll = 0.1;
    assert_int_equal(
        tact_contact_certify(&heap.problem, TACT_CONE_CIRCLE, p, NULL, NULL, &certificate),
        TACT_UNSUPPORTED);
    destroy_heap(&heap);
}

/// Methods on dense matrices say that they need one, and do not read what is not there.
static void what_needs_a_dense_matrix_says_so(void **state)
{
    (void)state;
    Heap heap;
    make_heap(&heap, 6, 2, 2);
    double *p = calloc(3 * (size_t)heap.problem.contact_count, sizeof *p);
    for (int m = 0; m < TACT_METHOD_COUNT; m++) {
        const TactContactMethodInfo *info = tact_contact_method_info((TactContactMethod)m);
        TactContactConfig            config = tact_contact_config_default((TactContactMethod)m);
        TactContactCapacity          capacity = tact_contact_get_capacity(&heap.problem);
        TactContactAnswer            answer = {.impulse = p};
        TactContactReport            report;
        TactContactSolver           *solver;
        assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
        TactStatus status = tact_contact_solve(solver, &heap.problem, &answer, &report);
        assert_int_equal(status,
                         info->takes & TACT_CONTACT_TAKES_BLOCKS ? TACT_OK : TACT_UNSUPPORTED);
        tact_contact_solver_destroy(solver);
    }
    TactContactAnswer     answer = {.impulse = p};
    TactContactDiagnosis *diagnosis = calloc((size_t)heap.problem.contact_count, sizeof *diagnosis);
    TactContactLcp       *lcp;
    assert_int_equal(tact_contact_share(&heap.problem, TACT_CONE_CIRCLE, 1e-8, &answer, NULL),
                     TACT_UNSUPPORTED);
    assert_int_equal(tact_contact_lcp_create(&heap.problem, NULL, &lcp), TACT_UNSUPPORTED);
    assert_int_equal(tact_contact_diagnose(&heap.problem, &answer, diagnosis), TACT_OK);
    for (int i = 0; i < heap.problem.contact_count; i++) {
        double used = hypot(p[3 * i + 1], p[3 * i + 2]) / (heap.contacts[i].mu * p[3 * i]);
        assert_int_equal(diagnosis[i].state == TACT_STATE_OPEN, p[3 * i] == 0);
        assert_true(p[3 * i] == 0 || fabs(diagnosis[i].friction_used - used) <= 1e-12);
        assert_true(diagnosis[i].state != TACT_STATE_SLIDE || used > 0.999);
    }
    free(diagnosis);
    free(p);
    destroy_heap(&heap);
}

// ---------------------------------------------------------------------------------------------
// A file

/// The file's own text: columns of a sparse matrix in the plane, then q, then mu.
typedef struct Raw {
    int          contacts;
    long double *u; // W p + q                                                     (2 contacts)
    double      *mu;
} Raw;

/// u from the text and the answer, entry after entry.
static Raw read_raw(const char *path, const double *p)
{
    FILE  *file = fopen(path, "r");
    char   line[256];
    Raw    raw = {0};
    int    n = 0, column = -1, row;
    double value;
    assert_non_null(file);
    for (int k = 0; k < 5 && fgets(line, sizeof line, file); k++) {
        raw.contacts = k == 1 ? atoi(line) : raw.contacts;
        n = k == 3 ? atoi(line) : n;
    }
    raw.u = calloc((size_t)n, sizeof *raw.u);
    raw.mu = calloc((size_t)raw.contacts, sizeof *raw.mu);
    for (long here = ftell(file); fgets(line, sizeof line, file); here = ftell(file)) {
        if (sscanf(line, " col %d :", &column) == 1) {
            continue;
        }
        if (column >= 0 && sscanf(line, " %d : %lf", &row, &value) == 2) {
            raw.u[row] += (long double)value * p[3 * (column / 2) + column % 2];
        } else if (column == n - 1) {
            assert_int_equal(fseek(file, here, SEEK_SET), 0);
            break;
        }
    }
    for (int k = 0; k < n + raw.contacts; k++) {
        assert_int_equal(fscanf(file, "%lf", &value), 1);
        if (k < n) {
            raw.u[k] += value;
        } else {
            raw.mu[k - n] = value;
        }
    }
    fclose(file);
    return raw;
}

/// Every law by itself: none approaches, pulls or leaves its cone, what slips is opposed.
static void check_raw(const Raw *raw, const double *p)
{
    long double speed = 0, impulse = 0;
    for (int i = 0; i < raw->contacts; i++) {
        speed = fmaxl(speed, fmaxl(fabsl(raw->u[2 * i]), fabsl(raw->u[2 * i + 1])));
        impulse = fmaxl(impulse, p[3 * i]);
    }
    for (int i = 0; i < raw->contacts; i++) {
        long double n = raw->u[2 * i] / speed, t = raw->u[2 * i + 1] / speed;
        long double load = p[3 * i] / impulse, pull = p[3 * i + 1] / impulse;
        assert_true(n >= -1e-8 && load >= 0 && p[3 * i + 2] == 0);
        assert_true(fminl(fabsl(n), load) <= 1e-8);
        assert_true(fabsl(pull) <= raw->mu[i] * load + 1e-12);
        assert_true(fabsl(pull * fabsl(t) + raw->mu[i] * load * t) <= 1e-9);
    }
}

static void seven_thousand_contacts_of_a_file_obey_its_text(void **state)
{
    (void)state;
    const char *shared = tact_scratch_shared();
    if (!shared) {
        skip();
    }
    char path[1024];
    snprintf(path, sizeof path, "%s/large/fc2d_granularflowonwall_07002_00801.dat", shared);
    TactContactFile *file;
    if (tact_contact_read(path, &file) != TACT_OK) {
        skip();
    }
    assert_int_equal(file->problem.contact_count, 7002);
    assert_null(file->problem.W);
    assert_non_null(file->problem.blocks);
    TactContactReport report;
    double           *p = solve(&file->problem, TACT_METHOD_NSGS, &report);
    assert_int_equal(report.outcome, TACT_OUTCOME_SOLVED);
    Raw raw = read_raw(path, p);
    assert_int_equal(raw.contacts, 7002);
    check_raw(&raw, p);
    free(raw.u);
    free(raw.mu);
    free(p);
    tact_contact_file_destroy(file);
}

/// GB and contacts that a solver has said it takes.
typedef struct Told {
    double GB;
    int    contacts;
} Told;

static void listen(void *context, TactLogLevel level, const char *message)
{
    Told *told = context;
    (void)level;
    sscanf(message, "%*s takes %lf GB for %d contacts", &told->GB, &told->contacts);
}

/// Creates a solver for a grid of masses and returns what it said; nothing is solved.
static Told ask_memory(TactContactMethod method, int side)
{
    Told               told = {0};
    Heap               heap;
    TactContactConfig  config = tact_contact_config_default(method);
    TactContactSolver *solver;
    make_heap(&heap, 9, side, side);
    TactContactCapacity capacity = tact_contact_get_capacity(&heap.problem);
    config.cone = TACT_CONE_CIRCLE;
    tact_log_set(listen, &told, TACT_LOG_LEVEL_INFO);
    assert_int_equal(tact_contact_solver_create(&capacity, &config, &solver), TACT_OK);
    tact_log_set(NULL, NULL, TACT_LOG_LEVEL_INFO);
    assert_int_equal(told.contacts, heap.problem.contact_count);
    tact_contact_solver_destroy(solver);
    destroy_heap(&heap);
    return told;
}

static void memory_is_told_before_and_grows_with_the_contacts(void **state)
{
    (void)state;
    const TactContactMethod methods[] = {TACT_METHOD_NSGS, TACT_METHOD_LADDER};
    for (int k = 0; k < 2; k++) {
        Told   some = ask_memory(methods[k], 26), many = ask_memory(methods[k], 32);
        double ratio = many.GB / many.contacts / (some.GB / some.contacts);
        print_message("%d contacts %.2f GB, %d contacts %.2f GB\n", some.contacts, some.GB,
                      many.contacts, many.GB);
        assert_true(ratio > 0.9 && ratio < 1.1); // GB are rounded
    }
}

static void a_hundred_thousand_contacts_fit(void **state)
{
    (void)state;
    const char   *wish = getenv("TACT_LONG");
    int           side = wish && *wish == '1' ? 32 : 10;
    struct rusage before, after;
    Heap          heap;
    make_heap(&heap, 9, side, side);
    getrusage(RUSAGE_SELF, &before);
    double            start = tact_time_now();
    TactContactReport report;
    double           *p = solve(&heap.problem, TACT_METHOD_NSGS, &report);
    getrusage(RUSAGE_SELF, &after);
    double processor = (double)(after.ru_utime.tv_sec - before.ru_utime.tv_sec);
    print_message("%d contacts, %zu blocks: outcome %d, error %.1e, law %.1e, %d iterations, %d "
                  "Newton steps, %.1f s (processor %.0f), %.0f kB a contact\n",
                  heap.problem.contact_count, heap.start[heap.problem.contact_count],
                  (int)report.outcome, report.certificate.error, law_of_blocks(&heap.problem, p),
                  report.iterations, report.turns, tact_time_now() - start, processor,
                  (double)(after.ru_maxrss - before.ru_maxrss) / heap.problem.contact_count);
    assert_int_equal(report.outcome, TACT_OUTCOME_SOLVED);
    assert_true(law_of_blocks(&heap.problem, p) <= 1e-8);
    free(p);
    destroy_heap(&heap);
}

/// Blocks written and read again are the same to the last bit, in every format that has them.
static void blocks_survive_their_files(void **state)
{
    (void)state;
    const char *const names[] = {"heap.json", "heap.dat", "heap.hdf5"};
    Heap              heap;
    make_heap(&heap, 4, 4, 3);
    size_t count = heap.start[heap.problem.contact_count];
    for (size_t f = 0; f < sizeof names / sizeof *names; f++) {
        TactContactFile *file = NULL;
        const char      *path = tact_scratch_path(names[f]);
        TactStatus       written = tact_contact_write(&heap.problem, path);
        if (written == TACT_UNSUPPORTED) { // built without what the format needs
            print_message("skipped: %s\n", tact_status_message());
            continue;
        }
        assert_int_equal(written, TACT_OK);
        assert_int_equal(tact_contact_read(path, &file), TACT_OK);
        const TactContactProblem *read = &file->problem;
        assert_int_equal(read->contact_count, heap.problem.contact_count);
        assert_non_null(read->blocks);
        assert_int_equal(read->blocks->start[read->contact_count], count);
        assert_memory_equal(read->blocks->column, heap.column, count * sizeof *heap.column);
        assert_memory_equal(read->blocks->value, heap.value, 9 * count * sizeof *heap.value);
        for (int i = 0; i < read->contact_count; i++) {
            assert_true(read->contacts[i].mu == heap.contacts[i].mu);
            assert_memory_equal(read->u_free + 3 * i, heap.u_free + 3 * i, 3 * sizeof(double));
        }
        tact_contact_file_destroy(file);
    }
    destroy_heap(&heap);
}

/// What is wrong with blocks of a file is said with its place.
static void bad_blocks_are_refused(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"[[0, 1, 1,0,0, 0,1,0, 0,0,1]]", "W_blocks[0][1]"},
        {"[[0, 0.5, 1,0,0, 0,1,0, 0,0,1]]", "W_blocks[0][1]"},
        {"[[0, 0, 1,0,0, 0,1,0, 0,0]]", "W_blocks[0]"},
        {"7", "W_blocks"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        char             text[400];
        TactContactFile *file = NULL;
        snprintf(text, sizeof text,
                 "{\"format\": \"tact-contact/1\", \"step\": 0.1, \"W_blocks\": %s, "
                 "\"u_free\": [0, 0, 0], \"contacts\": [{\"mu\": 0.5}]}",
                 bad[k][0]);
        TactStatus status = tact_contact_read(tact_scratch_write("bad.json", text), &file);
        if (status == TACT_UNSUPPORTED) {
            skip(); // built without jansson
        }
        assert_int_equal(status, TACT_BAD_INPUT);
        assert_non_null(strstr(tact_status_message(), bad[k][1]));
    }
}

/// A solve that is interrupted ends, with the best answer it has; the next one is solved.
static void an_interrupted_solve_keeps_its_best(void **state)
{
    (void)state;
    Heap              heap;
    TactContactReport report;
    make_heap(&heap, 3, 6, 6);
    tact_interrupt_raise();
    assert_true(tact_interrupt_is_raised());
    double *p = solve(&heap.problem, TACT_METHOD_NSGS, &report);
    assert_int_equal(report.outcome, TACT_OUTCOME_LIMIT);
    assert_true(report.out_of_budget);
    assert_false(report.reproducible);
    assert_true(isfinite(report.certificate.error));
    free(p);
    tact_interrupt_clear();
    p = solve(&heap.problem, TACT_METHOD_NSGS, &report);
    assert_int_equal(report.outcome, TACT_OUTCOME_SOLVED);
    TactWork work = tact_work_get();
    assert_true(work.operations > 0 && work.error <= 1e-8);
    free(p);
    destroy_heap(&heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_survive_their_files),
        cmocka_unit_test(bad_blocks_are_refused),
        cmocka_unit_test(an_interrupted_solve_keeps_its_best),
        cmocka_unit_test(heaps_given_by_blocks_obey_the_law),
        cmocka_unit_test(blocks_are_certified_as_the_dense_matrix_is),
        cmocka_unit_test(a_matrix_that_is_none_is_refused),
        cmocka_unit_test(what_needs_a_dense_matrix_says_so),
        cmocka_unit_test(seven_thousand_contacts_of_a_file_obey_its_text),
        cmocka_unit_test(memory_is_told_before_and_grows_with_the_contacts),
        cmocka_unit_test(a_hundred_thousand_contacts_fit),
    };
    return cmocka_run_group_tests(tests, tact_scratch_setup, tact_scratch_teardown);
}
