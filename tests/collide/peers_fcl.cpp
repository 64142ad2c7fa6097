// FCL's distances: signed ones of convex shapes, and those of meshes by their bounding volumes.
#include <fcl/fcl.h>

#include "collide/peers.h"

static fcl::Transform3d place(const TactTransform *pose)
{
    fcl::Transform3d t = fcl::Transform3d::Identity();
    t.linear() =
        fcl::Quaterniond(pose->rotation.w, pose->rotation.x, pose->rotation.y, pose->rotation.z)
            .normalized()
            .toRotationMatrix();
    t.translation() << pose->position.x, pose->position.y, pose->position.z;
    return t;
}

static std::shared_ptr<fcl::CollisionGeometryd> make_hull(const TactHull *hull)
{
    auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
    auto faces = std::make_shared<std::vector<int>>();
    for (int i = 0; i < hull->vertex_count; i++) {
        TactVec3 v = hull->vertices[i];
        vertices->emplace_back(v.x, v.y, v.z);
    }
    for (int f = 0; f < hull->face_count; f++) {
        faces->push_back(hull->faces[f].count);
        for (int e = 0; e < hull->faces[f].count; e++) {
            faces->push_back(hull->edges[hull->faces[f].first + e].origin);
        }
    }
    return std::make_shared<fcl::Convexd>(vertices, hull->face_count, faces);
}

static std::shared_ptr<fcl::CollisionGeometryd> make_geometry(const TactShape *s)
{
    const double *x = s->size;
    switch (s->type) {
    case TACT_SHAPE_SPHERE: return std::make_shared<fcl::Sphered>(x[0]);
    case TACT_SHAPE_CAPSULE: return std::make_shared<fcl::Capsuled>(x[0], 2 * x[1]);
    case TACT_SHAPE_CYLINDER: return std::make_shared<fcl::Cylinderd>(x[0], 2 * x[1]);
    case TACT_SHAPE_BOX: return std::make_shared<fcl::Boxd>(2 * x[0], 2 * x[1], 2 * x[2]);
    case TACT_SHAPE_ELLIPSOID: return std::make_shared<fcl::Ellipsoidd>(x[0], x[1], x[2]);
    case TACT_SHAPE_HULL: return make_hull(s->hull);
    default: return nullptr;
    }
}

/// Its EPA by libccd ends the program on some poses; its own one does not.
static bool ask_depth(const fcl::CollisionObjectd &one, const fcl::CollisionObjectd &two,
                      PeerAnswer *answer)
{
    fcl::CollisionRequestd            request(1, true);
    fcl::CollisionResultd             result;
    std::vector<fcl::Contact<double>> contacts;
    request.gjk_solver_type = fcl::GJKSolverType::GST_INDEP;
    fcl::collide(&one, &two, request, result);
    result.getContacts(contacts);
    if (contacts.empty()) {
        return false;
    }
    const fcl::Vector3d &n = contacts[0].normal;
    fcl::Vector3d        turned = one.getTransform().linear() * n;
    answer->distance = -std::fabs(contacts[0].penetration_depth); // of its EPA negative
    answer->normal[0] = TactVec3{n.x(), n.y(), n.z()};
    answer->normal[1] = TactVec3{turned.x(), turned.y(), turned.z()};
    return std::isfinite(answer->distance) && std::fabs(n.norm() - 1) < 1e-9;
}

bool ask_fcl(const TactShape *a, const TactTransform *pose_a, const TactShape *b,
             const TactTransform *pose_b, PeerAnswer *answer)
{
    try {
        fcl::CollisionObjectd one(make_geometry(a), place(pose_a));
        fcl::CollisionObjectd two(make_geometry(b), place(pose_b));
        fcl::DistanceRequestd request(true);
        fcl::DistanceResultd  result;
        request.distance_tolerance = 1e-9;
        fcl::distance(&one, &two, request, result);
        if (!(result.min_distance > 0)) {
            return ask_depth(one, two, answer);
        }
        fcl::Vector3d apart = result.nearest_points[1] - result.nearest_points[0];
        double        length = apart.norm();
        if (!(length > 1e-9)) {
            return false;
        }
        apart /= length;
        answer->distance = result.min_distance;
        answer->normal[0] = answer->normal[1] = TactVec3{apart.x(), apart.y(), apart.z()};
        return std::isfinite(result.min_distance);
    } catch (const std::exception &) {
        return false;
    }
}

using Model = fcl::BVHModel<fcl::OBBRSSd>;

static std::shared_ptr<Model> make_model(const TactMesh *mesh)
{
    auto                       model = std::make_shared<Model>();
    std::vector<fcl::Vector3d> vertices;
    std::vector<fcl::Triangle> triangles;
    for (int i = 0; i < mesh->vertex_count; i++) {
        vertices.emplace_back(mesh->vertices[i].x, mesh->vertices[i].y, mesh->vertices[i].z);
    }
    for (int i = 0; i < mesh->triangle_count; i++) {
        const int *v = mesh->triangles[i].vertex;
        triangles.emplace_back(static_cast<std::size_t>(v[0]), static_cast<std::size_t>(v[1]),
                               static_cast<std::size_t>(v[2]));
    }
    model->beginModel();
    model->addSubModel(vertices, triangles);
    model->endModel();
    return model;
}

double ask_fcl_meshes(const TactMesh *a, const TactTransform *pose_a, const TactMesh *b,
                      const TactTransform *pose_b)
{
    fcl::CollisionObjectd  one(make_model(a), place(pose_a)), two(make_model(b), place(pose_b));
    fcl::CollisionRequestd meeting;
    fcl::CollisionResultd  met;
    fcl::DistanceRequestd  request;
    fcl::DistanceResultd   result;
    if (fcl::collide(&one, &two, meeting, met) > 0) {
        return 0;
    }
    fcl::distance(&one, &two, request, result);
    return result.min_distance;
}
