// The tree of bodies, with frames and replicates. Walked with a stack of its own: it may be deep.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "io/mjcf/mjcf.h"
#include "io/plugin/plugin.h"

/// The children of a body, frame or replicate on their way.
typedef struct Scope {
    const TactXmlNode *element;
    const TactXmlNode *next; // the child that comes next
    int                body;
    TactTransform      pose;  // of the body in its parent
    TactTransform      frame; // of the body: frames and replicates between it and here
    const TactMjcfClass *class;
    TactMjcfRound round_of; // of the replicates around
    // A replicate:
    int           count; // rounds; 0: it is none
    int           round;
    TactTransform outer;    // frame around it
    TactVec3      offset;   // step of each round, in the frame of the round before
    double        euler[3]; // rotation of each round against the one before
    TactVec3      position; // of this round
} Scope;

typedef struct Walk {
    TactMjcf *mjcf;
    Scope    *scopes;
    int       depth;
} Walk;

// ---------------------------------------------------------------------------------------------
// Inertia

/// R I R', symmetric to the bit.
static TactMat3 turn_tensor(TactQuat rotation, TactMat3 I)
{
    TactMat3 R = tact_quat_to_mat3(rotation);
    TactMat3 turned = tact_mat3_multiply(R, tact_mat3_multiply(I, tact_mat3_transpose(R)));
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < i; j++) {
            double mean = 0.5 * (turned.m[i][j] + turned.m[j][i]);
            turned.m[i][j] = mean;
            turned.m[j][i] = mean;
        }
    }
    return turned;
}

static TactStatus read_inertial(TactMjcf *mjcf, const TactXmlNode *node, TactInertia *inertia)
{
    TactMjcfPose  pose = tact_mjcf_pose_identity();
    TactTransform frame;
    double        diagonal[3] = {0};
    double        full[6];
    int           count;
    if (!tact_xml_get(node, "pos")) {
        return tact_xml_fail(node, NULL, TACT_BAD_INPUT, "needs the attribute 'pos'");
    }
    if (!tact_xml_get(node, "mass")) {
        return tact_xml_fail(node, NULL, TACT_BAD_INPUT, "needs the attribute 'mass'");
    }
    TACT_TRY(tact_mjcf_read_pose(mjcf, node, &pose));
    TACT_TRY(tact_mjcf_transform(mjcf, node, &pose, &frame));
    TACT_TRY(tact_xml_real(mjcf->xml, node, "mass", &inertia->mass));
    if (inertia->mass < 0) {
        return tact_xml_fail(node, "mass", TACT_BAD_INPUT, "is negative");
    }
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "diaginertia", 3, 3, diagonal, NULL));
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "fullinertia", 6, 6, full, &count));
    inertia->com = frame.position;
    if (count > 0) {
        if (tact_xml_get(node, "diaginertia")) {
            return tact_xml_fail(node, "fullinertia", TACT_BAD_INPUT, "there is a diaginertia too");
        }
        if (node->attribute_count > 3) {
            return tact_xml_fail(node, "fullinertia", TACT_BAD_INPUT,
                                 "there is an orientation too");
        }
        inertia->rotary = (TactMat3){{{full[0], full[3], full[4]},
                                      {full[3], full[1], full[5]},
                                      {full[4], full[5], full[2]}}};
        return TACT_OK;
    }
    TactMat3 D = tact_mat3_diagonal((TactVec3){diagonal[0], diagonal[1], diagonal[2]});
    inertia->rotary = turn_tensor(frame.rotation, D);
    return TACT_OK;
}

/// The inertial of a body may stand behind everything else, and in frames, which move it.
static TactStatus find_inertial(const TactXmlNode *body, const TactXmlNode **inertial)
{
    *inertial = NULL;
    for (const TactXmlNode *node = body->first; node;) {
        if (tact_xml_is(node, "inertial")) {
            if (*inertial) {
                return tact_xml_fail(node, NULL, TACT_BAD_INPUT, "the body has one already");
            }
            *inertial = node;
        }
        node = tact_xml_is(node, "frame") ? tact_xml_following(body, node)
                                          : tact_xml_following_beside(body, node);
    }
    return TACT_OK;
}

/// An inertia as the frames between it and its body place it.
static TactStatus move_inertia(TactMjcf *mjcf, const TactXmlNode *body, const TactXmlNode *inertial,
                               TactInertia *inertia)
{
    for (const TactXmlNode *node = inertial->parent; node && node != body; node = node->parent) {
        TactMjcfPose  pose = tact_mjcf_pose_identity();
        TactTransform frame;
        TACT_TRY(tact_mjcf_read_pose(mjcf, node, &pose));
        TACT_TRY(tact_mjcf_transform(mjcf, node, &pose, &frame));
        inertia->com = tact_transform_point(frame, inertia->com);
        inertia->rotary = turn_tensor(frame.rotation, inertia->rotary);
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Joints

// What a ball may turn whose range is nothing: about no angle there is no axis.
static const double STIFF = 1e-4; // rad

static double angle(const TactMjcf *mjcf, const TactXmlNode *node, double value)
{
    return tact_mjcf_compiler(mjcf, node)->degrees ? value * (3.14159265358979323846 / 180) : value;
}

/// Springs and dampers of higher terms.
static void set_more_terms(const TactMjcf *mjcf, const TactMjcfJoint *source, TactJoint *joint)
{
    for (int i = 0; i < 2; i++) {
        joint->spring_more[i] = mjcf->springs_off ? 0 : source->spring_more[i];
        joint->damper_more[i] = mjcf->dampers_off ? 0 : source->damper_more[i];
    }
}

static TactStatus set_joint(TactMjcf *mjcf, const TactXmlNode *node, const TactMjcfJoint *source,
                            TactTransform frame, TactJoint *joint)
{
    bool turns = source->type == TACT_JOINT_HINGE || source->type == TACT_JOINT_BALL;
    joint->position = tact_transform_point(frame, source->position);
    if (tact_vec3_norm(source->axis) == 0) {
        return tact_xml_fail(node, "axis", TACT_BAD_INPUT, "is zero");
    }
    joint->axis = tact_quat_rotate(frame.rotation, tact_vec3_normalise(source->axis));
    // A ball that is limited to no angle at all is one of MuJoCo's.
    bool stiff = source->type == TACT_JOINT_BALL && source->limited == TACT_MJCF_TRUE &&
                 source->range[0] == 0 && source->range[1] == 0;
    if (!stiff) {
        TACT_TRY(tact_mjcf_is_limited(mjcf, node, "limited", source->limited, source->range,
                                      &joint->limited));
    }
    TACT_TRY(tact_mjcf_is_limited(mjcf, node, "actuatorfrclimited", source->force_limited,
                                  source->force_range, &joint->force_limited));
    for (int i = 0; i < 2; i++) {
        joint->range[i] = turns ? angle(mjcf, node, source->range[i]) : source->range[i];
        joint->force_range[i] = source->force_range[i];
    }
    if (stiff) {
        joint->limited = true;
        joint->range[1] = STIFF;
        TACT_TRY(tact_mjcf_note(mjcf, node, "limited", TACT_VERDICT_APPROXIMATED,
                                "there is no range: the ball may turn by 1e-4 rad"));
    }
    joint->reference =
        source->type == TACT_JOINT_HINGE ? angle(mjcf, node, source->reference) : source->reference;
    joint->spring_reference = source->type == TACT_JOINT_HINGE
                                  ? angle(mjcf, node, source->spring_reference)
                                  : source->spring_reference;
    joint->margin = source->margin;
    TACT_TRY(tact_mjcf_note_giving(mjcf, node, source->stiffness, source->damping));
    joint->stiffness = mjcf->springs_off ? 0 : source->stiffness;
    joint->damping = mjcf->dampers_off ? 0 : source->damping;
    joint->armature = source->armature;
    joint->friction = source->friction;
    joint->group = source->group;
    joint->carries_gravity = source->carries_gravity;
    set_more_terms(mjcf, source, joint);
    for (int i = 0; i < 2 && !(mjcf->springs_off && mjcf->dampers_off); i++) {
        joint->spring_damper[i] = source->spring_damper[i];
    }
    return TACT_OK;
}

static TactStatus add_mjcf_joint(TactMjcf *mjcf, const TactXmlNode       *node,
                                 const TactMjcfClass *class, const Scope *scope)
{
    if (scope->body == 0) {
        return tact_xml_fail(node, NULL, TACT_BAD_INPUT, "the world cannot have joints");
    }
    bool          free = tact_xml_is(node, "freejoint");
    TactMjcfJoint source = class->joint;
    if (free) {
        source = (TactMjcfJoint){.type = TACT_JOINT_FREE};
        TACT_TRY(tact_xml_int(node, "group", 0, 0x7fffffff, &source.group));
    } else {
        TACT_TRY(tact_mjcf_read_joint(mjcf, node, &source));
    }
    TactJoint joint = tact_joint_default(source.type);
    TACT_TRY(tact_mjcf_name(mjcf, node, TACT_OBJECT_JOINT, scope->round_of, &joint.name));
    joint.body = scope->body;
    if (source.type == TACT_JOINT_FREE) {
        // A free joint has no anchor, axis, reference or limits.
        TACT_TRY(tact_mjcf_note_giving(mjcf, node, source.stiffness, source.damping));
        joint.stiffness = mjcf->springs_off ? 0 : source.stiffness;
        joint.damping = mjcf->dampers_off ? 0 : source.damping;
        joint.armature = source.armature;
        joint.friction = source.friction;
        joint.group = source.group;
        set_more_terms(mjcf, &source, &joint);
    } else {
        TACT_TRY(set_joint(mjcf, node, &source, scope->frame, &joint));
    }
    TACT_TRY(tact_mjcf_bend_joint(mjcf, scope->element, scope->class, scope->pose, &joint));
    TACT_TRY(
        tact_model_builder_add_joint(mjcf->reader->builder, &joint, tact_xml_source(node), NULL));
    return tact_mjcf_place_joint(mjcf, node, &joint, scope->pose);
}

// ---------------------------------------------------------------------------------------------
// Scopes

static TactStatus push_scope(Walk *walk, const TactXmlNode *node, const Scope *scope)
{
    if (walk->depth == TACT_XML_MAX_DEPTH) {
        return tact_xml_fail(node, NULL, TACT_BAD_INPUT, "more than %d elements inside one another",
                             TACT_XML_MAX_DEPTH);
    }
    walk->scopes[walk->depth++] = *scope;
    return TACT_OK;
}

/// Remembers where a mocap body is: keyframes may move it.
static TactStatus keep_mocap(TactMjcf *mjcf, int body, TactTransform pose)
{
    if (mjcf->mocap_count == mjcf->mocap_room) {
        int            room = 2 * mjcf->mocap_room + 8;
        TactTransform *poses = tact_xml_pool_take(&mjcf->xml->pool, (size_t)room, sizeof *poses);
        int           *bodies = tact_xml_pool_take(&mjcf->xml->pool, (size_t)room, sizeof *bodies);
        if (!poses || !bodies) {
            return TACT_NO_MEMORY;
        }
        for (int i = 0; i < mjcf->mocap_count; i++) {
            poses[i] = mjcf->mocaps[i];
            bodies[i] = mjcf->mocap_bodies[i];
        }
        mjcf->mocaps = poses;
        mjcf->mocap_bodies = bodies;
        mjcf->mocap_room = room;
    }
    mjcf->mocaps[mjcf->mocap_count] = pose;
    mjcf->mocap_bodies[mjcf->mocap_count++] = body;
    return TACT_OK;
}

static TactStatus enter_body(Walk *walk, const TactXmlNode *node, const TactMjcfClass *class,
                             const Scope *scope)
{
    TactMjcf          *mjcf = walk->mjcf;
    TactBodyDesc       body = tact_body_default();
    TactMjcfPose       pose = tact_mjcf_pose_identity();
    TactTransform      transform;
    const TactXmlNode *inertial;
    Scope              inner = {.element = node,
                                .next = node->first,
                                .frame = tact_transform_identity(),
                                .round_of = scope->round_of};
    TACT_TRY(tact_mjcf_class(mjcf, node, "childclass", class, &inner.class));
    TACT_TRY(tact_mjcf_name(mjcf, node, TACT_OBJECT_BODY, scope->round_of, &body.name));
    TACT_TRY(tact_mjcf_read_pose(mjcf, node, &pose));
    TACT_TRY(tact_mjcf_transform(mjcf, node, &pose, &transform));
    body.parent = scope->body;
    body.pose = tact_transform_multiply(scope->frame, transform);
    TACT_TRY(tact_xml_real(mjcf->xml, node, "gravcomp", &body.gravity_compensation));
    if (mjcf->springs_off && mjcf->dampers_off) { // nor is there any other passive force
        body.gravity_compensation = 0;
    }
    TACT_TRY(tact_xml_bool(node, "mocap", &body.mocap));
    TACT_TRY(find_inertial(node, &inertial));
    if (inertial) {
        body.has_inertia = true;
        TACT_TRY(read_inertial(mjcf, inertial, &body.inertia));
        TACT_TRY(move_inertia(mjcf, node, inertial, &body.inertia));
    } else if (mjcf->config.mass_min > 0) {
        // What boundmass gives a body without any mass MuJoCo puts at the body's pos, as its file
        // says it, once more from the body's own frame.
        body.inertia.com = transform.position;
    }
    TACT_TRY(tact_model_builder_add_body(mjcf->reader->builder, &body,
                                         tact_xml_source(inertial ? inertial : node), &inner.body));
    inner.pose = body.pose;
    if (body.mocap) {
        TACT_TRY(keep_mocap(mjcf, inner.body, body.pose));
    }
    return push_scope(walk, node, &inner);
}

static TactStatus enter_frame(Walk *walk, const TactXmlNode *node, const TactMjcfClass *class,
                              const Scope *scope)
{
    TactMjcfPose  pose = tact_mjcf_pose_identity();
    TactTransform transform;
    Scope         inner = *scope;
    inner.element = node;
    inner.next = node->first;
    inner.count = 0;
    TACT_TRY(tact_mjcf_class(walk->mjcf, node, "childclass", class, &inner.class));
    TACT_TRY(tact_mjcf_read_pose(walk->mjcf, node, &pose));
    TACT_TRY(tact_mjcf_transform(walk->mjcf, node, &pose, &transform));
    inner.frame = tact_transform_multiply(scope->frame, transform);
    return push_scope(walk, node, &inner);
}

/// Frame and suffix of a round: turned by round * euler, shifted from the round before in its
/// frame.
static TactStatus start_round(TactMjcf *mjcf, Scope *scope, const char *outer)
{
    TactMjcfPose pose = tact_mjcf_pose_identity();
    TactQuat     rotation;
    const char  *sep = tact_xml_get(scope->element, "sep");
    char         number[16];
    char         widest[16];
    pose.alternative = TACT_MJCF_EULER;
    for (int i = 0; i < 3; i++) {
        pose.values[i] = scope->round * scope->euler[i];
    }
    TACT_TRY(tact_mjcf_rotation(mjcf, scope->element, &pose, &rotation));
    TactTransform frame = {rotation, scope->position};
    scope->frame = tact_transform_multiply(scope->outer, frame);
    scope->position = tact_vec3_add(scope->position, tact_quat_rotate(rotation, scope->offset));

    int width = snprintf(widest, sizeof widest, "%d", scope->count);
    snprintf(number, sizeof number, "%0*d", width, scope->round);
    const char *own = tact_mjcf_suffixed(mjcf, sep ? sep : "", number);
    scope->round_of.suffix = own ? tact_mjcf_suffixed(mjcf, own, outer) : NULL;
    scope->round_of.id = ++mjcf->rounds;
    scope->next = scope->element->first;
    if (++mjcf->repeated > TACT_MJCF_MOST_REPEATED) {
        return tact_xml_fail(scope->element, NULL, TACT_BAD_INPUT,
                             "more than %d replicated elements", TACT_MJCF_MOST_REPEATED);
    }
    return scope->round_of.suffix ? TACT_OK : TACT_NO_MEMORY;
}

static TactStatus enter_replicate(Walk *walk, const TactXmlNode *node, const TactMjcfClass *class,
                                  const Scope *scope)
{
    TactMjcf *mjcf = walk->mjcf;
    Scope     inner = *scope;
    double    offset[3] = {0};
    inner.element = node;
    inner.outer = scope->frame;
    inner.round = 0;
    inner.position = (TactVec3){0, 0, 0};
    memset(inner.euler, 0, sizeof inner.euler);
    if (!tact_xml_get(node, "count")) {
        return tact_xml_fail(node, NULL, TACT_BAD_INPUT, "needs the attribute 'count'");
    }
    TACT_TRY(tact_xml_int(node, "count", 1, TACT_MJCF_MOST_REPEATED, &inner.count));
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "offset", 3, 3, offset, NULL));
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "euler", 3, 3, inner.euler, NULL));
    TACT_TRY(tact_mjcf_class(mjcf, node, "childclass", class, &inner.class));
    inner.offset = (TactVec3){offset[0], offset[1], offset[2]};
    TACT_TRY(start_round(mjcf, &inner, scope->round_of.suffix));
    return push_scope(walk, node, &inner);
}

// ---------------------------------------------------------------------------------------------
// The walk

static TactStatus read_child(Walk *walk, const TactXmlNode *node, const Scope *scope)
{
    TactMjcf *mjcf = walk->mjcf;
    const TactMjcfClass *class;
    const char *name;
    bool        leaf = tact_xml_is(node, "geom") || tact_xml_is(node, "site") ||
                tact_xml_is(node, "joint") || tact_xml_is(node, "camera");
    TACT_TRY(tact_mjcf_class(mjcf, node, leaf ? "class" : "", scope->class, &class));
    if (tact_xml_is(node, "body")) {
        return enter_body(walk, node, class, scope);
    }
    if (tact_xml_is(node, "frame")) {
        return enter_frame(walk, node, class, scope);
    }
    if (tact_xml_is(node, "replicate")) {
        return enter_replicate(walk, node, class, scope);
    }
    if (tact_xml_is(node, "joint") || tact_xml_is(node, "freejoint")) {
        return add_mjcf_joint(mjcf, node, class, scope);
    }
    if (tact_xml_is(node, "geom")) {
        TACT_TRY(tact_mjcf_name(mjcf, node, TACT_OBJECT_GEOM, scope->round_of, &name));
        return tact_mjcf_add_geom(mjcf, node, class, scope->frame, scope->body, name);
    }
    if (tact_xml_is(node, "site")) {
        TACT_TRY(tact_mjcf_name(mjcf, node, TACT_OBJECT_SITE, scope->round_of, &name));
        return tact_mjcf_add_site(mjcf, node, class, scope->frame, scope->body, name);
    }
    if (tact_xml_is(node, "camera")) {
        return tact_mjcf_add_camera(mjcf, node, class, scope->frame, scope->body, scope->round_of);
    }
    if (tact_xml_is(node, "inertial") && scope->body == 0) {
        return tact_xml_fail(node, NULL, TACT_BAD_INPUT, "the world cannot have an inertia");
    }
    return TACT_OK; // inertial is read with its body; the others are noted
}

static TactStatus walk_bodies(Walk *walk)
{
    while (walk->depth > 0) {
        Scope *scope = &walk->scopes[walk->depth - 1];
        if (scope->next) {
            const TactXmlNode *node = scope->next;
            Scope              copy = *scope;
            scope->next = node->next;
            TACT_TRY(read_child(walk, node, &copy));
        } else if (scope->round + 1 < scope->count) {
            scope->round++;
            const Scope *outer = &walk->scopes[walk->depth - 2];
            TACT_TRY(start_round(walk->mjcf, scope, outer->round_of.suffix));
        } else {
            walk->depth--;
        }
    }
    return TACT_OK;
}

TactStatus tact_mjcf_bodies(TactMjcf *mjcf)
{
    Walk  walk = {.mjcf = mjcf};
    void *block;
    TACT_TRY(tact_allocate(TACT_XML_MAX_DEPTH, sizeof(Scope), &block));
    walk.scopes = block;
    TactStatus status = TACT_OK;
    for (TactXmlNode *world = tact_xml_child(mjcf->root, "worldbody"); world && status == TACT_OK;
         world = tact_xml_next(world, "worldbody")) {
        Scope scope = {
            .element = world,
            .next = world->first,
            .frame = tact_transform_identity(),
            .class = mjcf->classes,
            .round_of = {"", 0},
        };
        walk.depth = 0;
        status = push_scope(&walk, world, &scope);
        if (status == TACT_OK) {
            status = walk_bodies(&walk);
        }
    }
    tact_release(block);
    return status;
}
