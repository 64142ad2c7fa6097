// Divide and conquer: making it, its handles, and running the plan up and down.
#include "dynamics/assembly.h"

#include <string.h>

#include "base/status.h"
#include "dynamics/block6.h"

static void layout_plan(TactAssembly *assembly, TactArena *arena)
{
    size_t links = (size_t)assembly->dynamics->link_count;
    assembly->nodes = tact_arena_take(arena, 2 * links, sizeof *assembly->nodes);
    assembly->order = tact_arena_take(arena, links, sizeof *assembly->order);
    assembly->level_start = tact_arena_take(arena, links + 2, sizeof *assembly->level_start);
    assembly->plan_work = tact_arena_take(arena, 3 * links, sizeof *assembly->plan_work);
    assembly->wanted = tact_arena_take(arena, links, sizeof *assembly->wanted);
}

/// Is a handle needed above this node?
static bool is_shown(const TactAssembly *assembly, const TactAssemblyNode *node, int link)
{
    return link == node->top || link == node->bottom || assembly->wanted[link];
}

/// Which handles a node shows, from those of its parts.
static void choose_handles(const TactAssembly *assembly, TactAssemblyNode *node)
{
    const TactAssemblyNode *parts[2] = {
        node->upper < 0 ? NULL : &assembly->nodes[node->upper],
        &assembly->nodes[node->lower],
    };
    int count = 0, place = 0;
    for (int p = 0; p < 2; p++) {
        for (int k = 0; parts[p] && k < parts[p]->count; k++, place++) {
            int link = parts[p]->links[k];
            if (p == 0 && link == node->attach) {
                node->attach_place = k;
            }
            if (p == 1 && link == node->joint) {
                node->joint_place = k;
            }
            if (is_shown(assembly, node, link)) {
                node->links[count] = link;
                node->source[count++] = place;
            }
        }
    }
    node->count = count;
}

/// How many handles the parts of a node show together.
static size_t joined_handles(const TactAssembly *assembly, const TactAssemblyNode *node)
{
    size_t upper = node->upper < 0 ? 0 : (size_t)assembly->nodes[node->upper].count;
    return upper + (size_t)assembly->nodes[node->lower].count;
}

static void layout_node(TactAssemblyNode *node, size_t h, size_t joined, TactArena *arena)
{
    node->links = tact_arena_take(arena, h, sizeof *node->links);
    node->source = tact_arena_take(arena, h, sizeof *node->source);
    node->Phi = tact_arena_take(arena, 36 * h * h, sizeof *node->Phi);
    node->b = tact_arena_take(arena, h, sizeof *node->b);
    node->force = tact_arena_take(arena, h, sizeof *node->force);
    node->G = tact_arena_take(arena, 36 * joined, sizeof *node->G);
}

/// Counts the handles of every node: wanted links below it, its top and its bottom.
static void count_handles(TactAssembly *assembly, int *wanted_below)
{
    int links = assembly->dynamics->link_count;
    for (int l = 0; l < links; l++) {
        assembly->nodes[l].count = 1;
        wanted_below[l] = assembly->wanted[l];
    }
    for (int i = 0; i < assembly->node_count - links; i++) {
        TactAssemblyNode *node = &assembly->nodes[assembly->order[i]];
        int n = wanted_below[node->lower] + (node->upper < 0 ? 0 : wanted_below[node->upper]);
        wanted_below[assembly->order[i]] = n;
        if (node->top >= 0 && !assembly->wanted[node->top]) {
            n++;
        }
        if (node->bottom >= 0 && node->bottom != node->top && !assembly->wanted[node->bottom]) {
            n++;
        }
        node->count = n;
    }
}

static void layout_storage(TactAssembly *assembly, TactArena *arena)
{
    int    links = assembly->dynamics->link_count;
    size_t handles = (size_t)assembly->handle_capacity;
    assembly->handles = tact_arena_take(arena, handles, sizeof *assembly->handles);
    assembly->root = tact_arena_take(arena, handles, sizeof *assembly->root);
    assembly->place = tact_arena_take(arena, handles, sizeof *assembly->place);
    for (int l = 1; l < links; l++) {
        layout_node(&assembly->nodes[l], 1, 0, arena);
    }
    for (int i = 0; i < assembly->node_count - links; i++) {
        TactAssemblyNode *node = &assembly->nodes[assembly->order[i]];
        layout_node(node, (size_t)node->count, joined_handles(assembly, node), arena);
    }
}

/// Where every handle is found once its tree is whole.
static void find_places(TactAssembly *assembly)
{
    for (int i = 0; i < assembly->handle_count; i++) {
        int link = assembly->dynamics->link_of[assembly->handles[i].body];
        int node = link;
        while (link > 0 && assembly->nodes[node].parent >= 0) {
            node = assembly->nodes[node].parent;
        }
        assembly->root[i] = link > 0 ? node : -1;
        for (int k = 0; link > 0 && k < assembly->nodes[node].count; k++) {
            if (assembly->nodes[node].links[k] == link) {
                assembly->place[i] = k;
            }
        }
    }
}

static TactStatus check_handles(const TactAssembly *assembly, const TactHandle *handles, int count)
{
    if (count < 0 || (count > 0 && !handles)) {
        return tact_fail(TACT_BAD_ARGUMENT, "assembly: %d handles", count);
    }
    for (int i = 0; i < count; i++) {
        if (handles[i].body < 0 || handles[i].body >= assembly->dynamics->model->body_count) {
            return tact_fail(TACT_BAD_ARGUMENT, "assembly: handle %d: there is no body %d", i,
                             handles[i].body);
        }
    }
    return TACT_OK;
}

TactStatus tact_assembly_set_handles(TactAssembly *assembly, const TactHandle *handles, int count)
{
    TACT_TRY(check_handles(assembly, handles, count));
    int links = assembly->dynamics->link_count;
    memset(assembly->wanted, 0, (size_t)links * sizeof *assembly->wanted);
    for (int i = 0; i < count; i++) {
        assembly->wanted[assembly->dynamics->link_of[handles[i].body]] = true;
    }
    assembly->wanted[0] = false;
    count_handles(assembly, assembly->plan_work);

    // A larger block only if this one does not hold what is to be laid out.
    TactArena measured = {0};
    if (count > assembly->handle_capacity) {
        assembly->handle_capacity = count;
    }
    layout_storage(assembly, &measured);
    if (!assembly->storage.block || measured.used > assembly->storage_size) {
        size_t size = measured.used;
        tact_arena_destroy(&assembly->storage);
        assembly->storage = measured;
        assembly->handle_count = 0;
        TACT_TRY(tact_arena_create(&assembly->storage));
        assembly->storage_size = size;
    }
    assembly->storage.used = 0;
    layout_storage(assembly, &assembly->storage);

    for (int l = 1; l < links; l++) {
        assembly->nodes[l].links[0] = l;
    }
    for (int i = 0; i < assembly->node_count - links; i++) {
        choose_handles(assembly, &assembly->nodes[assembly->order[i]]);
    }
    assembly->handle_count = count;
    if (count > 0) {
        memcpy(assembly->handles, handles, (size_t)count * sizeof *handles);
    }
    find_places(assembly);
    return TACT_OK;
}

TactStatus tact_assembly_create(const TactDynamics *dynamics, int threads, TactAssembly **assembly)
{
    if (!dynamics || !assembly || threads < 1 || threads > 64) {
        return tact_fail(TACT_BAD_ARGUMENT, "assembly: no workspace or result, or %d threads",
                         threads);
    }
    *assembly = NULL;
    if (dynamics->tendon_inertia) {
        return tact_fail(TACT_UNSUPPORTED,
                         "assembly: tendons with armature tie links that are assembled apart");
    }
    TactAssembly *a = NULL;
    TACT_TRY(tact_allocate(1, sizeof *a, (void **)&a));
    a->dynamics = dynamics;
    layout_plan(a, &a->arena);
    TactStatus status = tact_arena_create(&a->arena);
    if (status == TACT_OK) {
        layout_plan(a, &a->arena);
        tact_assembly_plan(a);
        status = tact_assembly_set_handles(a, NULL, 0);
    }
    if (status == TACT_OK && threads > 1) {
        status = tact_assembly_threads_create(a, threads);
    }
    if (status != TACT_OK) {
        tact_assembly_destroy(a);
        return status;
    }
    *assembly = a;
    return TACT_OK;
}

void tact_assembly_destroy(TactAssembly *assembly)
{
    if (assembly) {
        tact_assembly_threads_destroy(assembly);
        tact_arena_destroy(&assembly->pairs);
        tact_arena_destroy(&assembly->storage);
        tact_arena_destroy(&assembly->arena);
        tact_release(assembly);
    }
}

/// A link alone: Phi = I^-1, b = I^-1 (external - v x* I v).
static void start_link(TactAssembly *assembly, int l)
{
    const TactDynamics *d = assembly->dynamics;
    TactAssemblyNode   *node = &assembly->nodes[l];
    TactSym3            I = d->rotary[l];
    double inverse[36] = {I.xx, 0, 0, 0, 0, 0, I.xy, I.yy, 0, 0, 0, 0, I.xz, I.yz, I.zz};
    tact_block6_invert(3, inverse);

    memset(node->Phi, 0, 36 * sizeof *node->Phi);
    for (int i = 0; i < 3; i++) {
        node->Phi[7 * i] = 1 / d->links[l].inertia.mass;
        for (int j = 0; j < 3; j++) {
            node->Phi[6 * (3 + i) + 3 + j] = inverse[6 * i + j];
        }
    }
    TactTwist none = {{0, 0, 0}, {0, 0, 0}};
    node->force[0] = tact_wrench_scale(-1, tact_link_inertial_force(d, l, none));
}

/// External forces join those of their links, which then give the bias accelerations.
static void finish_links(TactAssembly *assembly)
{
    const TactDynamics *d = assembly->dynamics;
    const TactWrench   *external = assembly->input.external;
    for (int i = 1; external && i < d->model->body_count; i++) {
        int l = d->link_of[i];
        if (l > 0) {
            TactVec3 place = tact_transform_point(d->pose[i], d->model->bodies[i].inertia.com);
            TactVec3 r = tact_vec3_subtract(place, d->com[l]);
            assembly->nodes[l].force[0] =
                tact_wrench_add(assembly->nodes[l].force[0], tact_wrench_shift(external[i], r));
        }
    }
    for (int l = 1; l < d->link_count; l++) {
        TactAssemblyNode *node = &assembly->nodes[l];
        TactWrench        f = node->force[0];
        double x[6] = {f.force.x, f.force.y, f.force.z, f.torque.x, f.torque.y, f.torque.z};
        double a[6] = {0};
        tact_block6_add_product(node->Phi, x, a);
        node->b[0] = (TactTwist){{a[0], a[1], a[2]}, {a[3], a[4], a[5]}};
    }
}

void tact_assembly_compute(TactAssembly *assembly, const TactAssemblyInput *input)
{
    assembly->input = input ? *input : (TactAssemblyInput){0};
    for (int l = 1; l < assembly->dynamics->link_count; l++) {
        start_link(assembly, l);
    }
    finish_links(assembly);
    for (int level = 0; level < assembly->level_count; level++) {
        tact_assembly_run_level(assembly, tact_assembly_join, level);
    }
}

/// From the centre of mass of its link to the point of a handle.
static TactVec3 handle_arm(const TactAssembly *assembly, int i)
{
    const TactDynamics *d = assembly->dynamics;
    const TactHandle   *handle = &assembly->handles[i];
    return tact_vec3_subtract(handle->point, d->com[d->link_of[handle->body]]);
}

void tact_assembly_get_inverse_inertia(const TactAssembly *assembly, int i, int j, double Phi[36])
{
    memset(Phi, 0, 36 * sizeof *Phi);
    if (assembly->root[i] < 0 || assembly->root[i] != assembly->root[j]) {
        return; // of different trees, or of the world
    }
    const TactAssemblyNode *node = &assembly->nodes[assembly->root[i]];
    size_t block = (size_t)assembly->place[i] * (size_t)node->count + (size_t)assembly->place[j];
    memcpy(Phi, node->Phi + 36 * block, 36 * sizeof *Phi);
    tact_block6_shift_rows(Phi, handle_arm(assembly, i));
    tact_block6_shift_columns(Phi, handle_arm(assembly, j));
}

TactTwist tact_assembly_get_bias(const TactAssembly *assembly, int i)
{
    const TactDynamics *d = assembly->dynamics;
    TactTwist           b = {{0, 0, 0}, {0, 0, 0}};
    if (assembly->root[i] < 0) {
        return b;
    }
    // The spatial acceleration is that of the place; that of the body's point has w x v more. The
    // world accelerates by minus gravity while assembling: this is taken off again.
    TactVec3  r = handle_arm(assembly, i);
    TactTwist v = tact_twist_shift(d->velocity[d->link_of[assembly->handles[i].body]], r);
    b = tact_twist_shift(assembly->nodes[assembly->root[i]].b[assembly->place[i]], r);
    b.linear = tact_vec3_add(b.linear, tact_vec3_cross(v.angular, v.linear));
    if (!d->model->options.gravity_off) {
        b.linear = tact_vec3_add(b.linear, d->model->options.gravity);
    }
    return b;
}

void tact_assembly_finish(TactAssembly *assembly, const TactWrench *force, double *acceleration,
                          double *tau)
{
    assembly->acceleration = acceleration;
    assembly->tau_out = tau;
    int links = assembly->dynamics->link_count;
    for (int i = assembly->level_start[assembly->level_count - 1]; i < assembly->node_count - links;
         i++) {
        TactAssemblyNode *node = &assembly->nodes[assembly->order[i]];
        memset(node->force, 0, (size_t)node->count * sizeof *node->force);
    }
    for (int i = 0; force && i < assembly->handle_count; i++) {
        if (assembly->root[i] >= 0) {
            TactWrench *sum = &assembly->nodes[assembly->root[i]].force[assembly->place[i]];
            *sum = tact_wrench_add(*sum, tact_wrench_shift(force[i], handle_arm(assembly, i)));
        }
    }
    for (int level = assembly->level_count - 1; level >= 0; level--) {
        tact_assembly_run_level(assembly, tact_assembly_part, level);
    }
}
