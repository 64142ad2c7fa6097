// Bodies depth first and everything renumbered, against an oracle that knows no trick.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <tact/model.h>

enum { MAX = 40 };

static const TactSource none = {0};

/// A random tree as it was added, and what it must become.
typedef struct Tree {
    int               bodies, joints, geoms, sites;
    int               parent[MAX];
    int               joint_body[MAX], geom_body[MAX], site_body[MAX];
    TactJointType     joint_type[MAX];
    int               order[MAX]; // the oracle's: builder body of each place
    int               place[MAX]; // and back
    int               placed;
    TactModelBuilder *builder;
} Tree;

/// The oracle: recursive, one child after another.
static void visit(Tree *tree, int body)
{
    tree->place[body] = tree->placed;
    tree->order[tree->placed++] = body;
    for (int i = 1; i < tree->bodies; i++) {
        if (tree->parent[i] == body) {
            visit(tree, i);
        }
    }
}

static int below(TactRandom *random, int n)
{
    return (int)(tact_random_next(random) % (uint64_t)n);
}

static void add_bodies(Tree *tree, TactRandom *random)
{
    tree->bodies = 1 + below(random, MAX - 1);
    tree->parent[0] = -1;
    for (int i = 1; i < tree->bodies; i++) {
        char         name[20];
        TactBodyDesc body = tact_body_default();
        snprintf(name, sizeof name, "body%d", i);
        body.name = name;
        body.parent = tree->parent[i] = below(random, i);
        body.has_inertia = true;
        body.inertia.mass = i;
        body.inertia.rotary = tact_mat3_identity();
        body.pose.position = (TactVec3){i, 2 * i, 3 * i};
        int index;
        assert_int_equal(tact_model_builder_add_body(tree->builder, &body, none, &index), TACT_OK);
        assert_int_equal(index, i);
    }
}

static void add_joints(Tree *tree, TactRandom *random)
{
    int on[MAX] = {0};
    while (tree->joints < MAX && tree->bodies > 1) {
        int b = 1 + below(random, tree->bodies - 1);
        if (below(random, 10) == 0) {
            break;
        }
        if (on[b] >= 2) {
            continue;
        }
        TactJointType type = TACT_JOINT_SLIDE;
        if (on[b] == 0 && below(random, 2) == 0) {
            type = tree->parent[b] == 0 ? TACT_JOINT_FREE : TACT_JOINT_BALL;
        }
        on[b] += type == TACT_JOINT_FREE ? 2 : 1;
        char      name[20];
        TactJoint joint = tact_joint_default(type);
        snprintf(name, sizeof name, "joint%d", tree->joints);
        joint.name = name;
        joint.body = b;
        joint.damping = tree->joints;
        tree->joint_body[tree->joints] = b;
        tree->joint_type[tree->joints] = type;
        tree->joints++;
        assert_int_equal(tact_model_builder_add_joint(tree->builder, &joint, none, NULL), TACT_OK);
    }
}

static void add_geoms_and_sites(Tree *tree, TactRandom *random)
{
    tree->geoms = below(random, MAX);
    for (int i = 0; i < tree->geoms; i++) {
        TactGeomDesc geom = tact_geom_default(TACT_GEOM_SPHERE);
        geom.geom.body = tree->geom_body[i] = below(random, tree->bodies);
        geom.geom.size[0] = 1 + i;
        assert_int_equal(tact_model_builder_add_geom(tree->builder, &geom, none, NULL), TACT_OK);
    }
    tree->sites = below(random, MAX);
    for (int i = 0; i < tree->sites; i++) {
        TactSite site = tact_site_default();
        site.body = tree->site_body[i] = below(random, tree->bodies);
        site.size[0] = 1 + i;
        assert_int_equal(tact_model_builder_add_site(tree->builder, &site, none, NULL), TACT_OK);
    }
}

static int width(TactJointType type)
{
    return type == TACT_JOINT_FREE ? 6 : type == TACT_JOINT_BALL ? 3 : 1;
}

static void check_bodies(const Tree *tree, const TactModel *model)
{
    assert_int_equal(model->body_count, tree->bodies);
    for (int i = 1; i < model->body_count; i++) {
        const TactBody *body = &model->bodies[i];
        int             was = tree->order[i];
        char            name[20];
        snprintf(name, sizeof name, "body%d", was);
        assert_string_equal(body->name, name);
        assert_int_equal(tact_model_find(model, TACT_OBJECT_BODY, name), i);
        assert_int_equal(tact_model_find(model, TACT_OBJECT_XBODY, name), i);
        assert_int_equal(body->parent, tree->place[tree->parent[was]]);
        assert_true(body->inertia.mass == was && body->pose.position.z == 3 * was);
        // Root, carrier and subtree mass from their definitions.
        int root = i, carrier = i;
        while (model->bodies[root].parent > 0) {
            root = model->bodies[root].parent;
        }
        while (carrier > 0 && model->bodies[carrier].joint_count == 0) {
            carrier = model->bodies[carrier].parent;
        }
        assert_int_equal(body->root, root);
        assert_int_equal(body->carrier, carrier);
        double mass = 0;
        for (int k = 1; k < model->body_count; k++) {
            int up = k;
            while (up > 0 && up != i) {
                up = model->bodies[up].parent;
            }
            mass += up == i ? model->bodies[k].inertia.mass : 0;
        }
        assert_true(body->subtree_mass == mass); // whole numbers
    }
}

/// The oracle's order: bodies in turn, each with its joints in the order of adding.
static void check_joints(const Tree *tree, const TactModel *model)
{
    int next = 0, q = 0, dof = 0;
    for (int b = 0; b < model->body_count; b++) {
        const TactBody *body = &model->bodies[b];
        int             first = next, first_dof = dof;
        for (int j = 0; j < tree->joints; j++) {
            if (tree->place[tree->joint_body[j]] != b) {
                continue;
            }
            const TactJoint *joint = &model->joints[next];
            assert_true(joint->damping == j && joint->type == tree->joint_type[j]);
            assert_int_equal(joint->body, b);
            assert_int_equal(joint->q, q);
            assert_int_equal(joint->dof, dof);
            for (int k = 0; k < width(joint->type); k++, dof++) {
                assert_int_equal(model->dofs[dof].joint, next);
                assert_int_equal(model->dofs[dof].body, b);
                assert_true(model->dofs[dof].damping == j);
            }
            q += width(joint->type) + (joint->type <= TACT_JOINT_BALL);
            next++;
        }
        assert_int_equal(body->joint_count, next - first);
        assert_int_equal(body->dof_count, dof - first_dof);
        assert_int_equal(body->first_dof, dof > first_dof ? first_dof : model->nv);
        assert_true(next == first || body->first_joint == first);
    }
    assert_int_equal(model->joint_count, next);
    assert_int_equal(model->nq, q);
    assert_int_equal(model->nv, dof);
}

/// A dof's parent is the last dof before it whose body is the same or above.
static void check_dof_parents(const TactModel *model)
{
    for (int i = 0; i < model->nv; i++) {
        int parent = i - 1;
        for (; parent >= 0; parent--) {
            int up = model->dofs[i].body;
            while (up > 0 && up != model->dofs[parent].body) {
                up = model->bodies[up].parent;
            }
            if (up > 0) {
                break;
            }
        }
        assert_int_equal(model->dofs[i].parent, parent);
    }
}

static void check_geoms_and_sites(const Tree *tree, const TactModel *model)
{
    int geom = 0, site = 0;
    for (int b = 0; b < model->body_count; b++) {
        assert_int_equal(model->bodies[b].first_geom, geom);
        assert_int_equal(model->bodies[b].first_site, site);
        for (int i = 0; i < tree->geoms; i++) {
            if (tree->place[tree->geom_body[i]] == b) {
                assert_true(model->geoms[geom].size[0] == 1 + i);
                assert_int_equal(model->geoms[geom++].body, b);
            }
        }
        for (int i = 0; i < tree->sites; i++) {
            if (tree->place[tree->site_body[i]] == b) {
                assert_true(model->sites[site].size[0] == 1 + i);
                assert_int_equal(model->sites[site++].body, b);
            }
        }
        assert_int_equal(model->bodies[b].geom_count, geom - model->bodies[b].first_geom);
        assert_int_equal(model->bodies[b].site_count, site - model->bodies[b].first_site);
    }
    assert_int_equal(geom, tree->geoms);
    assert_int_equal(site, tree->sites);
}

static void random_trees_come_out_as_the_recursive_oracle_orders_them(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        TactRandom random = tact_random_seed(seed);
        Tree       tree = {0};
        assert_int_equal(tact_model_builder_create(&tree.builder), TACT_OK);
        add_bodies(&tree, &random);
        add_joints(&tree, &random);
        add_geoms_and_sites(&tree, &random);
        visit(&tree, 0);
        TactModel *model;
        if (tact_model_builder_compile(tree.builder, &model) != TACT_OK) {
            fail_msg("seed %d: %s", (int)seed, tact_status_message());
        }
        check_bodies(&tree, model);
        check_joints(&tree, model);
        check_dof_parents(model);
        check_geoms_and_sites(&tree, model);
        tact_model_destroy(model);
        tact_model_builder_destroy(tree.builder);
    }
}

/// root -> (a -> (b, c), d), added in any order in which a parent comes before its children.
static uint64_t hash_of_siblings(const char *const names[4])
{
    TactModelBuilder *builder;
    assert_int_equal(tact_model_builder_create(&builder), TACT_OK);
    for (int i = 0; i < 4; i++) {
        TactBodyDesc body = tact_body_default();
        body.name = names[i];
        bool top = *names[i] == 'a' || *names[i] == 'd';
        body.parent = top ? 0 : tact_model_builder_find(builder, TACT_OBJECT_BODY, "a");
        body.pose.position.x = *names[i];
        assert_int_equal(tact_model_builder_add_body(builder, &body, none, NULL), TACT_OK);
    }
    TactModel *model;
    assert_int_equal(tact_model_builder_compile(builder, &model), TACT_OK);
    const char *const order[] = {"world", "a", "b", "c", "d"};
    for (int i = 0; i < 5; i++) {
        assert_string_equal(model->bodies[i].name, order[i]);
    }
    uint64_t hash = model->hash;
    tact_model_destroy(model);
    tact_model_builder_destroy(builder);
    return hash;
}

static void the_order_of_adding_subtrees_does_not_show(void **state)
{
    (void)state;
    uint64_t hash = hash_of_siblings((const char *[]){"a", "b", "c", "d"});
    assert_true(hash == hash_of_siblings((const char *[]){"a", "d", "b", "c"}));
    assert_true(hash == hash_of_siblings((const char *[]){"a", "b", "d", "c"}));
}

static void ten_thousand_nested_bodies_are_a_model(void **state)
{
    (void)state;
    enum { DEPTH = 10000 };
    TactModelBuilder *builder;
    assert_int_equal(tact_model_builder_create(&builder), TACT_OK);
    for (int i = 0; i < DEPTH; i++) {
        TactBodyDesc body = tact_body_default();
        body.parent = i;
        body.has_inertia = true;
        body.inertia.mass = 1;
        body.inertia.rotary = tact_mat3_identity();
        assert_int_equal(tact_model_builder_add_body(builder, &body, none, NULL), TACT_OK);
        TactJoint joint = tact_joint_default(TACT_JOINT_HINGE);
        joint.body = i + 1;
        assert_int_equal(tact_model_builder_add_joint(builder, &joint, none, NULL), TACT_OK);
    }
    TactModel *model;
    assert_int_equal(tact_model_builder_compile(builder, &model), TACT_OK);
    assert_int_equal(model->body_count, DEPTH + 1);
    assert_int_equal(model->nv, DEPTH);
    assert_int_equal(model->bodies[DEPTH].root, 1);
    assert_int_equal(model->dofs[DEPTH - 1].parent, DEPTH - 2);
    assert_true(model->mass == DEPTH);
    tact_model_destroy(model);
    tact_model_builder_destroy(builder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_trees_come_out_as_the_recursive_oracle_orders_them),
        cmocka_unit_test(the_order_of_adding_subtrees_does_not_show),
        cmocka_unit_test(ten_thousand_nested_bodies_are_a_model),
    };
    return cmocka_run_group_tests_name("model/order", tests, NULL, NULL);
}
