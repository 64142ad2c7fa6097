// Siconos: fc3d_driver() on the circular cone, by ADMM and by NSGS; fc2d_driver() in the plane;
// rolling_fc3d_driver() with rolling friction, by the same two.
#ifdef TACT_HAVE_SICONOS
#include "bench/peers/peer.hpp"

#include <cstdlib>

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <RollingFrictionContactProblem.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>

namespace
{

/// A problem in the layout of Siconos, whose memory is ours.
class Contacts
{
  public:
    explicit Contacts(const TactFrictionProblem *problem)
        : d(static_cast<std::size_t>(problem->mu_roll ? 5 : problem->dimension)),
          size(problem->mu_roll ? 5 : 3), count(static_cast<std::size_t>(problem->contacts)),
          q(d * count), mu(problem->mu, problem->mu + problem->contacts),
          mu_roll(problem->mu_roll, problem->mu_roll + (problem->mu_roll ? problem->contacts : 0))
    {
        for (std::size_t i = 0; i < d * count; i++) {
            q[i] = problem->b[row(i)];
        }
        int n = static_cast<int>(d * count);
        if (problem->storage == TACT_FRICTION_BLOCKS) {
            fill_blocks(problem);
            form.M = NM_create(NM_SPARSE_BLOCK, n, n);
            std::free(form.M->matrix1);
            form.M->matrix1 = &blocks;
        } else {
            for (std::size_t i = 0; i < d * count; i++) {
                for (std::size_t j = 0; j < d * count; j++) {
                    values.push_back(problem->W[row(j) * size * count + row(i)]);
                }
            }
            form.M = NM_create_from_data(NM_DENSE, n, n, values.data());
        }
        form.dimension = problem->dimension;
        form.numberOfContacts = problem->contacts;
        form.q = q.data();
        form.mu = mu.data();
        rolling.dimension = 5;
        rolling.numberOfContacts = problem->contacts;
        rolling.M = form.M;
        rolling.q = q.data();
        rolling.mu = mu.data();
        rolling.mu_r = mu_roll.data();
    }

    Contacts(const Contacts &) = delete;
    Contacts &operator=(const Contacts &) = delete;

    ~Contacts()
    {
        form.M->matrix0 = nullptr;
        form.M->matrix1 = nullptr;
        NM_clear(form.M);
        std::free(form.M);
        std::free(blocks.diagonal_blocks);
    }

    /// Row i of Siconos among rows n 1 2 of all contacts.
    std::size_t row(std::size_t i) const
    {
        return size * (i / d) + i % d;
    }

    FrictionContactProblem        form = {};
    RollingFrictionContactProblem rolling = {};

  private:
    /// A row of blocks of a problem that has them.
    void add_row(const TactFrictionProblem *problem, std::size_t i)
    {
        for (std::size_t b = problem->start[i]; b < problem->start[i + 1]; b++) {
            columns.push_back(static_cast<std::size_t>(problem->column[b]));
            for (std::size_t k = 0; k < d * d; k++) {
                values.push_back(problem->value[9 * b + 3 * (k % d) + k / d]);
            }
        }
    }

    /// Blocks by rows, each by columns.
    void fill_blocks(const TactFrictionProblem *problem)
    {
        const double *W = problem->W;
        for (std::size_t i = 0; i < count; i++) {
            starts.push_back(columns.size());
            if (!W) {
                add_row(problem, i);
            }
            for (std::size_t j = 0; W && j < count; j++) {
                std::vector<double> block;
                bool                is_zero = i != j;
                for (std::size_t k = 0; k < d * d; k++) {
                    block.push_back(W[(size * i + k % d) * size * count + size * j + k / d]);
                    is_zero = is_zero && block[k] == 0;
                }
                if (!is_zero) {
                    columns.push_back(j);
                    values.insert(values.end(), block.begin(), block.end());
                }
            }
            sizes.push_back(static_cast<unsigned>(d * (i + 1)));
        }
        starts.push_back(columns.size());
        for (std::size_t k = 0; k < columns.size(); k++) {
            places.push_back(values.data() + d * d * k);
        }
        blocks.nbblocks = static_cast<unsigned>(columns.size());
        blocks.block = places.data();
        blocks.blocknumber0 = blocks.blocknumber1 = static_cast<unsigned>(count);
        blocks.blocksize0 = blocks.blocksize1 = sizes.data();
        blocks.filled1 = count + 1;
        blocks.filled2 = columns.size();
        blocks.index1_data = starts.data();
        blocks.index2_data = columns.data();
    }

    std::size_t                 d, size, count;
    std::vector<double>         q, mu, mu_roll, values;
    std::vector<double *>       places;
    std::vector<unsigned>       sizes;
    std::vector<std::size_t>    starts, columns;
    SparseBlockStructuredMatrix blocks = {};
};

TactPeerClaim solve(int method, const TactFrictionProblem *problem, double tolerance, double *p,
                    TactFrictionRun *run)
{
    Contacts    contacts(problem);
    bool        rolls = problem->mu_roll != nullptr;
    std::size_t n = static_cast<std::size_t>((rolls ? 5 : problem->dimension) * problem->contacts);
    std::vector<double> r(n), u(n);
    bool                is_plane = problem->dimension == 2;
    SolverOptions      *options = solver_options_create(method);
    options->dparam[SICONOS_DPARAM_TOL] = tolerance;
    options->iparam[SICONOS_IPARAM_MAX_ITER] = 1000000;

    TactWatch watch = tact_watch_start();
    int       info = rolls ? rolling_fc3d_driver(&contacts.rolling, r.data(), u.data(), options)
                     : is_plane ? fc2d_driver(&contacts.form, r.data(), u.data(), options)
                                : fc3d_driver(&contacts.form, r.data(), u.data(), options);
    run->seconds = tact_watch_stop(&watch);

    run->iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
    solver_options_delete(options);
    for (std::size_t i = 0; i < n; i++) {
        p[contacts.row(i)] = r[i];
    }
    return info == 0 ? TACT_PEER_SOLVED : TACT_PEER_FAILED;
}

TactPeerClaim solve_admm(const TactFrictionProblem *problem, double tolerance, double *p,
                         TactFrictionRun *run)
{
    if (problem->mu_roll) {
        return solve(SICONOS_ROLLING_FRICTION_3D_ADMM, problem, tolerance, p, run);
    }
    return problem->dimension == 3 ? solve(SICONOS_FRICTION_3D_ADMM, problem, tolerance, p, run)
                                   : TACT_PEER_FAILED; // there is none in the plane
}

TactPeerClaim solve_nsgs(const TactFrictionProblem *problem, double tolerance, double *p,
                         TactFrictionRun *run)
{
    int method = problem->mu_roll          ? SICONOS_ROLLING_FRICTION_3D_NSGS
                 : problem->dimension == 3 ? SICONOS_FRICTION_3D_NSGS
                                           : SICONOS_FRICTION_2D_NSGS;
    return solve(method, problem, tolerance, p, run);
}

/// Newton's method of Alart and Curnier; in the plane conjugate projected gradients.
TactPeerClaim solve_newton(const TactFrictionProblem *problem, double tolerance, double *p,
                           TactFrictionRun *run)
{
    return problem->mu_roll          ? TACT_PEER_FAILED
           : problem->dimension == 3 ? solve(SICONOS_FRICTION_3D_NSN_AC, problem, tolerance, p, run)
                                     : solve(SICONOS_FRICTION_2D_CPG, problem, tolerance, p, run);
}

} // namespace

const TactFrictionPeer tact_peer_siconos_newton = {"siconos-nsn", TACT_SICONOS_FILE,
                                                   "its allocations", solve_newton};

const TactFrictionPeer tact_peer_siconos_admm = {"siconos-admm", TACT_SICONOS_FILE,
                                                 "its allocations", solve_admm};

const TactFrictionPeer tact_peer_siconos_nsgs = {"siconos-nsgs", TACT_SICONOS_FILE,
                                                 "its allocations", solve_nsgs};
#endif
