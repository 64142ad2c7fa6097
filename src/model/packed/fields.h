// Every field of the things of a model, in the order in which they are written.
#ifndef TACT_MODEL_PACKED_FIELDS_H
#define TACT_MODEL_PACKED_FIELDS_H

#include "model/packed/stream.h"

void tact_pack_options(TactPack *pack, TactModelOptions *options);
void tact_pack_body(TactPack *pack, TactBody *body);
void tact_pack_joint(TactPack *pack, TactJoint *joint);
void tact_pack_dof(TactPack *pack, TactDof *dof);
void tact_pack_geom(TactPack *pack, TactGeom *geom);
void tact_pack_site(TactPack *pack, TactSite *site);
void tact_pack_heightfield(TactPack *pack, TactHeightField *field);
void tact_pack_tendon(TactPack *pack, TactTendon *tendon);
void tact_pack_actuator(TactPack *pack, TactActuator *actuator);
void tact_pack_equality(TactPack *pack, TactEquality *equality);
void tact_pack_exclude(TactPack *pack, TactExclude *exclude);
void tact_pack_pair(TactPack *pack, TactPair *pair);
void tact_pack_sensor(TactPack *pack, TactSensor *sensor);
void tact_pack_custom(TactPack *pack, TactCustom *custom);

#endif
