#include "bench/engines.h"

#include <math.h>
#include <string.h>

/// Does a list of names between commas have this one?
static bool has_name(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; at && *at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == 0)) {
            return true;
        }
    }
    return false;
}

int tact_bench_load_engines(const TactBenchEngines *wanted, const TactSimPeer **engine, int most)
{
    TactPeers peers;
    int       count = 0;
    engine[count++] = wanted->own;
    if (!wanted->peers || !tact_bench_load_peers(wanted->module, &peers)) {
        return count;
    }
    for (const TactSimPeer *peer = peers.sim; peer->name; peer++) {
        bool tells = !wanted->states || (peer->hard && (peer->get_coordinates || peer->get_motion));
        bool asked = !wanted->only || has_name(wanted->only, peer->name);
        if (tells && asked && count < most) {
            engine[count++] = peer;
        }
    }
    return count;
}

double tact_bench_engine_friction(const TactModel *model, int a, int b)
{
    int pair = -1;
    return !tact_model_may_touch(model, a, b, &pair) ? -1
           : pair >= 0 ? fmax(model->pairs[pair].mu[0], model->pairs[pair].mu[1])
                       : tact_model_get_friction(model, a, b);
}

bool tact_bench_shape(const TactModel *model, const TactGeom *geom, TactShape *shape)
{
    static const TactShapeType shape_of_geom[TACT_GEOM_TYPE_COUNT] = {
        [TACT_GEOM_PLANE] = TACT_SHAPE_PLANE,
        [TACT_GEOM_SPHERE] = TACT_SHAPE_SPHERE,
        [TACT_GEOM_CAPSULE] = TACT_SHAPE_CAPSULE,
        [TACT_GEOM_CYLINDER] = TACT_SHAPE_CYLINDER,
        [TACT_GEOM_BOX] = TACT_SHAPE_BOX,
        [TACT_GEOM_ELLIPSOID] = TACT_SHAPE_ELLIPSOID,
        [TACT_GEOM_CONVEX] = TACT_SHAPE_HULL,
        [TACT_GEOM_MESH] = TACT_SHAPE_TYPE_COUNT,
        [TACT_GEOM_HEIGHTFIELD] = TACT_SHAPE_TYPE_COUNT,
    };
    *shape = (TactShape){.type = shape_of_geom[geom->type]};
    memcpy(shape->size, geom->size, sizeof shape->size);
    if (shape->type == TACT_SHAPE_HULL) {
        shape->hull = model->meshes[geom->mesh].hull;
    }
    return shape->type != TACT_SHAPE_TYPE_COUNT;
}
