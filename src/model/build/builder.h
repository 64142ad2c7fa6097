// The builder's tables: everything that was added, in the order of adding.
#ifndef TACT_MODEL_BUILD_BUILDER_H
#define TACT_MODEL_BUILD_BUILDER_H

#include <tact/model.h>

#include "model/build/check.h"
#include "model/build/names.h"
#include "model/build/pool.h"

/// What every item begins with. The name within the thing itself is not kept but in joints and
/// tendons, which a reader may look at.
typedef struct TactItem {
    const char *name; // "" if it has none
    TactSource  source;
} TactItem;

typedef struct TactBodyItem {
    TactItem     head;
    TactBodyDesc desc;
} TactBodyItem;

typedef struct TactJointItem {
    TactItem  head;
    TactJoint joint;
} TactJointItem;

typedef struct TactGeomItem {
    TactItem     head;
    TactGeomDesc desc;
} TactGeomItem;

typedef struct TactSiteItem {
    TactItem head;
    TactSite site;
} TactSiteItem;

typedef struct TactMeshItem {
    TactItem  head;
    TactMesh *mesh; // owned until the model takes it, and then NULL
    TactHull *hull; // as the mesh; NULL until a convex geom needs it
} TactMeshItem;

typedef struct TactHeightFieldItem {
    TactItem        head;
    TactHeightField field;
} TactHeightFieldItem;

typedef struct TactTendonItem {
    TactItem   head;
    TactTendon tendon;
} TactTendonItem;

typedef struct TactActuatorItem {
    TactItem         head;
    TactActuatorDesc desc;
} TactActuatorItem;

typedef struct TactEqualityItem {
    TactItem     head;
    TactEquality equality;
} TactEqualityItem;

typedef struct TactExcludeItem {
    TactItem    head;
    TactExclude exclude;
} TactExcludeItem;

typedef struct TactPairItem {
    TactItem head;
    TactPair pair;
} TactPairItem;

typedef struct TactSensorItem {
    TactItem   head;
    TactSensor sensor;
} TactSensorItem;

typedef struct TactKeyframeItem {
    TactItem             head;
    TactKeyframe         key;
    int                  lengths[3]; // of q, v and ctrl
    int                  act_count;
    const double        *act; //                                                  (act_count)
    int                  mocap_count;
    const TactTransform *mocap; //                                             (mocap_count)
} TactKeyframeItem;

typedef struct TactCustomItem {
    TactItem   head;
    TactCustom custom;
} TactCustomItem;

typedef struct TactTable {
    void  *items;
    size_t size; // bytes of an item
    int    count;
    int    capacity;
} TactTable;

/// Tables by kind; texts and numerics both stand in that of texts, bodies in that of bodies.
struct TactModelBuilder {
    TactModelConfig config;
    TactTable       tables[TACT_ITEM_COUNT];
    TactNames       names;
    TactPool        pool;
    const char     *last_file; // of the pool: most sources name the same file
    bool            used;      // compiled
};

/// TACT_BAD_ARGUMENT if it is NULL or used up, or if what is to be added is NULL.
TactStatus tact_builder_check(const TactModelBuilder *builder, const void *thing);

/// The place of an item that is about to be added.
TactPlace tact_builder_place(const TactModelBuilder *builder, int kind, const char *name,
                             TactSource source);

/// Adds an item whose head is not filled yet: place says name and source. TACT_BAD_INPUT if a
/// thing of this kind has the name already.
TactStatus tact_builder_push(TactModelBuilder *builder, const TactPlace *place, void *item,
                             int *index);

int tact_builder_count(const TactModelBuilder *builder, int kind);

/// The item of a kind by its index, which must be in range.
void *tact_builder_at(const TactModelBuilder *builder, int kind, int index);

/// The place of an item that was added.
TactPlace tact_builder_place_of(const TactModelBuilder *builder, int kind, int index);

#endif
