// What is asked of the last step: arrays, and the workspace taken back to its beginning.
#ifndef TACT_SIM_READOUT_READOUT_H
#define TACT_SIM_READOUT_READOUT_H

#include "contact/share/share.h"
#include "sim/readout/share_loops.h"
#include "sim/readout/share_memory.h"
#include "sim/sim.h"

/// Made by the first question, kept until the simulation goes.
struct TactSimReadout {
    TactArena     arena;
    double       *acceleration, *inertia, *bias, *actuators, *passive, *applied; //            (nv)
    double       *contacts, *loops, *limits, *friction;                          //            (nv)
    double       *actuator_force;                                                //      (actuators)
    double       *work;                                                          //            (nv)
    TactWrench   *net;     // of contacts, about the centres of mass                        (bodies)
    TactWrench   *other;   // of external forces, loops, actuators on sites, the same       (bodies)
    TactWrench   *joint;   // about the origins                                             (bodies)
    TactTwist    *felt;    // acceleration of the origins, gravity as if upwards            (bodies)
    double       *sensors; //                                                          (sensor_size)
    TactSimRow   *rows;    //                                                               (rows)
    TactSimPair  *pairs;   // grows                                                 (pair_capacity)
    int           pair_capacity;
    TactSimPatch *patches;       // grow together                               (contact_capacity)
    int          *of_contact;    // its patch                                   (contact_capacity)
    int          *first_contact; // of a patch                               (contact_capacity)
    int           contact_capacity;
    TactArena     share_arena; // of the next two; grows
    TactShare    *share;       // NULL: nothing was shared yet
    TactContactCapacity share_room;
    TactShareMemory     share_memory;
    TactLoopShare       loop_share; // grows
};

/// Makes the arrays, if there are none yet.
TactStatus tact_sim_readout_create(TactSim *sim);

/// Makes the arrays, and sets the workspace of dynamics to the beginning of the last step, with
/// mass, rows and islands.
TactStatus tact_sim_open_last(TactSim *sim);

/// Forces of least norm for contacts and rows of the last part, if the config asks for them and
/// they are not there yet (share.c). The workspace may be anywhere afterwards.
TactStatus tact_sim_share(TactSim *sim);
/// The same, and opens it: for all that tells forces.
TactStatus tact_sim_open_shared(TactSim *sim);

/// Velocities of an island's dofs after the step, as its problem counts them, to the arrays.
void tact_sim_recall_velocity(TactSim *sim, const TactSimIsland *island, bool free);

/// Contacts of the parts before the last one: they come first in what is lent (step.c).
static inline int tact_sim_earlier_contacts(const TactSim *sim)
{
    return sim->parts.count > 1 ? sim->parts.contact_count - sim->contact_count : 0;
}

/// What each contact of the part that is open does (wrenches.c).             (contact_count)
TactStatus tact_sim_diagnose_part(TactSim *sim, TactContactDiagnosis *diagnosis);

/// Where the centre of mass of a body is at the pose that is set.
TactVec3 tact_sim_body_com(const TactSim *sim, int body);

/// Forces of the last step to the arrays of the read-out; the workspace must be open.
void tact_sim_collect_forces(TactSim *sim);

/// Forces between bodies through their joints, and what the bodies feel (joint_forces.c); after
/// the forces are collected.
void tact_sim_collect_joint_forces(TactSim *sim);

/// All forces of the last step, those through joints too, and what bodies feel; opens it.
TactStatus tact_sim_collect_all(TactSim *sim);

/// A frame that a sensor names, at the pose that is set in the workspace (sensors.c).
typedef struct TactSensorFrame {
    int           body;
    TactTransform pose; // world
} TactSensorFrame;

TactSensorFrame tact_sim_sensor_frame(const TactSim *sim, TactObject type, int index);

/// Sensors of forces and accelerations, of the step that is open (sensors_force.c).
void tact_sim_sense_forces(TactSim *sim, const TactSensor *sensor, double *values);
/// Is it one of them?
bool tact_sim_senses_forces(TactSensorType type);

/// Impulses of an island's contacts and rows as the step found them, to its arrays.
void tact_sim_recall_answer(TactSim *sim, const TactSimIsland *island);

/// Distance, normal or nearest points of two geoms or bodies (sensors_distance.c).
void tact_sim_sense_distance(const TactSim *sim, const TactSensor *sensor, double *x);

/// What a sensor asks of contacts (sensors_contact.c), and of a limit (sensors_limit.c), of the
/// step that is open.
void tact_sim_sense_points(const TactSim *sim, const TactSensor *sensor, double *x);
void tact_sim_sense_limit(const TactSim *sim, const TactSensor *sensor, double *x);
/// Is a point inside of the volume of a site?
bool tact_sim_is_in_site(const TactSim *sim, int site, TactVec3 point);

#endif
