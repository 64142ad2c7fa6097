// Meshes and hulls when memory runs out: at whichever call, an error and nothing lost.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tact/mesh.h>

#include "io/scratch.h"

/// Gives memory until `left` calls have been made.
typedef struct Purse {
    long left;
    long held; // blocks given and not taken back
} Purse;

static void *give(void *context, size_t size)
{
    Purse *purse = context;
    if (purse->left-- <= 0) {
        return NULL;
    }
    purse->held++;
    return malloc(size);
}

static void take_back(void *context, void *block)
{
    Purse *purse = context;
    purse->held -= block != NULL;
    free(block);
}

static const char cube[] =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n"
    "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";

static const char solid[] = "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
                            "vertex 0 1 0\nendloop\nendfacet\nendsolid\n";

/// Reads a file, and makes of it what can be made.
static TactStatus use(const char *name, const char *text)
{
    TactVec3       metres = {1, 1, 1};
    TactMesh      *mesh = NULL;
    TactMesh      *skin = NULL;
    TactHull      *hull = NULL;
    TactHullConfig config = tact_hull_config_default();
    TactStatus     status = tact_mesh_read_memory(name, text, strlen(text), metres, &mesh);
    if (status == TACT_OK && mesh->vertex_count > 3) {
        status = tact_hull_create(mesh->vertices, mesh->vertex_count, &config, &hull);
        if (status == TACT_OK) {
            status = tact_hull_to_mesh(hull, &skin);
        }
        if (status == TACT_OK) {
            TactMeshProperties convex;
            status = tact_mesh_compute_properties(mesh, TACT_MESH_INERTIA_CONVEX, 1, &convex);
        }
    }
    tact_mesh_destroy(skin);
    tact_hull_destroy(hull);
    tact_mesh_destroy(mesh);
    return status;
}

static void run_out_at_every_call(const char *name, const char *text, TactStatus end)
{
    Purse      purse = {0};
    TactStatus status = TACT_NO_MEMORY;
    int        calls = 0;
    tact_allocator_set(&(TactAllocator){give, take_back, &purse});
    for (; status == TACT_NO_MEMORY && calls < 1000; calls++) {
        purse = (Purse){.left = calls};
        status = use(name, text);
        assert_int_equal(purse.held, 0);
    }
    tact_allocator_set(NULL);
    assert_int_equal(status, end);
    assert_true(calls > 3);
}

static void nothing_is_lost_when_memory_runs_out(void **state)
{
    (void)state;
#ifdef TACT_HAVE_QHULL
    run_out_at_every_call("cube.obj", cube, TACT_OK);
#else
    run_out_at_every_call("cube.obj", cube, TACT_UNSUPPORTED);
#endif
    run_out_at_every_call("solid.stl", solid, TACT_OK);
    run_out_at_every_call("broken.obj", "v 0 0 0\nv 0 0 1\nv 0 1 0\nf 1 2 3\nf 1 2 4\n",
                          TACT_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_lost_when_memory_runs_out),
    };
    return cmocka_run_group_tests_name("io/mesh_memory", tests, NULL, NULL);
}
