// Small models for tests: things with the default of everything but what is said.
#ifndef TESTS_MODEL_MADE_H
#define TESTS_MODEL_MADE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <tact/model.h>

static const TactSource nowhere = {0};

static inline TactModelBuilder *made_builder(void)
{
    TactModelBuilder *builder;
    assert_int_equal(tact_model_builder_create(&builder), TACT_OK);
    return builder;
}

/// A body of mass 1 and unit inertia about its origin.
static inline TactBodyDesc made_body(const char *name, int parent)
{
    TactBodyDesc body = tact_body_default();
    body.name = name;
    body.parent = parent;
    body.has_inertia = true;
    body.inertia.mass = 1;
    body.inertia.rotary = tact_mat3_identity();
    return body;
}

static inline int made_add_body(TactModelBuilder *builder, const char *name, int parent)
{
    TactBodyDesc body = made_body(name, parent);
    int          index = -1;
    assert_int_equal(tact_model_builder_add_body(builder, &body, nowhere, &index), TACT_OK);
    return index;
}

static inline int made_add_joint(TactModelBuilder *builder, const char *name, int body,
                                 TactJointType type)
{
    TactJoint joint = tact_joint_default(type);
    int       index = -1;
    joint.name = name;
    joint.body = body;
    assert_int_equal(tact_model_builder_add_joint(builder, &joint, nowhere, &index), TACT_OK);
    return index;
}

static inline int made_add_sphere(TactModelBuilder *builder, const char *name, int body)
{
    TactGeomDesc geom = tact_geom_default(TACT_GEOM_SPHERE);
    int          index = -1;
    geom.geom.name = name;
    geom.geom.body = body;
    geom.geom.size[0] = 1;
    assert_int_equal(tact_model_builder_add_geom(builder, &geom, nowhere, &index), TACT_OK);
    return index;
}

/// Compiles and destroys the builder.
static inline TactModel *made_compile(TactModelBuilder *builder)
{
    TactModel *model = NULL;
    if (tact_model_builder_compile(builder, &model) != TACT_OK) {
        fail_msg("%s", tact_status_message());
    }
    tact_model_builder_destroy(builder);
    return model;
}

#endif
