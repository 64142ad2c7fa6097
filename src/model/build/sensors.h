// What each type of sensor measures.
#ifndef TACT_MODEL_BUILD_SENSORS_H
#define TACT_MODEL_BUILD_SENSORS_H

#include <tact/model.h>

/// What a sensor may be attached to.
typedef enum TactSensorTarget {
    TACT_SENSES_NOTHING, // the model as a whole
    TACT_SENSES_SCALAR,  // a hinge or a slide
    TACT_SENSES_BALL,    // a ball joint
    TACT_SENSES_TENDON,
    TACT_SENSES_ACTUATOR,
    TACT_SENSES_FRAME,   // a body, its centre of mass, a geom or a site
    TACT_SENSES_SUBTREE, // a body
    TACT_SENSES_SITE,
    TACT_SENSES_CONTACT, // a body, a geom, a site or nothing
    TACT_SENSES_PAIR,    // two geoms or bodies
    TACT_SENSES_LIMIT,   // a joint that may have a limit
    TACT_SENSES_ANYTHING,
} TactSensorTarget;

typedef struct TactSensorInfo {
    const char      *name;
    TactSensorTarget target;
    int              size;      // numbers; 0: as the sensor says
    bool             reference; // may be measured in another frame
} TactSensorInfo;

/// NULL for a type that does not exist.
const TactSensorInfo *tact_sensor_info(TactSensorType type);

#endif
