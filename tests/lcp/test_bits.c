// The same bits from every build: one golden hash of all answers, for gcc and clang, at -O0 and
// -O3, with sanitizers and without.
//
// The problems are made by additions and multiplications alone: sine, cosine and logarithm of the C
// library are not the same on every processor.
#include <inttypes.h>

#include "lcp/problems.h"

enum { DIRECTIONS = 8, MAX_CONTACTS = 12, PROBLEMS = 300, MAX_N = MAX_CONTACTS * (DIRECTIONS + 2) };

static double uniform(TactRandom *random)
{
    return tact_random_uniform(random, -1, 1);
}

// ---------------------------------------------------------------------------------------------
// A box on the ground, pushed by a random wrench [Lloyd04, eq. 8]: in blocks,
//
//     M = [ N'N   N'D   0 ]    N' (contacts x 6), D' (8 contacts x 6): rows of unit directions and
//         [ D'N   D'D   E ]    their moments
//         [  mu   -E'   0 ]

/// Row of a direction at a point: (direction, point x direction).                        (6)
static void fill_row(const double *point, const double *direction, double *row)
{
    for (int k = 0; k < 3; k++) {
        int a = (k + 1) % 3, b = (k + 2) % 3;
        row[k] = direction[k];
        row[3 + k] = point[a] * direction[b] - point[b] * direction[a];
    }
}

static void fill_box(TactRandom *random, int contacts, bool exact, Owned *owned)
{
    const double half = 0.7071067811865476;
    const double cosine[DIRECTIONS] = {1, half, 0, -half, -1, -half, 0, half};
    double       J[MAX_CONTACTS * (DIRECTIONS + 1)][6];
    double       wrench[6];
    int          n = owned->problem.n, rows = contacts * (DIRECTIONS + 1);
    for (int c = 0; c < contacts; c++) {
        double point[3] = {c % 4 - 1.5, c / 4 - 1.0, -0.5}; // a grid: redundant, and full of ties
        for (int k = 0; k < 3 && !exact; k++) {
            point[k] += 1e-3 * uniform(random);
        }
        fill_row(point, (double[]){0, 0, 1}, J[c]);
        for (int d = 0; d < DIRECTIONS; d++) {
            double direction[3] = {cosine[d], cosine[(d + 6) % DIRECTIONS], 0};
            fill_row(point, direction, J[contacts + c * DIRECTIONS + d]);
        }
    }
    for (int k = 0; k < 6; k++) {
        wrench[k] = uniform(random) - (k == 2);
    }
    for (int i = 0; i < rows; i++) {
        for (int k = 0; k < 6; k++) {
            owned->q[i] += J[i][k] * wrench[k];
            for (int j = 0; j < rows; j++) {
                owned->M[i * n + j] += J[i][k] * J[j][k];
            }
        }
    }
    for (int c = 0; c < contacts; c++) {
        owned->M[(rows + c) * n + c] = 0.3;
        for (int d = 0; d < DIRECTIONS; d++) {
            int row = contacts + c * DIRECTIONS + d;
            owned->M[row * n + rows + c] = 1;
            owned->M[(rows + c) * n + row] = -1;
        }
    }
}

/// G G' + skew part, some variables free.
static void fill_monotone(TactRandom *random, Owned *owned)
{
    int    n = owned->problem.n;
    double G[MAX_N * MAX_N];
    for (int i = 0; i < n * n; i++) {
        G[i] = uniform(random);
    }
    for (int i = 0; i < n; i++) {
        owned->q[i] = uniform(random);
        owned->lo[i] = i % 7 == 3 ? -INF : 0;
        for (int j = 0; j < n; j++) {
            owned->M[i * n + j] = i < j ? G[i * n + j] : i > j ? -G[j * n + i] : 0.01;
            for (int k = 0; k < n / 2; k++) {
                owned->M[i * n + j] += G[i * n + k] * G[j * n + k];
            }
        }
    }
    owned->problem.lo = owned->lo;
}

// ---------------------------------------------------------------------------------------------

typedef struct Digest {
    uint64_t hash;
    int      solved;
    int      pivots;
} Digest;

/// FNV-1a over the bytes of z.
static void add_bits(Digest *digest, int n, const double *z)
{
    for (int i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, &z[i], sizeof bits);
        for (int byte = 0; byte < 8; byte++) {
            digest->hash = (digest->hash ^ (bits >> 8 * byte & 255)) * 0x100000001b3u;
        }
    }
}

static Digest digest_of(TactLcpMethod method)
{
    Digest     digest = {.hash = 0xcbf29ce484222325u};
    TactRandom random = tact_random_seed(70);
    for (int trial = 0; trial < PROBLEMS; trial++) {
        int   contacts = 3 + trial / 3 % (MAX_CONTACTS - 2);
        int   n = trial % 3 == 2 ? 5 + trial % 50 : contacts * (DIRECTIONS + 2);
        Owned owned = new_problem(n);
        if (trial % 3 == 2) {
            fill_monotone(&random, &owned);
        } else {
            fill_box(&random, contacts, trial % 3 == 0, &owned);
        }
        double        z[MAX_N];
        TactLcpReport report;
        assert_int_equal(solve(method, &owned.problem, z, &report), TACT_OK);
        add_bits(&digest, n, z);
        digest.solved += report.outcome == TACT_LCP_OUTCOME_SOLVED;
        digest.pivots += report.pivots;
        free_problem(&owned);
    }
    print_message("%s: %d of %d solved, %d pivots, hash %016" PRIx64 "\n",
                  tact_lcp_method_info(method)->name, digest.solved, PROBLEMS, digest.pivots,
                  digest.hash);
    return digest;
}

// A change of a method changes its hash: then put the new one here, from any build.

static void lemke_gives_the_same_bits_in_every_build(void **state)
{
    (void)state;
    assert_true(digest_of(TACT_LCP_METHOD_LEMKE).hash == 0x00fb8e3058fc92bau);
}

static void lemke_lex_gives_the_same_bits_in_every_build(void **state)
{
    (void)state;
    assert_true(digest_of(TACT_LCP_METHOD_LEMKE_LEX).hash == 0x9f7befa8a26b8ff0u);
}

static void search_gives_the_same_bits_in_every_build(void **state)
{
    (void)state;
    assert_true(digest_of(TACT_LCP_METHOD_SEARCH).hash == 0x33219fded8c089c9u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lemke_gives_the_same_bits_in_every_build),
        cmocka_unit_test(lemke_lex_gives_the_same_bits_in_every_build),
        cmocka_unit_test(search_gives_the_same_bits_in_every_build),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
