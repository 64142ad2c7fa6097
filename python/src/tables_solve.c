// Tables of the structs of simulations, solvers and their reports.
#include <string.h>

#include "common.h"

#define I(type, member)                                                   \
    {                                                                     \
#member, TACT_PY_INT, offsetof(type, member), 1, NULL, NULL, NULL \
    }
#define B(type, member)                                                    \
    {                                                                      \
#member, TACT_PY_BOOL, offsetof(type, member), 1, NULL, NULL, NULL \
    }
#define D(type, member)                                                      \
    {                                                                        \
#member, TACT_PY_DOUBLE, offsetof(type, member), 1, NULL, NULL, NULL \
    }
#define U(type, member)                                                   \
    {                                                                     \
#member, TACT_PY_U64, offsetof(type, member), 1, NULL, NULL, NULL \
    }
#define N(type, member, count)                                                   \
    {                                                                            \
#member, TACT_PY_DOUBLE, offsetof(type, member), count, NULL, NULL, NULL \
    }
#define K(type, member, count)                                                \
    {                                                                         \
#member, TACT_PY_INT, offsetof(type, member), count, NULL, NULL, NULL \
    }
#define E(type, member, word, find)                                        \
    {                                                                      \
#member, TACT_PY_ENUM, offsetof(type, member), 1, word, find, NULL \
    }

// ---------------------------------------------------------------------------------------------
// Words: names of enum values, and back

#define WORDS(of, type, name_call, find_call)                 \
    static const char *of##_word(int value)                   \
    {                                                         \
        return name_call((type)value);                        \
    }                                                         \
    static TactStatus of##_find(const char *word, int *value) \
    {                                                         \
        type       found = (type)0;                           \
        TactStatus status = find_call(word, &found);          \
        *value = (int)found;                                  \
        return status;                                        \
    }

WORDS(cone, TactContactCone, tact_contact_cone_name, tact_contact_cone_find)
WORDS(integrator, TactIntegrator, tact_integrator_name, tact_integrator_find)
WORDS(law, TactRestitutionLaw, tact_restitution_law_name, tact_restitution_law_find)
WORDS(method, TactContactMethod, tact_contact_method_name, tact_contact_method_find)
WORDS(lcp_method, TactLcpMethod, tact_lcp_method_name, tact_lcp_method_find)
WORDS(share, TactContactShare, tact_contact_share_name, tact_contact_share_find)
WORDS(row_kind, TactContactRowKind, tact_contact_row_kind_name, tact_contact_row_kind_find)
WORDS(start, TactContactStart, tact_contact_start_name, tact_contact_start_find)
WORDS(friction_law, TactFrictionLaw, tact_friction_law_name, tact_friction_law_find)
WORDS(fallback, TactContactFallback, tact_contact_fallback_name, tact_contact_fallback_find)

static const char *contact_outcome(int value)
{
    return tact_contact_outcome_name((TactContactOutcome)value);
}

static const char *lcp_outcome(int value)
{
    return tact_lcp_outcome_name((TactLcpOutcome)value);
}

static const char *state_word(int value)
{
    return tact_contact_state_name((TactContactState)value);
}

static const char *proof_kind(int value)
{
    return tact_proof_kind_name((TactProofKind)value);
}

static const char *contact_law(int value)
{
    return tact_contact_law_name((TactContactLaw)value);
}

// ---------------------------------------------------------------------------------------------
// Simulation

static const TactPyField sim_config[] = {
    D(TactSimConfig, timestep),
    E(TactSimConfig, integrator, integrator_word, integrator_find),
    E(TactSimConfig, method, method_word, method_find),
    E(TactSimConfig, cone, cone_word, cone_find),
    E(TactSimConfig, lcp_method, lcp_method_word, lcp_method_find),
    D(TactSimConfig, lex_tol),
    E(TactSimConfig, start, start_word, start_find),
    E(TactSimConfig, fallback, fallback_word, fallback_find),
    D(TactSimConfig, cfm),
    D(TactSimConfig, tol),
    I(TactSimConfig, directions),
    D(TactSimConfig, slop),
    D(TactSimConfig, correction),
    D(TactSimConfig, loop_tol),
    D(TactSimConfig, zeta),
    D(TactSimConfig, friction_scale),
    D(TactSimConfig, restitution),
    E(TactSimConfig, restitution_law, law_word, law_find),
    D(TactSimConfig, stiffness),
    D(TactSimConfig, damping),
    E(TactSimConfig, share, share_word, share_find),
    I(TactSimConfig, threads),
    D(TactSimConfig, sleep_time),
    D(TactSimConfig, sleep_speed),
    B(TactSimConfig, compute_still),
    D(TactSimConfig, max_work),
    D(TactSimConfig, max_time),
    I(TactSimConfig, max_contacts),
};
const TactPyTable tact_py_sim_config_table = {"simulation", sim_config, TACT_PY_TABLE(sim_config)};

static const TactPyField sim_report[] = {
    I(TactSimReport, contacts),       I(TactSimReport, rows),
    I(TactSimReport, asleep),         I(TactSimReport, islands),
    I(TactSimReport, certified),      D(TactSimReport, error),
    D(TactSimReport, penetration),    D(TactSimReport, loop_error),
    I(TactSimReport, redundant_rows), I(TactSimReport, parts),
    I(TactSimReport, unresolved),     D(TactSimReport, correction),
    D(TactSimReport, damping),        I(TactSimReport, pivots),
    I(TactSimReport, solves),         I(TactSimReport, out_of_budget),
    I(TactSimReport, out_of_time),    D(TactSimReport, solve_time),
    D(TactSimReport, correct_time),   D(TactSimReport, collide_time),
    D(TactSimReport, step_time),      U(TactSimReport, hash),
    B(TactSimReport, repeated),
};
const TactPyTable tact_py_sim_report_table = {"report", sim_report, TACT_PY_TABLE(sim_report)};

static const TactPyField patch[] = {
    K(TactSimPatch, geom, 2),
    K(TactSimPatch, body, 2),
    I(TactSimPatch, contact_count),
    N(TactSimPatch, normal, 3),
    D(TactSimPatch, mu),
    E(TactSimPatch, state, state_word, NULL),
    D(TactSimPatch, slip),
    D(TactSimPatch, worst),
    B(TactSimPatch, unique),
    B(TactSimPatch, normal_unique),
    B(TactSimPatch, net_unique),
    B(TactSimPatch, explained),
    D(TactSimPatch, normal_force),
    N(TactSimPatch, friction, 3),
    D(TactSimPatch, friction_used),
    D(TactSimPatch, needed),
    N(TactSimPatch, needed_shares, TACT_SIM_LOAD_COUNT),
    N(TactSimPatch, normal_shares, TACT_SIM_LOAD_COUNT),
};
const TactPyTable tact_py_patch_table = {"patch", patch, TACT_PY_TABLE(patch)};

static const TactPyField energy[] = {D(TactSimEnergy, kinetic), D(TactSimEnergy, potential)};
const TactPyTable        tact_py_energy_table = {"energy", energy, TACT_PY_TABLE(energy)};

static const TactPyField sharing[] = {I(TactSimSharing, unique), I(TactSimSharing, shared),
                                      I(TactSimSharing, kept), D(TactSimSharing, error)};
const TactPyTable        tact_py_sharing_table = {"sharing", sharing, TACT_PY_TABLE(sharing)};

static const TactPyField world[] = {
    I(TactRolloutWorld, solves), I(TactRolloutWorld, certified),   I(TactRolloutWorld, contacts),
    D(TactRolloutWorld, error),  D(TactRolloutWorld, penetration), U(TactRolloutWorld, hash),
};
const TactPyTable tact_py_rollout_world_table = {"world", world, TACT_PY_TABLE(world)};

// ---------------------------------------------------------------------------------------------
// LCPs

static const TactPyField lcp_config[] = {
    E(TactLcpConfig, method, lcp_method_word, lcp_method_find),
    D(TactLcpConfig, residual_tol),
    I(TactLcpConfig, max_pivots),
    D(TactLcpConfig, pivot_tol),
    D(TactLcpConfig, lex_tol),
    D(TactLcpConfig, search_eps),
    D(TactLcpConfig, search_error),
    I(TactLcpConfig, search_nodes),
    I(TactLcpConfig, friction_passes),
    I(TactLcpConfig, max_iterations),
    I(TactLcpConfig, pgs_sweeps),
    I(TactLcpConfig, sm_steps),
    D(TactLcpConfig, max_work),
    D(TactLcpConfig, max_time),
};
const TactPyTable tact_py_lcp_config_table = {"lcp", lcp_config, TACT_PY_TABLE(lcp_config)};

static const TactPyField lcp_certificate[] = {
    D(TactLcpCertificate, residual), D(TactLcpCertificate, error),
    D(TactLcpCertificate, scale),    I(TactLcpCertificate, worst),
    D(TactLcpCertificate, relative), I(TactLcpCertificate, worst_relative),
};
const TactPyTable tact_py_lcp_certificate_table = {"certificate", lcp_certificate,
                                                   TACT_PY_TABLE(lcp_certificate)};

static const TactPyField lcp_report[] = {
    E(TactLcpReport, outcome, lcp_outcome, NULL),
    E(TactLcpReport, ended, lcp_outcome, NULL),
    I(TactLcpReport, pivots),
    I(TactLcpReport, iterations),
    I(TactLcpReport, refactors),
    I(TactLcpReport, index),
    D(TactLcpReport, work),
    B(TactLcpReport, reproducible),
    {"certificate", TACT_PY_STRUCT, offsetof(TactLcpReport, certificate), 1, NULL, NULL,
     &tact_py_lcp_certificate_table},
};
const TactPyTable tact_py_lcp_report_table = {"report", lcp_report, TACT_PY_TABLE(lcp_report)};

// ---------------------------------------------------------------------------------------------
// Contact problems

static const TactPyField body[] = {
    D(TactContactBody, mass),        N(TactContactBody, inertia, 6),
    N(TactContactBody, position, 3), N(TactContactBody, velocity, 3),
    N(TactContactBody, omega, 3),    N(TactContactBody, force, 3),
    N(TactContactBody, torque, 3),
};
const TactPyTable tact_py_contact_body_table = {"body", body, TACT_PY_TABLE(body)};

static const TactPyField contact[] = {
    I(TactContact, a),
    I(TactContact, b),
    N(TactContact, point, 3),
    N(TactContact, normal, 3),
    N(TactContact, tangent, 3),
    D(TactContact, mu),
    I(TactContact, directions),
    D(TactContact, turn),
    D(TactContact, restitution),
    D(TactContact, bias),
    N(TactContact, surface, 2),
    D(TactContact, compliance),
    U(TactContact, id),
    D(TactContact, mu_spin),
    D(TactContact, mu_roll),
    D(TactContact, mu2),
    E(TactContact, friction_law, friction_law_word, friction_law_find),
};
const TactPyTable tact_py_contact_table = {"contact", contact, TACT_PY_TABLE(contact)};

static const TactPyField row[] = {
    E(TactContactRow, kind, row_kind_word, row_kind_find),
    I(TactContactRow, a),
    I(TactContactRow, b),
    N(TactContactRow, J_a, 6),
    N(TactContactRow, J_b, 6),
    D(TactContactRow, target),
    D(TactContactRow, error),
    D(TactContactRow, zeta),
    D(TactContactRow, force_max),
    U(TactContactRow, id),
};
const TactPyTable tact_py_row_table = {"row", row, TACT_PY_TABLE(row)};

static const TactPyField contact_config[] = {
    E(TactContactConfig, method, method_word, method_find),
    E(TactContactConfig, cone, cone_word, cone_find),
    D(TactContactConfig, tol),
    E(TactContactConfig, lcp_method, lcp_method_word, lcp_method_find),
    D(TactContactConfig, lex_tol),
    E(TactContactConfig, start, start_word, start_find),
    E(TactContactConfig, fallback, fallback_word, fallback_find),
    D(TactContactConfig, cfm),
    I(TactContactConfig, max_pivots),
    I(TactContactConfig, max_turns),
    I(TactContactConfig, max_sweeps),
    D(TactContactConfig, max_work),
    D(TactContactConfig, max_time),
};
const TactPyTable tact_py_contact_config_table = {"solver", contact_config,
                                                  TACT_PY_TABLE(contact_config)};

static const TactPyField certificate[] = {
    D(TactContactCertificate, approach),
    D(TactContactCertificate, pull),
    D(TactContactCertificate, complementarity),
    D(TactContactCertificate, cone_excess),
    D(TactContactCertificate, slip_angle),
    D(TactContactCertificate, row_error),
    D(TactContactCertificate, dynamics),
    D(TactContactCertificate, energy_created),
    D(TactContactCertificate, error),
    I(TactContactCertificate, worst),
    E(TactContactCertificate, law, contact_law, NULL),
    D(TactContactCertificate, spin_excess),
    D(TactContactCertificate, spin_error),
    D(TactContactCertificate, roll_excess),
    D(TactContactCertificate, roll_error),
};
const TactPyTable tact_py_certificate_table = {"certificate", certificate,
                                               TACT_PY_TABLE(certificate)};

static const TactPyField rung[] = {
    {"name", TACT_PY_TEXT, offsetof(TactContactRung, name), 1, NULL, NULL, NULL},
    E(TactContactRung, outcome, contact_outcome, NULL),
    I(TactContactRung, pivots),
    D(TactContactRung, error),
};
const TactPyTable tact_py_rung_table = {"rung", rung, TACT_PY_TABLE(rung)};

static const TactPyField contact_report[] = {
    E(TactContactReport, outcome, contact_outcome, NULL),
    E(TactContactReport, ended, contact_outcome, NULL),
    I(TactContactReport, pivots),
    I(TactContactReport, iterations),
    I(TactContactReport, turns),
    I(TactContactReport, drives),
    I(TactContactReport, refactors),
    I(TactContactReport, dof),
    I(TactContactReport, redundant_rows),
    D(TactContactReport, work),
    B(TactContactReport, out_of_budget),
    B(TactContactReport, reproducible),
    {"certificate", TACT_PY_STRUCT, offsetof(TactContactReport, certificate), 1, NULL, NULL,
     &tact_py_certificate_table},
};
const TactPyTable tact_py_contact_report_table = {"report", contact_report,
                                                  TACT_PY_TABLE(contact_report)};

static const TactPyField diagnosis[] = {
    E(TactContactDiagnosis, state, state_word, NULL),
    D(TactContactDiagnosis, friction_used),
    D(TactContactDiagnosis, slip),
    B(TactContactDiagnosis, unique),
    I(TactContactDiagnosis, group),
    D(TactContactDiagnosis, spin_used),
    D(TactContactDiagnosis, roll_used),
    D(TactContactDiagnosis, spin),
    D(TactContactDiagnosis, roll),
};
const TactPyTable tact_py_diagnosis_table = {"diagnosis", diagnosis, TACT_PY_TABLE(diagnosis)};

static const TactPyField range[] = {D(TactContactRange, least), D(TactContactRange, most),
                                    B(TactContactRange, exact)};
const TactPyTable        tact_py_range_table = {"range", range, TACT_PY_TABLE(range)};

static const TactPyField proof[] = {
    B(TactProofReport, proved), E(TactProofReport, kind, proof_kind, NULL),
    D(TactProofReport, radius), D(TactProofReport, redundant),
    B(TactProofReport, unique), I(TactProofReport, changed),
    I(TactProofReport, weak),   I(TactProofReport, equations),
    I(TactProofReport, rank),   I(TactProofReport, rounds),
    D(TactProofReport, time),
};
const TactPyTable tact_py_proof_table = {"proof", proof, TACT_PY_TABLE(proof)};
