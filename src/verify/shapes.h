// Collision shapes of the geoms of a model, with the trees of its meshes: for whoever simulates the
// model and for whoever judges what came out. They stand here because no module further down sees
// both models and shapes.
#ifndef TACT_VERIFY_SHAPES_H
#define TACT_VERIFY_SHAPES_H

#include <tact/collide.h>
#include <tact/model.h>

typedef struct TactModelShapes {
    const TactModel *model;
    int              count;         // geoms that can touch something
    TactShape       *shapes;        //                                              (count)
    int             *geom_of_shape; //                                              (count)
    int             *shape_of_geom; // -1: it touches nothing                       (geoms)
    TactMeshTree   **mesh_trees;    // NULL where no such geom is that mesh         (meshes)
    TactMeshTree   **field_trees;   // the same of height fields                    (heightfields)
    TactMesh       **field_meshes;  // their surfaces                               (heightfields)
    bool             own_skins;     // skins of pairs are not the sums of those of their shapes
} TactModelShapes;

/// To be destroyed in any case.
TactStatus tact_model_shapes_create(const TactModel *model, TactModelShapes *shapes);
void       tact_model_shapes_destroy(TactModelShapes *shapes);

/// The sum of the skins of two shapes, in any order: the distance at which their geoms touch.
double tact_model_shapes_skin(const TactModelShapes *shapes, int shape_a, int shape_b);
/// What a shape has to be found further away for, because of pairs with larger skins than its own.
double tact_model_shapes_margin(const TactModelShapes *shapes, int shape);
/// Two shapes with the skins of their pair.
void tact_model_shapes_pair(const TactModelShapes *shapes, const int index[2], TactShape pair[2]);

/// The shape of a geom without a skin; its mesh, if it has one, has a tree.
TactShape tact_model_shape(const TactModelShapes *shapes, const TactGeom *geom);

#endif
