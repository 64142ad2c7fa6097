#include "trees.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void fail_model(void)
{
    fprintf(stderr, "%s\n", tact_status_message());
    abort();
}

static TactVec3 random_vec3(TactRandom *random, double size)
{
    TactVec3 v = {size * tact_random_normal(random), size * tact_random_normal(random),
                  size * tact_random_normal(random)};
    return v;
}

static TactQuat random_quat(TactRandom *random)
{
    TactQuat q = {tact_random_normal(random), tact_random_normal(random),
                  tact_random_normal(random), tact_random_normal(random)};
    return tact_quat_normalise(q);
}

/// Off-centre, positive definite, in no particular axes.
static TactInertia random_inertia(TactRandom *random)
{
    TactInertia inertia = {.mass = tact_random_uniform(random, 0.1, 3)};
    double      size = tact_random_uniform(random, 0.05, 0.4);
    double      m = inertia.mass * size * size;
    TactVec3    moments = {m * tact_random_uniform(random, 0.3, 0.5),
                           m * tact_random_uniform(random, 0.3, 0.5),
                           m * tact_random_uniform(random, 0.3, 0.5)};
    TactMat3    R = tact_quat_to_mat3(random_quat(random));
    inertia.com = random_vec3(random, 0.1);
    inertia.rotary = tact_mat3_multiply(tact_mat3_multiply(R, tact_mat3_diagonal(moments)),
                                        tact_mat3_transpose(R));
    for (int i = 0; i < 3; i++) { // symmetric to the last bit
        for (int j = 0; j < i; j++) {
            inertia.rotary.m[i][j] = inertia.rotary.m[j][i];
        }
    }
    return inertia;
}

static void add_joint(TactModelBuilder *builder, int body, TactJointType type, TactRandom *random)
{
    TactJoint joint = tact_joint_default(type);
    joint.body = body;
    if (type != TACT_JOINT_FREE) {
        joint.position = random_vec3(random, 0.1);
        joint.armature = tact_random_uniform(random, 0, 0.1);
        joint.stiffness = tact_random_uniform(random, 0, 5);
    }
    joint.axis = tact_vec3_normalise(random_vec3(random, 1));
    joint.damping = tact_random_uniform(random, 0, 1);
    if (type == TACT_JOINT_HINGE || type == TACT_JOINT_SLIDE) {
        joint.reference = tact_random_uniform(random, -1, 1);
        joint.spring_reference = tact_random_uniform(random, -1, 1);
    }
    if (tact_model_builder_add_joint(builder, &joint, (TactSource){0}, NULL) != TACT_OK) {
        fail_model();
    }
}

static void add_joints(TactModelBuilder *builder, int body, int parent, TactRandom *random)
{
    uint64_t kind = tact_random_next(random) % 10;
    if (parent == 0 && kind < 4) {
        add_joint(builder, body, TACT_JOINT_FREE, random);
    } else if (kind < 2) {
        add_joint(builder, body, TACT_JOINT_BALL, random);
    } else if (kind < 4) {
        add_joint(builder, body, TACT_JOINT_SLIDE, random);
    } else if (kind < 7) {
        add_joint(builder, body, TACT_JOINT_HINGE, random);
    } else if (kind == 7) {
        add_joint(builder, body, TACT_JOINT_HINGE, random);
        add_joint(builder, body, TACT_JOINT_SLIDE, random);
        add_joint(builder, body, TACT_JOINT_HINGE, random);
    } else if (kind == 8) {
        add_joint(builder, body, TACT_JOINT_SLIDE, random);
        add_joint(builder, body, TACT_JOINT_HINGE, random);
        add_joint(builder, body, TACT_JOINT_BALL, random);
    } // 9: fixed
}

static TactModel *compile(TactModelBuilder *builder)
{
    TactModel *model = NULL;
    TactStatus status = tact_model_builder_compile(builder, &model);
    tact_model_builder_destroy(builder);
    if (status != TACT_OK) {
        fail_model();
    }
    return model;
}

TactModel *random_tree(uint64_t seed, int bodies)
{
    TactRandom        random = tact_random_seed(seed);
    TactModelBuilder *builder = NULL;
    if (tact_model_builder_create(&builder) != TACT_OK) {
        fail_model();
    }
    for (int i = 1; i <= bodies; i++) {
        TactBodyDesc body = tact_body_default();
        // near the end of what there is: deep trees, with a new one now and then
        int back = 1 + (int)(tact_random_next(&random) % 4);
        body.parent = i > back && tact_random_next(&random) % 20 ? i - back : 0;
        body.pose.position = random_vec3(&random, 0.3);
        body.pose.rotation = random_quat(&random);
        body.has_inertia = true;
        body.inertia = random_inertia(&random);
        body.gravity_compensation = tact_random_next(&random) % 5 ? 0 : 0.5;
        if (tact_model_builder_add_body(builder, &body, (TactSource){0}, NULL) != TACT_OK) {
            fail_model();
        }
        add_joints(builder, i, body.parent, &random);
    }
    return compile(builder);
}

TactModel *chain_model(int links, TactJointType type, double length, double mass)
{
    TactModelBuilder *builder = NULL;
    if (tact_model_builder_create(&builder) != TACT_OK) {
        fail_model();
    }
    for (int i = 1; i <= links; i++) {
        TactBodyDesc body = tact_body_default();
        double       transverse = mass * length * length / 12;
        body.parent = i - 1;
        body.pose.position = (TactVec3){0, 0, i > 1 ? -length : 0};
        body.has_inertia = true;
        body.inertia = (TactInertia){
            .mass = mass,
            .com = {0, 0, -0.5 * length},
            .rotary = tact_mat3_diagonal((TactVec3){transverse, transverse, transverse / 30}),
        };
        TactJoint joint = tact_joint_default(type);
        joint.body = i;
        joint.axis = (TactVec3){i % 2, 1 - i % 2, 0};
        if (tact_model_builder_add_body(builder, &body, (TactSource){0}, NULL) != TACT_OK ||
            tact_model_builder_add_joint(builder, &joint, (TactSource){0}, NULL) != TACT_OK) {
            fail_model();
        }
    }
    return compile(builder);
}

void random_state(const TactModel *model, TactRandom *random, double *q, double *v)
{
    for (int i = 0; i < model->nv; i++) {
        v[i] = tact_random_normal(random);
    }
    tact_dynamics_integrate(model, model->q_reference, v, 1, q);
    for (int i = 0; i < model->nv; i++) {
        v[i] = tact_random_normal(random);
    }
}

double relative_distance(const double *a, const double *b, int n)
{
    double distance = 0, scale = 1;
    for (int i = 0; i < n; i++) {
        distance = fmax(distance, fabs(a[i] - b[i]));
        scale = fmax(scale, fabs(b[i]));
    }
    return distance / scale;
}
