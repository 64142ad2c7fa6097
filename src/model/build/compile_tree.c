// Bodies depth first, and everything that stands in them by bodies.
#include "base/status.h"
#include "model/bend.h"
#include "model/build/compile.h"

// ---------------------------------------------------------------------------------------------
// Order

/// A parent is always added before its children. So subtree sizes come from one pass backwards,
/// and each body's place from one pass forwards: the next free place of its parent's subtree.
static void order_bodies(TactCompile *compile)
{
    const TactModelBuilder *builder = compile->builder;
    int                     count = (int)compile->sizes.bodies;
    int                    *size = compile->body_item; // until it gets its own meaning
    for (int i = 0; i < count; i++) {
        size[i] = 1;
    }
    for (int i = count - 1; i > 0; i--) {
        const TactBodyItem *item = tact_builder_at(builder, TACT_OBJECT_BODY, i);
        size[item->desc.parent] += size[i];
    }
    compile->body_index[0] = 0;
    compile->fill[0] = 1; // next free place within a body's subtree
    for (int i = 1; i < count; i++) {
        const TactBodyItem *item = tact_builder_at(builder, TACT_OBJECT_BODY, i);
        compile->body_index[i] = compile->fill[item->desc.parent];
        compile->fill[item->desc.parent] += size[i];
        compile->fill[i] = compile->body_index[i] + 1;
    }
    for (int i = 0; i < count; i++) {
        compile->body_item[compile->body_index[i]] = i;
    }
}

/// The body, in the builder's order, that a thing stands in.
static int body_of(const TactModelBuilder *builder, int kind, int i)
{
    const void *item = tact_builder_at(builder, kind, i);
    switch (kind) {
    case TACT_OBJECT_JOINT: return ((const TactJointItem *)item)->joint.body;
    case TACT_OBJECT_GEOM: return ((const TactGeomItem *)item)->desc.geom.body;
    default: return ((const TactSiteItem *)item)->site.body;
    }
}

/// Counting sort by the model's bodies; things of one body keep their order.
static void order_things(TactCompile *compile, int kind, int *index, int *item)
{
    int *fill = compile->fill;
    int  bodies = (int)compile->sizes.bodies;
    int  count = tact_builder_count(compile->builder, kind);
    for (int i = 0; i <= bodies; i++) {
        fill[i] = 0;
    }
    for (int i = 0; i < count; i++) {
        fill[compile->body_index[body_of(compile->builder, kind, i)] + 1]++;
    }
    for (int i = 0; i < bodies; i++) {
        fill[i + 1] += fill[i];
    }
    for (int i = 0; i < count; i++) {
        index[i] = fill[compile->body_index[body_of(compile->builder, kind, i)]]++;
        item[index[i]] = i;
    }
}

void tact_compile_order(TactCompile *compile)
{
    order_bodies(compile);
    order_things(compile, TACT_OBJECT_JOINT, compile->joint_index, compile->joint_item);
    order_things(compile, TACT_OBJECT_GEOM, compile->geom_index, compile->geom_item);
    order_things(compile, TACT_OBJECT_SITE, compile->site_index, compile->site_item);
}

// ---------------------------------------------------------------------------------------------
// Bodies

static void fill_bodies(TactCompile *compile)
{
    for (int i = 0; i < (int)compile->sizes.bodies; i++) {
        const TactBodyItem *item =
            tact_builder_at(compile->builder, TACT_OBJECT_BODY, compile->body_item[i]);
        compile->arrays.bodies[i] = (TactBody){
            .name = tact_compile_text(compile, item->head.name),
            .parent = i > 0 ? compile->body_index[item->desc.parent] : -1,
            .pose = item->desc.pose,
            .gravity_compensation = item->desc.gravity_compensation,
        };
    }
}

// ---------------------------------------------------------------------------------------------
// Joints and dofs

/// What a body's joints may be together: at most six dofs, a free joint alone, no rotation that a
/// ball joint before it has already.
static TactStatus check_joints(const TactCompile *compile, const TactBody *body)
{
    bool has_ball = false;
    for (int k = 0; k < body->joint_count; k++) {
        int              i = body->first_joint + k;
        const TactJoint *joint = &compile->arrays.joints[i];
        TactPlace        place =
            tact_builder_place_of(compile->builder, TACT_OBJECT_JOINT, compile->joint_item[i]);
        bool turns = joint->type == TACT_JOINT_BALL || joint->type == TACT_JOINT_HINGE;
        if (joint->type == TACT_JOINT_FREE && body->joint_count > 1) {
            return tact_place_fail(&place, TACT_BAD_INPUT,
                                   "a free joint must be the only joint of its body '%.80s'",
                                   body->name);
        }
        if (turns && has_ball) {
            return tact_place_fail(&place, TACT_BAD_INPUT,
                                   "a rotation after a ball joint on body '%.80s'", body->name);
        }
        has_ball = has_ball || joint->type == TACT_JOINT_BALL;
        if (tact_joint_bends(joint) && body->joint_count > 1) {
            return tact_place_fail(&place, TACT_BAD_INPUT,
                                   "a joint that bends must be the only joint of its body '%.80s'",
                                   body->name);
        }
        if (k == body->joint_count - 1 && body->dof_count > 6) {
            return tact_place_fail(&place, TACT_BAD_INPUT, "body '%.80s' has %d degrees of freedom",
                                   body->name, body->dof_count);
        }
    }
    return TACT_OK;
}

/// The numbers of q that a joint has at its reference, and with its spring at rest.
static int fill_q(TactCompile *compile, const TactJoint *joint)
{
    double *q = compile->arrays.q_reference + joint->q,
           *spring = compile->arrays.q_spring + joint->q;
    TactTransform pose = compile->arrays.bodies[joint->body].pose;
    double        one[7] = {pose.position.x, pose.position.y, pose.position.z, pose.rotation.w,
                            pose.rotation.x, pose.rotation.y, pose.rotation.z};
    switch (joint->type) {
    case TACT_JOINT_FREE:
        for (int i = 0; i < 7; i++) {
            q[i] = spring[i] = one[i];
        }
        return 7;
    case TACT_JOINT_BALL: q[0] = spring[0] = 1; return 4;
    default:
        q[0] = joint->reference;
        spring[0] = joint->spring_reference;
        return 1;
    }
}

/// How many numbers of v a type of joint has.
static int count_dofs(TactJointType type)
{
    return type == TACT_JOINT_FREE ? 6 : type == TACT_JOINT_BALL ? 3 : 1;
}

/// Where the next joint stands.
typedef struct Cursor {
    int joint, q, dof;
} Cursor;

static void fill_joint(TactCompile *compile, const TactJointItem *item, int body, int parent_dof,
                       Cursor *at)
{
    TactJoint *joint = &compile->arrays.joints[at->joint];
    *joint = item->joint;
    joint->name = tact_compile_text(compile, item->head.name);
    joint->body = body;
    joint->q = at->q;
    joint->dof = at->dof;
    at->q += fill_q(compile, joint);
    for (int k = 0; k < count_dofs(joint->type); k++) {
        compile->arrays.dofs[at->dof] = (TactDof){
            at->joint, body, parent_dof, joint->damping, joint->armature, joint->friction};
        parent_dof = at->dof++;
    }
    at->joint++;
}

/// The joints and dofs of a body, and what depends on whether it has any: its carrier.
static void fill_joints(TactCompile *compile, int b, Cursor *at)
{
    TactBody       *body = &compile->arrays.bodies[b];
    const TactBody *parent = b > 0 ? &compile->arrays.bodies[body->parent] : NULL;
    const TactBody *above = parent ? &compile->arrays.bodies[parent->carrier] : NULL;
    body->first_joint = at->joint;
    body->first_dof = at->dof;
    while (at->joint < (int)compile->sizes.joints) {
        const TactJointItem *item =
            tact_builder_at(compile->builder, TACT_OBJECT_JOINT, compile->joint_item[at->joint]);
        if (compile->body_index[item->joint.body] != b) {
            break;
        }
        int before = at->dof > body->first_dof ? at->dof - 1
                     : above->dof_count > 0    ? above->first_dof + above->dof_count - 1
                                               : -1;
        fill_joint(compile, item, b, before, at);
    }
    const TactBodyItem *own =
        tact_builder_at(compile->builder, TACT_OBJECT_BODY, compile->body_item[b]);
    body->mocap = b > 0 && own->desc.mocap ? compile->store->model.mocap_count++ : -1;
    body->joint_count = at->joint - body->first_joint;
    body->dof_count = at->dof - body->first_dof;
    body->carrier = body->joint_count > 0 ? b : parent ? parent->carrier : 0;
    body->root = body->parent > 0 ? parent->root : b;
    if (body->dof_count == 0) {
        body->first_dof = (int)compile->sizes.nv;
    }
}

// ---------------------------------------------------------------------------------------------
// Geoms and sites

static void fill_geoms(TactCompile *compile)
{
    for (int i = 0; i < (int)compile->sizes.geoms; i++) {
        const TactGeomItem *item =
            tact_builder_at(compile->builder, TACT_OBJECT_GEOM, compile->geom_item[i]);
        TactGeom *geom = &compile->arrays.geoms[i];
        *geom = item->desc.geom;
        geom->name = tact_compile_text(compile, item->head.name);
        geom->body = compile->body_index[item->desc.geom.body];
        geom->visual = geom->contact_type == 0 && geom->contact_affinity == 0;
        compile->arrays.bodies[geom->body].geom_count++;
    }
}

static void fill_sites(TactCompile *compile)
{
    for (int i = 0; i < (int)compile->sizes.sites; i++) {
        const TactSiteItem *item =
            tact_builder_at(compile->builder, TACT_OBJECT_SITE, compile->site_item[i]);
        TactSite *site = &compile->arrays.sites[i];
        *site = item->site;
        site->name = tact_compile_text(compile, item->head.name);
        site->body = compile->body_index[item->site.body];
        compile->arrays.bodies[site->body].site_count++;
    }
}

TactStatus tact_compile_tree(TactCompile *compile)
{
    int bodies = (int)compile->sizes.bodies;
    fill_bodies(compile);
    Cursor at = {0, 0, 0};
    for (int i = 0; i < bodies; i++) {
        fill_joints(compile, i, &at);
        TACT_TRY(check_joints(compile, &compile->arrays.bodies[i]));
    }
    fill_geoms(compile);
    fill_sites(compile);
    int geom = 0, site = 0;
    for (int i = 0; i < bodies; i++) {
        compile->arrays.bodies[i].first_geom = geom;
        compile->arrays.bodies[i].first_site = site;
        geom += compile->arrays.bodies[i].geom_count;
        site += compile->arrays.bodies[i].site_count;
    }
    return TACT_OK;
}
