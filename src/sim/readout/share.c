// Forces of least norm, for those who ask about a step: contacts and rows get others that give the
// same motion. Nothing that a step to come reads is changed: what solvers remember, states and
// velocities are those of the forces that the method found.
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "base/status.h"
#include "contact/share/share.h"
#include "contact/solver.h"
#include "dynamics/links.h"
#include "sim/readout/readout.h"

// Contacts of an island.
enum { MOST_SHARED = 4000, MOST_RANGED = 600 };

static bool fits(const TactContactCapacity *room, const TactContactCapacity *need)
{
    return need->contacts <= room->contacts && need->rows <= room->rows && need->dof <= room->dof &&
           need->support <= room->support && need->dense <= room->dense &&
           need->directions <= room->directions && need->patches <= room->patches;
}

static void layout_share(TactSimReadout *r, TactArena *arena)
{
    TactShare *share = tact_arena_take(arena, 1, sizeof *share);
    if (arena->block) {
        r->share = share;
    }
    tact_share_layout(share, &r->share_room, arena);
}

/// Memory for a problem.
static TactStatus reserve_share(TactSimReadout *r, const TactContactCapacity *need)
{
    TactContactCapacity *room = &r->share_room;
    if (r->share && fits(room, need)) {
        return TACT_OK;
    }
    tact_arena_destroy(&r->share_arena);
    r->share = NULL;
    r->share_arena = (TactArena){0};
    *room = (TactContactCapacity){
        .contacts = tact_larger_int(room->contacts, need->contacts + need->contacts / 2),
        .rows = tact_larger_int(room->rows, need->rows + need->rows / 2),
        .dof = tact_larger_int(room->dof, need->dof),
        .support = tact_larger_int(room->support, need->support),
        .dense = room->dense || need->dense,
        .directions = tact_larger_int(room->directions, need->directions),
        .patches = tact_larger_int(room->patches, need->patches + need->patches / 2),
    };
    layout_share(r, &r->share_arena);
    TACT_TRY(tact_arena_create(&r->share_arena));
    layout_share(r, &r->share_arena);
    return TACT_OK;
}

/// The impulses of the arrays to contacts and rows.
static void tell(TactSim *sim, const TactSimIsland *island)
{
    const TactProblemArrays *a = &sim->solve.arrays;
    double                   largest = 0;
    for (int k = 0; k < 3 * island->contact_count; k++) {
        largest = tact_larger(largest, fabs(a->impulse[k]));
    }
    for (int k = 0; k < island->contact_count; k++) {
        TactSimContact *c = &sim->contacts[sim->islands.contacts[island->first_contact + k]];
        double          u[3] = {c->velocity[0], c->velocity[1], c->velocity[2]};
        tact_sim_tell_contact(sim, a->impulse + 3 * (size_t)k, u, largest, c);
        if (tact_contact_has_moments(&a->contacts[k])) {
            double w[3] = {c->spin[0], c->spin[1], c->spin[2]};
            tact_sim_tell_turns(sim, a->moment + 3 * (size_t)k, w, a->impulse[3 * k], c);
        }
    }
    for (int k = 0; k < island->row_count; k++) {
        sim->last.row_impulse[sim->islands.rows[island->first_row + k]] = a->row_impulse[k];
    }
}

/// The contacts of a part of a divided step to those of the whole, where they were written already.
static void tell_parts(TactSim *sim)
{
    TactSimParts *parts = &sim->parts;
    int           first = parts->contact_count - sim->contact_count;
    double        share = sim->h / sim->config.timestep;
    for (int k = 0; k < sim->contact_count && share < 1 && first >= 0; k++) {
        TactSimContact *c = &parts->contacts[first + k];
        *c = sim->contacts[k];
        for (int r = 0; r < 3; r++) {
            c->force[r] *= share;
            c->moment[r] *= share;
        }
    }
}

/// The system of the island's last solve, if that was the problem; NULL: it was not, or the problem
/// has patches, for which it is another one.
static TactSystem *find_system(const TactSim *sim, const TactSimIsland *island,
                               const TactContactProblem *problem)
{
    TactContactSolver *solver = sim->solve.solvers[sim->islands.trees[island->first_tree]].solver;
    int                items = problem->contact_count;
    if (tact_patch_in(problem)) {
        return NULL;
    }
    for (int r = 0; r < problem->row_count; r++) {
        items += problem->rows[r].kind != TACT_ROW_BILATERAL;
    }
    bool fits = solver && solver->system.columns_built && solver->system.item_count == items &&
                solver->system.whitener.dof == tact_contact_get_dof(problem);
    return fits ? &solver->system : NULL;
}

/// On the system of the last solve, which spares building it; what that yields is certified for the
/// problem, and if it is not, the system is built.
static TactStatus share_on_system(TactSim *sim, const TactSimIsland *island,
                                  const TactContactProblem *problem,
                                  const TactContactAnswer *answer, TactContactSharing *sharing)
{
    TactShare  *share = sim->readout->share;
    TactSystem *system = find_system(sim, island, problem);
    if (system) {
        TACT_TRY(tact_share_run_on(share, system, problem, sim->config.cone, sim->config.tol,
                                   answer, sharing));
        if (sharing->outcome != TACT_SHARING_OUTCOME_KEPT) {
            return TACT_OK;
        }
    }
    return tact_share_run(share, problem, sim->config.cone, sim->config.tol, answer, sharing);
}

/// Can the three components of a contact's force be told apart by what they do? Always, where one
/// of its bodies belongs to a tree that nothing holds; few degrees of freedom may not tell them
/// apart.
static bool is_told_apart(const TactSim *sim, const TactSimContact *contact)
{
    const TactDynamics *d = sim->dynamics;
    for (int side = 0; side < 2; side++) {
        int link = d->link_of[contact->body[side]];
        while (link > 0 && d->links[link].parent > 0) {
            link = d->links[link].parent;
        }
        if (link > 0 && d->links[link].joint_count == 1 &&
            sim->model->joints[d->links[link].first_joint].type == TACT_JOINT_FREE) {
            return true;
        }
    }
    return false;
}

/// One contact, and nothing to share its force with.
static bool is_lone(const TactSim *sim, const TactSimIsland *island)
{
    int first = island->first_contact;
    return island->contact_count == 1 && island->row_count == 0 &&
           is_told_apart(sim, &sim->contacts[sim->islands.contacts[first]]);
}

static TactStatus share_contacts(TactSim *sim, int index)
{
    const TactSimIsland *island = &sim->islands.islands[index];
    TactProblemArrays   *a = &sim->solve.arrays;
    TactContactProblem   problem;
    TactContactSharing   sharing;
    if (island->contact_count == 0 || is_lone(sim, island)) {
        sim->share.found.unique += island->contact_count > 0;
        return TACT_OK;
    }
    if (island->contact_count > MOST_SHARED) {
        sim->share.found.kept++;
        return TACT_OK;
    }
    TACT_TRY(tact_sim_make_problem(sim, &sim->solve.arrays, index, TACT_SOLVE_MOTION, &problem));
    TactContactCapacity need = tact_contact_get_capacity(&problem);
    TACT_TRY(reserve_share(sim->readout, &need));
    tact_sim_recall_answer(sim, island);
    tact_sim_recall_velocity(sim, island, problem.bodies);
    TactContactAnswer answer = {.impulse = a->impulse,
                                .row_impulse = a->row_impulse,
                                .velocity = a->velocity,
                                .moment = a->moment};
    TACT_TRY(share_on_system(sim, island, &problem, &answer, &sharing));
    sim->share.found.unique += sharing.outcome == TACT_SHARING_OUTCOME_UNIQUE;
    sim->share.found.kept += sharing.outcome == TACT_SHARING_OUTCOME_KEPT;
    sim->share.found.steps += sharing.steps;
    if (sharing.outcome == TACT_SHARING_OUTCOME_FOUND) {
        sim->share.found.shared++;
        sim->share.found.error = tact_larger(sim->share.found.error, sharing.certificate.error);
        tell(sim, island);
    }
    return TACT_OK;
}

/// Contacts first, with what is joined as it is; then loops among themselves.
static TactStatus share_island(TactSim *sim, int index)
{
    TactLoopSharing loops;
    int             shared = sim->share.found.shared;
    TACT_TRY(share_contacts(sim, index));
    if (!tact_share_loops_has(sim)) {
        return TACT_OK;
    }
    TACT_TRY(tact_share_loops_run(&sim->readout->loop_share, sim, index, &loops));
    sim->share.found.shared += loops == TACT_LOOPS_SHARED && sim->share.found.shared == shared;
    sim->share.found.kept += loops == TACT_LOOPS_KEPT;
    return TACT_OK;
}

/// Is there something to share, and nobody has asked for it yet?
static bool is_due(const TactSim *sim)
{
    return sim->config.share == TACT_SHARE_LEAST && !sim->share.done && sim->last.stepped;
}

static TactStatus share_islands(TactSim *sim)
{
    bool known = false;
    TACT_TRY(tact_sim_readout_create(sim));
    TACT_TRY(tact_share_memory_recall(&sim->readout->share_memory, sim, &known));
    if (known) {
        return TACT_OK;
    }
    TACT_TRY(tact_sim_open_last(sim));
    for (int i = 0; i < sim->islands.count; i++) {
        TACT_TRY(share_island(sim, i));
    }
    return tact_share_memory_store(&sim->readout->share_memory, sim);
}

TactStatus tact_sim_share(TactSim *sim)
{
    if (!is_due(sim)) {
        return TACT_OK;
    }
    double start = tact_time_now();
    bool   alone = sim->contact_count == 1 && sim->last.row_count == 0 &&
                 is_told_apart(sim, &sim->contacts[0]); // nothing to share with
    sim->share.done = true;
    sim->share.found = (TactSimSharing){.unique = alone ? sim->contact_count : 0};
    if ((sim->contact_count > 0 && !alone) || tact_share_loops_has(sim)) {
        TACT_TRY(share_islands(sim));
        tell_parts(sim);
    }
    sim->share.found.time = tact_time_now() - start;
    return TACT_OK;
}

TactStatus tact_sim_open_shared(TactSim *sim)
{
    if (is_due(sim)) {
        TACT_TRY(tact_sim_share(sim));
    }
    return tact_sim_open_last(sim);
}

TactStatus tact_sim_compute_sharing(TactSim *sim, TactSimSharing *sharing)
{
    TACT_NEED(sim && sharing, "tact_sim_compute_sharing");
    TACT_TRY(is_due(sim) ? tact_sim_share(sim) : tact_sim_open_last(sim));
    *sharing = sim->share.found;
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Ranges

static TactStatus find_ranges(TactSim *sim, int index, TactContactRange *ranges)
{
    const TactSimIsland *island = &sim->islands.islands[index];
    TactProblemArrays   *a = &sim->solve.arrays;
    TactContactProblem   problem;
    TactContactRange    *found = NULL;
    double               forces = 1 / sim->config.timestep; // a part gives its share of the step
    TACT_TRY(tact_sim_make_problem(sim, &sim->solve.arrays, index, TACT_SOLVE_MOTION, &problem));
    tact_sim_recall_answer(sim, island);
    TACT_TRY(tact_allocate((size_t)island->contact_count, sizeof *found, (void **)&found));
    TactContactAnswer answer = {
        .impulse = a->impulse, .row_impulse = a->row_impulse, .moment = a->moment};
    TactStatus status = tact_contact_compute_ranges(&problem, sim->config.cone, &answer, found);
    for (int k = 0; k < island->contact_count && status == TACT_OK; k++) {
        ranges[sim->islands.contacts[island->first_contact + k]] = (TactContactRange){
            .least = found[k].least * forces,
            .most = found[k].most * forces,
            .exact = found[k].exact,
        };
    }
    tact_release(found);
    return status;
}

TactStatus tact_sim_compute_ranges(TactSim *sim, TactContactRange *ranges)
{
    TACT_NEED(sim && ranges, "tact_sim_compute_ranges");
    int                   earlier = tact_sim_earlier_contacts(sim), count;
    const TactSimContact *contacts = tact_sim_view_contacts(sim, &count);
    for (int k = 0; k < count; k++) {
        double force = contacts[k].force[0];
        ranges[k] = (TactContactRange){force, force, false};
    }
    TACT_TRY(tact_sim_open_shared(sim));
    for (int i = 0; i < sim->islands.count; i++) {
        int contacts_of = sim->islands.islands[i].contact_count;
        if (contacts_of > 0 && contacts_of <= MOST_RANGED) {
            TACT_TRY(find_ranges(sim, i, ranges + earlier));
        }
    }
    return TACT_OK;
}
