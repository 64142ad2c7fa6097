// Siconos: fc3d_driver() on the circular cone, by ADMM and by NSGS.
#ifdef TACT_HAVE_SICONOS
#include "peer.hpp"

#include <cstdlib>

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>

static TactPeerClaim solve(int method, const TactFrictionProblem *problem, double tolerance,
                           double *p, double *seconds)
{
    int                 n = 3 * problem->contacts;
    std::size_t         size = static_cast<std::size_t>(n);
    std::vector<double> W(problem->W, problem->W + size * size); // symmetric: rows are columns
    std::vector<double> b(problem->b, problem->b + size);
    std::vector<double> mu(problem->mu, problem->mu + problem->contacts);
    std::vector<double> u(size);

    FrictionContactProblem contacts = {};
    contacts.dimension = 3;
    contacts.numberOfContacts = problem->contacts;
    contacts.M = NM_create_from_data(NM_DENSE, n, n, W.data());
    contacts.q = b.data();
    contacts.mu = mu.data();
    SolverOptions *options = solver_options_create(method);
    options->dparam[SICONOS_DPARAM_TOL] = tolerance;
    options->iparam[SICONOS_IPARAM_MAX_ITER] = 100000;
    for (std::size_t i = 0; i < size; i++) {
        p[i] = 0;
    }

    double start = tact::now();
    int    info = fc3d_driver(&contacts, p, u.data(), options);
    *seconds = tact::now() - start;

    solver_options_delete(options);
    contacts.M->matrix0 = nullptr; // W belongs to us
    NM_clear(contacts.M);
    std::free(contacts.M);
    return info == 0 ? TACT_PEER_SOLVED : TACT_PEER_FAILED;
}

static TactPeerClaim solve_admm(const TactFrictionProblem *problem, double tolerance, double *p,
                                double *seconds)
{
    return solve(SICONOS_FRICTION_3D_ADMM, problem, tolerance, p, seconds);
}

static TactPeerClaim solve_nsgs(const TactFrictionProblem *problem, double tolerance, double *p,
                                double *seconds)
{
    return solve(SICONOS_FRICTION_3D_NSGS, problem, tolerance, p, seconds);
}

const TactFrictionPeer tact_peer_siconos_admm = {"siconos-admm", TACT_SICONOS_FILE,
                                                 "its allocations", solve_admm};

const TactFrictionPeer tact_peer_siconos_nsgs = {"siconos-nsgs", TACT_SICONOS_FILE,
                                                 "its allocations", solve_nsgs};
#endif
