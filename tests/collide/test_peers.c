// Against libccd, ODE, FCL and Bullet, where they are installed: depth, distance and normal.
#include "collide/meshes.h"
#include "collide/peers.h"

#ifdef TACT_HAVE_CCD
#include <ccd/ccd.h>

typedef struct Object {
    TactShape     shape;
    TactTransform pose;
} Object;

static void support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *out)
{
    const Object *o = object;
    TactVec3      n = {ccdVec3X(direction), ccdVec3Y(direction), ccdVec3Z(direction)};
    TactVec3      d = tact_quat_rotate_back(o->pose.rotation, n), p = {0, 0, 0};
    const double *s = o->shape.size;
    double        most = -INFINITY, across = hypot(d.x, d.y);
    TactVec3      scaled = {s[0] * d.x, s[1] * d.y, s[2] * d.z};
    switch (o->shape.type) {
    case TACT_SHAPE_BOX:
        p = (TactVec3){copysign(s[0], d.x), copysign(s[1], d.y), copysign(s[2], d.z)};
        break;
    case TACT_SHAPE_CYLINDER:
        p.x = across > 0 ? s[0] * d.x / across : 0;
        p.y = across > 0 ? s[0] * d.y / across : 0;
        p.z = copysign(s[1], d.z);
        break;
    case TACT_SHAPE_ELLIPSOID:
        scaled = tact_vec3_normalise(scaled);
        p = (TactVec3){s[0] * scaled.x, s[1] * scaled.y, s[2] * scaled.z};
        break;
    default:
        for (int i = 0; i < o->shape.hull->vertex_count; i++) {
            double along = tact_vec3_dot(o->shape.hull->vertices[i], d);
            if (along > most) {
                most = along;
                p = o->shape.hull->vertices[i];
            }
        }
    }
    p = tact_transform_point(o->pose, p);
    ccdVec3Set(out, p.x, p.y, p.z);
}

static void depths_are_never_more_than_those_of_libccd_and_mostly_the_same(void **state)
{
    (void)state;
    static const TactShapeType types[][2] = {{TACT_SHAPE_BOX, TACT_SHAPE_BOX},
                                             {TACT_SHAPE_HULL, TACT_SHAPE_HULL},
                                             {TACT_SHAPE_CYLINDER, TACT_SHAPE_CYLINDER},
                                             {TACT_SHAPE_CYLINDER, TACT_SHAPE_BOX},
                                             {TACT_SHAPE_ELLIPSOID, TACT_SHAPE_ELLIPSOID},
                                             {TACT_SHAPE_ELLIPSOID, TACT_SHAPE_HULL}};
    Random                     random = {21};
    TactHull                  *hull = random_hull(&random, 32);
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        int    both = 0, same = 0, disagree = 0;
        double worst = 0;
        for (int k = 0; k < pose_count(); k++) {
            Object a = {random_shape(&random, types[t][0], hull), random_pose(&random, 0.8)};
            Object b = {random_shape(&random, types[t][1], hull), random_pose(&random, 0.8)};
            ccd_t  ccd;
            if (!hull && types[t][1] == TACT_SHAPE_HULL) {
                break;
            }
            CCD_INIT(&ccd);
            ccd.support1 = ccd.support2 = support;
            ccd.max_iterations = 200;
            ccd.epa_tolerance = 1e-7;
            ccd_real_t   depth = 0;
            ccd_vec3_t   direction, position;
            TactDistance d;
            bool         hit = ccdGJKPenetration(&a, &b, &ccd, &depth, &direction, &position) == 0;
            assert_int_equal(tact_shape_compute_distance(&a.shape, &a.pose, &b.shape, &b.pose, &d),
                             TACT_OK);
            if (hit != (d.distance < 0)) {
                disagree += fabs(d.distance) > 1e-6;
            } else if (hit) {
                // What libccd claims is checked by the supports before it counts.
                TactVec3 n = {ccdVec3X(&direction), ccdVec3Y(&direction), ccdVec3Z(&direction)};
                double   proven = overlap_along(&a.shape, &a.pose, &b.shape, &b.pose, n);
                bool     right = fabs(proven - depth) < 1e-5; // of what libccd claims
                both += right;
                same += right && fabs(-d.distance - proven) < 2e-5;
                worst = fmax(worst, -d.distance - proven);
            }
        }
        print_message("%s-%s: %d right, %d the same, ours deeper by at most %.1e, %d disagree\n",
                      shape_name(types[t][0]), shape_name(types[t][1]), both, same, worst,
                      disagree);
        assert_true(worst < 1e-6);
        assert_true(same >= both * 9 / 10);
        assert_true(disagree * 100 <= both);
    }
    tact_hull_destroy(hull);
}
#else
static void depths_are_never_more_than_those_of_libccd_and_mostly_the_same(void **state)
{
    (void)state;
    print_message("skipped: no libccd\n");
    skip();
}
#endif

#ifdef TACT_HAVE_ODE
#include <ode/ode.h>

static void place(dGeomID geom, const TactTransform *pose)
{
    const dQuaternion q = {pose->rotation.w, pose->rotation.x, pose->rotation.y, pose->rotation.z};
    dGeomSetPosition(geom, pose->position.x, pose->position.y, pose->position.z);
    dGeomSetQuaternion(geom, q);
}

static dGeomID make_geom(const TactShape *s)
{
    return s->type == TACT_SHAPE_BOX ? dCreateBox(0, 2 * s->size[0], 2 * s->size[1], 2 * s->size[2])
           : s->type == TACT_SHAPE_SPHERE ? dCreateSphere(0, s->size[0])
                                          : dCreateCapsule(0, s->size[0], 2 * s->size[1]);
}

static void depths_are_those_of_ode_or_less(void **state)
{
    (void)state;
    static const TactShapeType types[][2] = {{TACT_SHAPE_BOX, TACT_SHAPE_BOX},
                                             {TACT_SHAPE_SPHERE, TACT_SHAPE_BOX},
                                             {TACT_SHAPE_CAPSULE, TACT_SHAPE_CAPSULE}};
    Random                     random = {22};
    dInitODE();
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        int    both = 0, same = 0, disagree = 0;
        double worst = 0;
        for (int k = 0; k < pose_count(); k++) {
            TactShape     a = random_shape(&random, types[t][0], NULL);
            TactShape     b = random_shape(&random, types[t][1], NULL);
            TactTransform pose_a = random_pose(&random, 0.8), pose_b = random_pose(&random, 0.8);
            dGeomID       geom_a = make_geom(&a), geom_b = make_geom(&b);
            dContactGeom  contacts[8];
            TactDistance  d;
            place(geom_a, &pose_a);
            place(geom_b, &pose_b);
            int count = dCollide(geom_a, geom_b, 8, contacts, sizeof contacts[0]);
            assert_int_equal(tact_shape_compute_distance(&a, &pose_a, &b, &pose_b, &d), TACT_OK);
            if ((count > 0) != (d.distance < 0)) {
                disagree += fabs(d.distance) > 1e-9;
            } else if (count > 0) {
                TactVec3 n = {-contacts[0].normal[0], -contacts[0].normal[1],
                              -contacts[0].normal[2]}; // ODE's goes from b to a
                double   proven = overlap_along(&a, &pose_a, &b, &pose_b, n);
                both++;
                same += fabs(-d.distance - proven) < 1e-9;
                worst = fmax(worst, -d.distance - proven);
            }
            dGeomDestroy(geom_a);
            dGeomDestroy(geom_b);
        }
        print_message("%s-%s: %d overlap, %d the same, ours deeper by at most %.1e, %d disagree\n",
                      shape_name(types[t][0]), shape_name(types[t][1]), both, same, worst,
                      disagree);
        assert_true(worst < 1e-9);
        assert_true(disagree == 0);
        assert_true(2 * same >= both);
    }
    dCloseODE();
}
#else
static void depths_are_those_of_ode_or_less(void **state)
{
    (void)state;
    print_message("skipped: no ODE\n");
    skip();
}
#endif

// ---------------------------------------------------------------------------------------------
// FCL and Bullet: depth, distance and normal of all pairs of convex shapes

#if defined(TACT_HAVE_FCL) || defined(TACT_HAVE_BULLET)
typedef struct Tally {
    int    asked, apart, deep; // that the peer was asked, and has right
    int    same_apart, same_deep, normals;
    double worst; // m: by how much a peer's normal proves ours wrong
} Tally;

/// What a peer claims counts as right if its normal proves it, to 1e-4 (Bullet's EPA stops there):
/// the shapes are that far apart along it, or free of each other after moving that far. Whether
/// right or not, its normal proves a least distance, or a depth that is enough, and ours must not
/// be beyond that. A depth may be right and not the least.
static void compare(PeerQuestion *ask, const TactShape *a, const TactTransform *pose_a,
                    const TactShape *b, const TactTransform *pose_b, Tally *tally)
{
    const double tol = 1e-4;
    PeerAnswer   answer;
    TactDistance d;
    assert_int_equal(tact_shape_compute_distance(a, pose_a, b, pose_b, &d), TACT_OK);
    if (!ask(a, pose_a, b, pose_b, &answer)) {
        return;
    }
    double   proven = -INFINITY;
    TactVec3 n = answer.normal[0];
    for (int k = 0; k < 4; k++) { // from a to b, or the other way round: peers differ
        TactVec3 m = k % 2 ? tact_vec3_negate(answer.normal[k / 2]) : answer.normal[k / 2];
        double   here = -overlap_along(a, pose_a, b, pose_b, m);
        if (here > proven) {
            proven = here;
            n = m;
        }
    }
    tally->asked++;
    tally->worst = fmax(tally->worst, proven - d.distance);
    if (fabs(proven - answer.distance) < tol) {
        bool same = fabs(answer.distance - d.distance) < 2 * tol;
        tally->apart += proven > tol;
        tally->deep += proven < -tol;
        tally->same_apart += proven > tol && same;
        tally->same_deep += proven < -tol && same;
        tally->normals += fabs(proven) > tol && same && tact_vec3_dot(n, d.normal) > 1 - 1e-3;
    }
}

static void compare_all(const char *peer, PeerQuestion *ask, bool depths_are_least)
{
    static const TactShapeType types[] = {TACT_SHAPE_SPHERE,    TACT_SHAPE_CAPSULE,
                                          TACT_SHAPE_CYLINDER,  TACT_SHAPE_BOX,
                                          TACT_SHAPE_ELLIPSOID, TACT_SHAPE_HULL};
    enum { TYPES = sizeof types / sizeof types[0] };
    Random    random = {23};
    TactHull *hull = random_hull(&random, 24);
    for (int i = 0; i < TYPES; i++) {
        for (int j = i; j < TYPES && (hull || j + 1 < TYPES); j++) {
            Tally tally = {0};
            for (int k = 0; k < pose_count(); k++) {
                TactShape     a = random_shape(&random, types[i], hull);
                TactShape     b = random_shape(&random, types[j], hull);
                TactTransform pose_a = random_pose(&random, 1), pose_b = random_pose(&random, 1);
                compare(ask, &a, &pose_a, &b, &pose_b, &tally);
            }
            if (tally.asked == 0) {
                continue; // it does not know these shapes
            }
            print_message("%s, %s-%s, %d poses: %d of %d distances, %d of %d depths that it has "
                          "right are ours, %d normals; proves ours wrong by %.1e at most\n",
                          peer, shape_name(types[i]), shape_name(types[j]), tally.asked,
                          tally.same_apart, tally.apart, tally.same_deep, tally.deep, tally.normals,
                          tally.worst);
            assert_true(tally.worst < 2e-11); // where our searches stop
            assert_int_equal(tally.same_apart, tally.apart);
            if (depths_are_least) {
                assert_int_equal(tally.same_deep, tally.deep);
            }
            assert_true(100 * tally.normals >= 98 * (tally.same_apart + tally.same_deep));
        }
    }
    tact_hull_destroy(hull);
}

#endif

static void no_answer_of_fcl_proves_ours_wrong(void **state)
{
    (void)state;
#ifdef TACT_HAVE_FCL
    compare_all("FCL", ask_fcl, false); // its box-box and its EPA may end at another one
#else
    print_message("skipped: no FCL\n");
    skip();
#endif
}

static void no_answer_of_bullet_proves_ours_wrong(void **state)
{
    (void)state;
#ifdef TACT_HAVE_BULLET
    compare_all("Bullet", ask_bullet, true);
#else
    print_message("skipped: no Bullet\n");
    skip();
#endif
}

static void meshes_are_as_far_apart_as_fcl_says(void **state)
{
    (void)state;
#ifdef TACT_HAVE_FCL
    Random random = {24};
    Made   ring = make_torus(0.6, 0.2, 20, 10);
    int    apart = 0, crossing = 0;
    for (int k = 0; k < pose_count() / 10; k++) {
        TactTransform pose_a = random_pose(&random, 1), pose_b = random_pose(&random, 1);
        TactDistance  d;
        double        fcl = ask_fcl_meshes(ring.mesh, &pose_a, ring.mesh, &pose_b);
        assert_int_equal(
            tact_shape_compute_distance(&ring.shape, &pose_a, &ring.shape, &pose_b, &d), TACT_OK);
        assert_within(fmax(d.distance, 0), fcl, 1e-9, "rings");
        apart += d.distance > 0;
        crossing += d.distance <= 0;
    }
    assert_true(apart > 5 && crossing > 5);
    drop(&ring);
#else
    print_message("skipped: no FCL\n");
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depths_are_never_more_than_those_of_libccd_and_mostly_the_same),
        cmocka_unit_test(depths_are_those_of_ode_or_less),
        cmocka_unit_test(no_answer_of_fcl_proves_ours_wrong),
        cmocka_unit_test(no_answer_of_bullet_proves_ours_wrong),
        cmocka_unit_test(meshes_are_as_far_apart_as_fcl_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
