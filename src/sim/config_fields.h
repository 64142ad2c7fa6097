// The fields of TactSimConfig, once: whatever goes through all of them goes through this list.
//
//     NUMBER(field)     a double          WORD(field)     an int, an enum or a bool
//
// Those of the first list may be changed while a simulation runs.
#ifndef TACT_SIM_CONFIG_FIELDS_H
#define TACT_SIM_CONFIG_FIELDS_H

#define TACT_SIM_CONFIG_LIVE(NUMBER, WORD) \
    NUMBER(timestep)                       \
    WORD(method)                           \
    WORD(cone)                             \
    WORD(lcp_method)                       \
    NUMBER(lex_tol)                        \
    WORD(start)                            \
    WORD(fallback)                         \
    NUMBER(cfm)                            \
    NUMBER(tol)                            \
    WORD(directions)                       \
    NUMBER(slop)                           \
    NUMBER(correction)                     \
    NUMBER(loop_tol)                       \
    NUMBER(friction_scale)                 \
    NUMBER(max_work)                       \
    NUMBER(max_time)                       \
    WORD(max_contacts)

/// May be changed as well, and do not change the motion: snapshots do not have them.
#define TACT_SIM_CONFIG_TOLD(NUMBER, WORD) WORD(share) WORD(compute_still)

/// Cannot be changed. The number of threads does not change the motion.
#define TACT_SIM_CONFIG_FIXED(NUMBER, WORD) \
    WORD(integrator)                        \
    NUMBER(restitution)                     \
    WORD(restitution_law)                   \
    NUMBER(stiffness)                       \
    NUMBER(damping)                         \
    NUMBER(sleep_time)                      \
    NUMBER(sleep_speed)                     \
    NUMBER(zeta)

#endif
