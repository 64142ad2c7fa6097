// Room "plugin": the plugins of MuJoCo that are known by name.
#ifndef TACT_IO_PLUGIN_PLUGIN_H
#define TACT_IO_PLUGIN_PLUGIN_H

#include "io/mjcf/mjcf.h"

#define TACT_MJCF_CABLE "mujoco.elasticity.cable"
#define TACT_MJCF_PID "mujoco.pid"

/// The name of a plugin, by itself or by its instance; "": none.
const char *tact_mjcf_plugin_name(const TactMjcf *mjcf, const TactXmlNode *node);
/// Is it one that means something where it stands?
bool tact_mjcf_is_known_plugin(const TactMjcf *mjcf, const TactXmlNode *node);
/// Does it name an instance that is not there, or have a setting that is not among the known ones?
TactStatus tact_mjcf_check_plugin(const TactMjcf *mjcf, const TactXmlNode *node, const char *known);
/// A number of its settings; value is left as it is where none is given.
TactStatus tact_mjcf_plugin_real(const TactMjcf *mjcf, const TactXmlNode *node, const char *key,
                                 double *value, bool *given);
/// Stiffness of a ball joint in a body that is a piece of a cable; pose: of the body in its parent.
TactStatus tact_mjcf_bend_joint(TactMjcf *mjcf, const TactXmlNode        *element,
                                const TactMjcfClass *class, TactTransform pose, TactJoint *joint);

#endif
