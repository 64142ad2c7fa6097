// COLLADA, by assimp, from memory: no other file is opened.
//
// Lengths become metres by the file's <unit>, which assimp multiplies into the transform of the
// root. <up_axis> turns nothing: coordinates stay along the axes of the file. docs/design/ says
// why.
#include "base/library.h"
#include "base/memory.h"
#include "base/status.h"
#include "io/mesh/mesh_parts.h"

#ifdef TACT_HAVE_ASSIMP

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#define CALLS(X)                            \
    X(aiCreatePropertyStore)                \
    X(aiSetImportPropertyInteger)           \
    X(aiReleasePropertyStore)               \
    X(aiImportFileFromMemoryWithProperties) \
    X(aiReleaseImport)                      \
    X(aiGetErrorString)                     \
    X(aiIdentityMatrix4)                    \
    X(aiMultiplyMatrix4)                    \
    X(aiMatrix4Determinant)

#ifdef TACT_ASSIMP_FILE
TACT_LIBRARY_LATER(assimp, TACT_ASSIMP_FILE, CALLS)
#else
TACT_LIBRARY_LINKED(assimp, CALLS)
#endif

// assimp descends into elements, and this file into nodes, by recursion.
enum { DEEPEST = 200 };

/// Counts open elements, roughly: comments and texts with angle brackets do not matter here.
static bool is_too_deep(const char *bytes, size_t size)
{
    int depth = 0;
    for (size_t i = 0; i + 1 < size && depth <= DEEPEST; i++) {
        char next = bytes[i + 1];
        bool closes = (bytes[i] == '<' && next == '/') || (bytes[i] == '/' && next == '>');
        bool opens = bytes[i] == '<' && next != '/' && next != '!' && next != '?';
        depth += opens - closes;
    }
    return depth > DEEPEST;
}

static TactVec3 transform(const struct aiMatrix4x4 *T, const struct aiVector3D *v)
{
    return (TactVec3){
        (double)T->a1 * (double)v->x + (double)T->a2 * (double)v->y + (double)T->a3 * (double)v->z +
            (double)T->a4,
        (double)T->b1 * (double)v->x + (double)T->b2 * (double)v->y + (double)T->b3 * (double)v->z +
            (double)T->b4,
        (double)T->c1 * (double)v->x + (double)T->c2 * (double)v->y + (double)T->c3 * (double)v->z +
            (double)T->c4,
    };
}

static TactStatus add_mesh(const struct aiMesh *mesh, const struct aiMatrix4x4 *T,
                           TactMeshParts *parts)
{
    if (mesh->mNumVertices > INT32_MAX || mesh->mNumFaces > INT32_MAX) {
        return tact_fail(TACT_UNSUPPORTED, "a mesh has more than %d vertices", INT32_MAX);
    }
    TACT_TRY(tact_mesh_parts_reserve(parts, (int)mesh->mNumVertices, (int)mesh->mNumFaces));
    int  first = parts->vertex_count;
    bool mirrored = assimp.aiMatrix4Determinant(T) < 0;
    for (unsigned i = 0; i < mesh->mNumVertices; i++) {
        TACT_TRY(tact_mesh_parts_add_vertex(parts, transform(T, &mesh->mVertices[i])));
    }
    for (unsigned i = 0; i < mesh->mNumFaces; i++) {
        const struct aiFace *face = &mesh->mFaces[i];
        if (face->mNumIndices == 3) { // not points and lines
            int a = first + (int)face->mIndices[0];
            int b = first + (int)face->mIndices[mirrored ? 2 : 1];
            int c = first + (int)face->mIndices[mirrored ? 1 : 2];
            TACT_TRY(tact_mesh_parts_add_triangle(parts, a, b, c));
        }
    }
    return TACT_OK;
}

static TactStatus add_node(const struct aiScene *scene, const struct aiNode *node,
                           const struct aiMatrix4x4 *parent, TactMeshParts *parts)
{
    struct aiMatrix4x4 T = *parent;
    assimp.aiMultiplyMatrix4(&T, &node->mTransformation);
    for (unsigned i = 0; i < node->mNumMeshes; i++) {
        TACT_TRY(add_mesh(scene->mMeshes[node->mMeshes[i]], &T, parts));
    }
    for (unsigned i = 0; i < node->mNumChildren; i++) {
        TACT_TRY(add_node(scene, node->mChildren[i], &T, parts));
    }
    return TACT_OK;
}

TactStatus tact_dae_parse(const char *name, const char *bytes, size_t size, TactMeshParts *parts)
{
    if (is_too_deep(bytes, size)) {
        return tact_fail(TACT_UNSUPPORTED, "%s: has elements nested deeper than %d", name, DEEPEST);
    }
    if (size > UINT32_MAX) {
        return tact_fail(TACT_UNSUPPORTED, "%s: is longer than %u bytes", name, UINT32_MAX);
    }
    if (!assimp_load()) {
        return tact_fail(TACT_UNSUPPORTED, "%s: COLLADA needs assimp, which cannot be loaded",
                         name);
    }
    struct aiPropertyStore *settings = assimp.aiCreatePropertyStore();
    if (!settings) {
        return tact_fail(TACT_NO_MEMORY, "no memory for the settings of assimp");
    }
    assimp.aiSetImportPropertyInteger(settings, AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, 1);
    const struct aiScene *scene = assimp.aiImportFileFromMemoryWithProperties(
        bytes, (unsigned)size, aiProcess_Triangulate, "dae", settings);
    assimp.aiReleasePropertyStore(settings);
    if (!scene || !scene->mRootNode) {
        TactStatus status = tact_fail(TACT_BAD_INPUT, "%s: assimp cannot read it: %s", name,
                                      assimp.aiGetErrorString());
        assimp.aiReleaseImport(scene);
        return status;
    }
    struct aiMatrix4x4 identity;
    assimp.aiIdentityMatrix4(&identity);
    TactStatus status = add_node(scene, scene->mRootNode, &identity, parts);
    assimp.aiReleaseImport(scene);
    if (status == TACT_OK && parts->triangle_count == 0) {
        status = tact_fail(TACT_BAD_INPUT, "%s: has no triangles", name);
    }
    return status;
}

#else

TactStatus tact_dae_parse(const char *name, const char *bytes, size_t size, TactMeshParts *parts)
{
    (void)bytes;
    (void)size;
    (void)parts;
    return tact_fail(TACT_UNSUPPORTED, "%s: COLLADA needs assimp, which this build does not have",
                     name);
}

#endif
