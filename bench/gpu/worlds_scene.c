// A world without a file, for machines that read no XML: two boxes and a capsule that fall on a
// plane and on each other.
#include <tact/model.h>

#include "bench/gpu/worlds.h"

static const TactSource source = {"bench/gpu/worlds_scene.c", 0};

static TactStatus add_geom(TactModelBuilder *builder, int body, TactGeomType type,
                           const double size[3])
{
    TactGeomDesc desc = tact_geom_default(type);
    desc.geom.body = body;
    for (int k = 0; k < 3; k++) {
        desc.geom.size[k] = size[k];
    }
    return tact_model_builder_add_geom(builder, &desc, source, NULL);
}

static TactStatus add_free(TactModelBuilder *builder, TactVec3 at, TactGeomType type,
                           const double size[3])
{
    TactBodyDesc body = tact_body_default();
    TactJoint    joint = tact_joint_default(TACT_JOINT_FREE);
    int          index = 0;
    body.pose.position = at;
    TactStatus status = tact_model_builder_add_body(builder, &body, source, &index);
    joint.body = index;
    status =
        status == TACT_OK ? tact_model_builder_add_joint(builder, &joint, source, NULL) : status;
    return status == TACT_OK ? add_geom(builder, index, type, size) : status;
}

TactStatus tact_bench_worlds_scene(TactModel **model)
{
    TactModelBuilder *builder = NULL;
    TactStatus        status = tact_model_builder_create(&builder);
    static const struct {
        TactVec3     at;
        TactGeomType type;
        double       size[3];
    } parts[] = {
        {{0, 0, 0.15}, TACT_GEOM_BOX, {0.1, 0.1, 0.06}},
        {{0.03, 0.01, 0.45}, TACT_GEOM_BOX, {0.06, 0.08, 0.05}},
        {{-0.02, 0.02, 0.75}, TACT_GEOM_CAPSULE, {0.03, 0.08, 0}},
    };
    if (status == TACT_OK) {
        status = add_geom(builder, 0, TACT_GEOM_PLANE, (double[]){5, 5, 0.1});
    }
    for (size_t k = 0; k < sizeof parts / sizeof *parts && status == TACT_OK; k++) {
        status = add_free(builder, parts[k].at, parts[k].type, parts[k].size);
    }
    if (status == TACT_OK) {
        status = tact_model_builder_compile(builder, model);
    }
    tact_model_builder_destroy(builder);
    return status;
}
