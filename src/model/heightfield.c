// A height field as the solid that it is: its surface, four sides and a base.
#include <tact/model.h>

#include "base/memory.h"
#include "base/status.h"

typedef struct Maker {
    const TactHeightField *field;
    int                    vertex_count, triangle_count;
    TactVec3              *vertices;
    TactTriangle          *triangles;
} Maker;

static int border_count(const TactHeightField *field)
{
    return 2 * (field->rows - 1) + 2 * (field->columns - 1);
}

/// The k-th point of the border, counter-clockwise seen from above.
static int border_point(const TactHeightField *field, int k)
{
    int wide = field->columns - 1, high = field->rows - 1;
    int row, column;
    k %= border_count(field);
    if (k < wide) {
        row = 0;
        column = k;
    } else if (k < wide + high) {
        row = k - wide;
        column = wide;
    } else if (k < 2 * wide + high) {
        row = high;
        column = 2 * wide + high - k;
    } else {
        row = 2 * (wide + high) - k;
        column = 0;
    }
    return row * field->columns + column;
}

static void add_triangle(Maker *m, int a, int b, int c)
{
    m->triangles[m->triangle_count++] = (TactTriangle){{a, b, c}};
}

/// Two triangles a square, both with the diagonal from the least row and column to the greatest.
static void add_surface(Maker *m)
{
    const TactHeightField *f = m->field;
    int                    rows = f->rows, columns = f->columns;
    for (int i = 0; i < rows * columns; i++) {
        int r = i / columns, c = i % columns;
        m->vertices[m->vertex_count++] =
            (TactVec3){f->half[0] * (2.0 * c / (columns - 1) - 1),
                       f->half[1] * (2.0 * r / (rows - 1) - 1), f->top * f->height[i]};
        if (r + 1 < rows && c + 1 < columns) {
            add_triangle(m, i, i + 1, i + columns + 1);
            add_triangle(m, i, i + columns + 1, i + columns);
        }
    }
}

/// From the border down to the base, and the base from its middle to each side.
static void add_sides(Maker *m)
{
    const TactHeightField *f = m->field;
    int                    count = border_count(f), below = m->vertex_count;
    for (int k = 0; k < count; k++) {
        TactVec3 v = m->vertices[border_point(f, k)];
        m->vertices[m->vertex_count++] = (TactVec3){v.x, v.y, -f->base};
    }
    int middle = m->vertex_count;
    m->vertices[m->vertex_count++] = (TactVec3){0, 0, -f->base};
    for (int k = 0; k < count; k++) {
        int top = border_point(f, k), next = border_point(f, k + 1);
        int low = below + k, low_next = below + (k + 1) % count;
        add_triangle(m, top, low, low_next);
        add_triangle(m, top, low_next, next);
        add_triangle(m, middle, low_next, low);
    }
}

TactStatus tact_heightfield_to_mesh(const TactHeightField *field, TactMesh **mesh)
{
    if (!field || !mesh || field->rows < 2 || field->columns < 2 || !field->height) {
        return tact_fail(TACT_BAD_ARGUMENT, "height field: it is NULL, or smaller than 2 x 2");
    }
    Maker  m = {.field = field};
    size_t points = (size_t)field->rows * (size_t)field->columns;
    size_t border = (size_t)border_count(field);
    *mesh = NULL;
    TACT_TRY(tact_allocate(points + border + 1, sizeof *m.vertices, (void **)&m.vertices));
    TactStatus status =
        tact_allocate(2 * points + 3 * border, sizeof *m.triangles, (void **)&m.triangles);
    if (status == TACT_OK) {
        add_surface(&m);
        if (field->base > 0) {
            add_sides(&m);
        }
        status = tact_mesh_create(m.vertices, m.vertex_count, m.triangles, m.triangle_count, mesh);
    }
    tact_release(m.vertices);
    tact_release(m.triangles);
    return status;
}
