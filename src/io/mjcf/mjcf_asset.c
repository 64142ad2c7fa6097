// Meshes, height fields and materials.
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/status.h"
#include "io/mesh/mesh.h"
#include "io/mjcf/mjcf.h"
#include "io/text.h"

// ---------------------------------------------------------------------------------------------
// Files

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/// Where a file of an asset is: in the folder of the compiler's setting, seen from the model, or if
/// it is not there, from the file that names it.
static TactStatus find_file(TactMjcf *mjcf, const TactXmlNode *node, const char *setting,
                            const char **path)
{
    const char *name;
    TACT_TRY(tact_xml_need(node, "file", &name));
    if (tact_mjcf_compiler(mjcf, node)->strip_path) {
        name = base_name(name);
    }
    const char *within = tact_xml_join(mjcf->xml, setting ? setting : "", name);
    *path = within ? tact_xml_join(mjcf->xml, mjcf->attachments.models[node->model].folder, within)
                   : NULL;
    if (!*path) {
        return TACT_NO_MEMORY;
    }
    if (access(*path, R_OK) != 0) {
        const char *folder = tact_xml_folder(mjcf->xml, node->file);
        const char *other = folder ? tact_xml_join(mjcf->xml, folder, within) : NULL;
        if (!other) {
            return TACT_NO_MEMORY;
        }
        if (access(other, R_OK) == 0) {
            *path = other;
        }
    }
    return TACT_OK;
}

/// The name of an asset: its own, or that of its file without folders and ending.
static TactStatus asset_name(TactMjcf *mjcf, const TactXmlNode *node, const char **name)
{
    *name = tact_xml_get(node, "name");
    const char *file = tact_xml_get(node, "file");
    if (!*name && file) {
        const char *base = base_name(file);
        const char *dot = strrchr(base, '.');
        *name = tact_xml_pool_copy(&mjcf->xml->pool, base,
                                   dot && dot != base ? (size_t)(dot - base) : strlen(base));
        return *name ? TACT_OK : TACT_NO_MEMORY;
    }
    return *name && **name ? TACT_OK
                           : tact_xml_fail(node, NULL, TACT_BAD_INPUT, "needs a name or a file");
}

static TactStatus check_new(const TactXmlNode *node, const TactMjcfAsset *list, const char *name)
{
    for (const TactMjcfAsset *other = list; other; other = other->next) {
        if (strcmp(other->name, name) == 0) {
            return tact_xml_fail(node, NULL, TACT_BAD_INPUT, "there is a %s '%s' already",
                                 node->name, name);
        }
    }
    return TACT_OK;
}

/// NULL: no memory
static TactMjcfAsset *add_asset(TactMjcf *mjcf, TactMjcfAsset **list, const char *name)
{
    TactMjcfAsset *asset = tact_xml_pool_take(&mjcf->xml->pool, 1, sizeof *asset);
    if (asset) {
        asset->name = name;
        asset->next = *list;
        *list = asset;
    }
    return asset;
}

// ---------------------------------------------------------------------------------------------
// Meshes

/// Is the mesh named by <text name="tact_mesh" data="NAME ..."/> in <custom>, or is "*"?
static bool is_wanted_as_it_is(const TactMjcf *mjcf, const char *name)
{
    for (TactXmlNode *custom = tact_xml_child(mjcf->root, "custom"); custom;
         custom = tact_xml_next(custom, "custom")) {
        for (TactXmlNode *text = tact_xml_child(custom, "text"); text;
             text = tact_xml_next(text, "text")) {
            const char *key = tact_xml_get(text, "name");
            const char *list = tact_xml_get(text, "data");
            while (key && strcmp(key, "tact_mesh") == 0 && list && *list) {
                size_t length = strcspn(list, " \t\r\n");
                if ((length == 1 && *list == '*') ||
                    (length == strlen(name) && strncmp(list, name, length) == 0)) {
                    return true;
                }
                list += length;
                list += strspn(list, " \t\r\n");
            }
        }
    }
    return false;
}

/// x' = scale (R(refquat)' (x - refpos))
typedef struct Change {
    TactVec3 position;
    TactQuat rotation;
    double   scale[3];
    bool     moves; // more than the scale
} Change;

static TactStatus read_change(TactMjcf *mjcf, const TactXmlNode *node, const double scale[3],
                              Change *change)
{
    double p[3] = {0};
    double q[4] = {1, 0, 0, 0};
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "refpos", 3, 3, p, NULL));
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "refquat", 4, 4, q, NULL));
    for (int i = 0; i < 3; i++) {
        if (scale[i] == 0) {
            return tact_xml_fail(node, "scale", TACT_BAD_INPUT, "has a zero");
        }
        change->scale[i] = scale[i];
    }
    change->position = (TactVec3){p[0], p[1], p[2]};
    change->rotation = tact_quat_normalise((TactQuat){q[0], q[1], q[2], q[3]});
    change->moves =
        p[0] != 0 || p[1] != 0 || p[2] != 0 || q[0] != 1 || q[1] != 0 || q[2] != 0 || q[3] != 0;
    return TACT_OK;
}

static TactVec3 apply(const Change *change, TactVec3 x)
{
    TactVec3 y = tact_quat_rotate_back(change->rotation, tact_vec3_subtract(x, change->position));
    return (TactVec3){change->scale[0] * y.x, change->scale[1] * y.y, change->scale[2] * y.z};
}

/// A mesh of changed vertices; a mirror image is turned inside out again.
static TactStatus make_changed(const Change *change, const TactVec3 *vertices, int vertex_count,
                               const TactTriangle *triangles, int triangle_count, TactMesh **mesh)
{
    void *v = NULL;
    void *t = NULL;
    bool  mirror = change->scale[0] * change->scale[1] * change->scale[2] < 0;
    TACT_TRY(tact_allocate((size_t)vertex_count, sizeof(TactVec3), &v));
    TactStatus status = tact_allocate((size_t)triangle_count, sizeof(TactTriangle), &t);
    if (status == TACT_OK) {
        TactVec3     *moved = v;
        TactTriangle *turned = t;
        for (int i = 0; i < vertex_count; i++) {
            moved[i] = apply(change, vertices[i]);
        }
        for (int i = 0; i < triangle_count; i++) {
            turned[i] = triangles[i];
            if (mirror) {
                turned[i].vertex[1] = triangles[i].vertex[2];
                turned[i].vertex[2] = triangles[i].vertex[1];
            }
        }
        status = tact_mesh_create(moved, vertex_count, triangle_count > 0 ? turned : NULL,
                                  triangle_count, mesh);
    }
    tact_release(v);
    tact_release(t);
    return status;
}

static TactStatus read_mesh_file(TactMjcf *mjcf, const TactXmlNode *node, const char *name,
                                 const Change *change, TactMesh **mesh)
{
    const TactMjcfCompiler *compiler = tact_mjcf_compiler(mjcf, node);
    const char             *path;
    TACT_TRY(find_file(
        mjcf, node, compiler->mesh_folder ? compiler->mesh_folder : compiler->asset_folder, &path));
    int       objects = 0;
    bool      all = is_wanted_as_it_is(mjcf, name);
    TactVec3  scale = {change->scale[0], change->scale[1], change->scale[2]}, one = {1, 1, 1};
    TactMesh *plain = NULL;
    TACT_TRY(all ? tact_mesh_read(path, change->moves ? one : scale, &plain)
                 : tact_mesh_read_first(path, change->moves ? one : scale, &plain, &objects));
    if (objects > 1) {
        TACT_TRY(tact_model_reader_note(mjcf->reader, node, "file", TACT_VERDICT_IGNORED, false,
                                        "it has several objects, and MuJoCo weighs the first "
                                        "alone: so does tact; the hull has them all"));
    }
    if (!change->moves) {
        *mesh = plain;
        return TACT_OK;
    }
    TactStatus status = make_changed(change, plain->vertices, plain->vertex_count, plain->triangles,
                                     plain->triangle_count, mesh);
    tact_mesh_destroy(plain);
    return status;
}

static TactStatus read_mesh_inline(TactMjcf *mjcf, const TactXmlNode *node, const Change *change,
                                   TactMesh **mesh)
{
    double *vertex;
    double *face = NULL;
    int     vertex_numbers;
    int     face_numbers;
    TACT_TRY(tact_xml_list(mjcf->xml, node, "vertex", &vertex, &vertex_numbers));
    TACT_TRY(tact_xml_list(mjcf->xml, node, "face", &face, &face_numbers));
    if (vertex_numbers == 0 || vertex_numbers % 3 != 0 || face_numbers % 3 != 0) {
        return tact_xml_fail(node, NULL, TACT_BAD_INPUT,
                             "vertex and face need three numbers for each of their entries");
    }
    TactVec3 *vertices =
        tact_xml_pool_take(&mjcf->xml->pool, (size_t)vertex_numbers / 3, sizeof *vertices);
    TactTriangle *triangles =
        tact_xml_pool_take(&mjcf->xml->pool, (size_t)face_numbers / 3 + 1, sizeof *triangles);
    if (!vertices || !triangles) {
        return TACT_NO_MEMORY;
    }
    int count = vertex_numbers / 3;
    for (int i = 0; i < count; i++) {
        vertices[i] = (TactVec3){vertex[3 * i], vertex[3 * i + 1], vertex[3 * i + 2]};
    }
    for (int i = 0; i < face_numbers; i++) {
        if (!(face[i] >= 0 && face[i] < count)) {
            return tact_xml_fail(node, "face", TACT_BAD_INPUT, "there is no vertex %g", face[i]);
        }
        triangles[i / 3].vertex[i % 3] = (int)face[i];
    }
    return make_changed(change, vertices, count, triangles, face_numbers / 3, mesh);
}

static TactStatus read_mesh_itself(TactMjcf *mjcf, const TactXmlNode *node, const char *name,
                                   const Change *change, TactMesh **mesh)
{
    if (tact_xml_get(node, "file")) {
        return read_mesh_file(mjcf, node, name, change, mesh);
    }
    if (tact_xml_get(node, "vertex")) {
        return read_mesh_inline(mjcf, node, change, mesh);
    }
    const char *builtin = tact_xml_get(node, "builtin");
    if (builtin && strcmp(builtin, "none") != 0) {
        TactMjcfSolid shape;
        TACT_TRY(tact_mjcf_make_builtin(mjcf, node, &shape));
        return make_changed(change, shape.vertices, shape.vertex_count, shape.triangles,
                            shape.triangle_count, mesh);
    }
    return tact_xml_fail(node, NULL, TACT_BAD_INPUT,
                         "has neither a file, nor vertices, nor builtin");
}

static TactStatus add_mesh(TactMjcf *mjcf, const TactXmlNode *node, const char *name,
                           TactMjcfAsset *asset)
{
    const TactMjcfClass *class;
    Change    change = {0};
    TactMesh *mesh = NULL;
    TACT_TRY(tact_mjcf_class(mjcf, node, "class", tact_mjcf_compiler(mjcf, node)->main, &class));
    TactMjcfMesh source = class->mesh;
    TACT_TRY(tact_mjcf_read_mesh(mjcf, node, &source));
    TACT_TRY(read_change(mjcf, node, source.scale, &change));
    TactStatus status = read_mesh_itself(mjcf, node, name, &change, &mesh);
    if (status != TACT_OK) {
        char        reason[384];
        const char *said = tact_status_message();
        char        place[256];
        snprintf(place, sizeof place, "%s:%d:", node->file, node->line);
        if (strncmp(said, place, strlen(place)) == 0) {
            return status;
        }
        snprintf(reason, sizeof reason, "%s", said);
        return tact_xml_fail(node, NULL, status, "'%s': %s", name, reason);
    }
    asset->inertia = source.inertia;
    asset->shape = mesh;
    asset->triangles = is_wanted_as_it_is(mjcf, name);
    return tact_model_builder_add_mesh(mjcf->reader->builder, name, mesh, tact_xml_source(node),
                                       &asset->mesh);
}

// ---------------------------------------------------------------------------------------------
// Height fields

/// Heights become 0 .. 1; a flat field is 0.
static void normalise(double *height, size_t count)
{
    double lo = height[0];
    double hi = height[0];
    for (size_t i = 0; i < count; i++) {
        lo = height[i] < lo ? height[i] : lo;
        hi = height[i] > hi ? height[i] : hi;
    }
    for (size_t i = 0; i < count; i++) {
        height[i] = hi > lo ? (height[i] - lo) / (hi - lo) : 0;
    }
}

static TactStatus take_heights(TactMjcf *mjcf, TactHeightField *field, double **height)
{
    *height = tact_xml_pool_take(&mjcf->xml->pool, (size_t)field->rows * (size_t)field->columns,
                                 sizeof(double));
    field->height = *height;
    return *height ? TACT_OK : TACT_NO_MEMORY;
}

/// MuJoCo's own format: rows, columns (int32), heights (float32), row by row.
static TactStatus decode_field(TactMjcf *mjcf, const TactXmlNode *node, const unsigned char *bytes,
                               size_t size, TactHeightField *field)
{
    int32_t sizes[2];
    if (size < sizeof sizes) {
        return tact_xml_fail(node, "file", TACT_BAD_INPUT, "is too short");
    }
    memcpy(sizes, bytes, sizeof sizes);
    field->rows = sizes[0];
    field->columns = sizes[1];
    if (sizes[0] < 2 || sizes[1] < 2 || (size_t)sizes[0] > SIZE_MAX / 4 / (size_t)sizes[1] ||
        size != sizeof sizes + 4 * (size_t)sizes[0] * (size_t)sizes[1]) {
        return tact_xml_fail(node, "file", TACT_BAD_INPUT,
                             "is not of the length that its %d rows and %d columns need", sizes[0],
                             sizes[1]);
    }
    double *height;
    TACT_TRY(take_heights(mjcf, field, &height));
    for (size_t i = 0; i < (size_t)field->rows * (size_t)field->columns; i++) {
        float value;
        memcpy(&value, bytes + sizeof sizes + 4 * i, sizeof value);
        height[i] = value;
        if (!(value - value == 0)) {
            return tact_xml_fail(node, "file", TACT_BAD_INPUT, "height %zu is not finite", i);
        }
    }
    return TACT_OK;
}

static TactStatus read_field_file(TactMjcf *mjcf, const TactXmlNode *node, TactHeightField *field)
{
    enum { LARGEST = 1 << 28 };
    const char *path;
    TACT_TRY(find_file(mjcf, node, tact_mjcf_compiler(mjcf, node)->asset_folder, &path));
    size_t length = strlen(path);
    if (length > 4 && strcmp(path + length - 4, ".png") == 0) {
        return tact_mjcf_read_png(mjcf, node, path, field);
    }
    FILE *stream = fopen(path, "rb");
    if (!stream) {
        return tact_xml_fail(node, "file", TACT_IO_ERROR, "'%s' cannot be opened", path);
    }
    long       end = fseek(stream, 0, SEEK_END) == 0 ? ftell(stream) : -1;
    void      *block = NULL;
    TactStatus status = end < 0 || end > LARGEST ? tact_xml_fail(node, "file", TACT_IO_ERROR,
                                                                 "'%s' cannot be read", path)
                                                 : tact_allocate((size_t)end, 1, &block);
    if (status == TACT_OK) {
        rewind(stream);
        status = fread(block, 1, (size_t)end, stream) == (size_t)end
                     ? decode_field(mjcf, node, block, (size_t)end, field)
                     : tact_xml_fail(node, "file", TACT_IO_ERROR, "'%s' cannot be read", path);
    }
    fclose(stream);
    tact_release(block);
    return status;
}

/// The first row of the text is the one of largest y.
static TactStatus read_field_inline(TactMjcf *mjcf, const TactXmlNode *node, TactHeightField *field)
{
    double *given;
    double *height;
    int     count;
    TACT_TRY(tact_xml_int(node, "nrow", 2, 100000, &field->rows));
    TACT_TRY(tact_xml_int(node, "ncol", 2, 100000, &field->columns));
    if (field->rows < 2 || field->columns < 2 || field->rows > (1 << 26) / field->columns) {
        return tact_xml_fail(node, NULL, TACT_BAD_INPUT,
                             "needs a file, or nrow and ncol of at least 2 (and not too many)");
    }
    TACT_TRY(tact_xml_list(mjcf->xml, node, "elevation", &given, &count));
    if (count != 0 && count != field->rows * field->columns) {
        return tact_xml_fail(node, "elevation", TACT_BAD_INPUT,
                             "has %d numbers and not %d rows of %d", count, field->rows,
                             field->columns);
    }
    TACT_TRY(take_heights(mjcf, field, &height));
    for (int i = 0; count > 0 && i < field->rows; i++) {
        memcpy(height + (size_t)(field->rows - 1 - i) * (size_t)field->columns,
               given + (size_t)i * (size_t)field->columns, (size_t)field->columns * sizeof(double));
    }
    return TACT_OK;
}

static TactStatus add_field(TactMjcf *mjcf, const TactXmlNode *node)
{
    TactHeightField field = {0};
    double          size[4];
    TACT_TRY(asset_name(mjcf, node, &field.name));
    if (!tact_xml_get(node, "size")) {
        return tact_xml_fail(node, NULL, TACT_BAD_INPUT, "needs the attribute 'size'");
    }
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "size", 4, 4, size, NULL));
    for (int i = 0; i < 4; i++) {
        if (!(size[i] > 0)) {
            return tact_xml_fail(node, "size", TACT_BAD_INPUT, "is not positive");
        }
    }
    TACT_TRY(tact_xml_get(node, "file") ? read_field_file(mjcf, node, &field)
                                        : read_field_inline(mjcf, node, &field));
    normalise((double *)field.height, (size_t)field.rows * (size_t)field.columns);
    field.half[0] = size[0];
    field.half[1] = size[1];
    field.top = size[2];
    field.base = size[3];
    return tact_model_builder_add_heightfield(mjcf->reader->builder, &field, tact_xml_source(node),
                                              NULL);
}

// ---------------------------------------------------------------------------------------------

static TactStatus add_material(TactMjcf *mjcf, const TactXmlNode *node)
{
    const TactMjcfClass *class;
    const char *name;
    TACT_TRY(tact_xml_need(node, "name", &name));
    TACT_TRY(check_new(node, mjcf->materials, name));
    TACT_TRY(tact_mjcf_class(mjcf, node, "class", tact_mjcf_compiler(mjcf, node)->main, &class));
    TactMjcfAsset *material = add_asset(mjcf, &mjcf->materials, name);
    if (!material) {
        return TACT_NO_MEMORY;
    }
    memcpy(material->rgba, class->material_rgba, sizeof material->rgba);
    return tact_xml_reals(mjcf->xml, node, "rgba", 4, 4, material->rgba, NULL);
}

static TactStatus add_element(TactMjcf *mjcf, const TactXmlNode *node)
{
    const char *name;
    if (tact_xml_is(node, "hfield")) {
        return add_field(mjcf, node);
    }
    if (tact_xml_is(node, "mesh")) {
        TACT_TRY(asset_name(mjcf, node, &name));
        TACT_TRY(check_new(node, mjcf->meshes, name));
        TactMjcfAsset *mesh = add_asset(mjcf, &mjcf->meshes, name);
        return mesh ? add_mesh(mjcf, node, name, mesh) : TACT_NO_MEMORY;
    }
    return tact_xml_is(node, "material") ? add_material(mjcf, node) : TACT_OK; // others are noted
}

TactStatus tact_mjcf_assets(TactMjcf *mjcf)
{
    for (TactXmlNode *section = tact_xml_child(mjcf->root, "asset"); section;
         section = tact_xml_next(section, "asset")) {
        for (TactXmlNode *node = section->first; node; node = node->next) {
            TACT_TRY(add_element(mjcf, node));
        }
    }
    return TACT_OK;
}
