// The one place where qhull is called. It reports errors by longjmp and prints to a stream; both
// end here, in a status with what it said.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "model/mesh/mesh_hull.h"

void tact_hull_loops_destroy(TactHullLoops *loops)
{
    tact_release(loops->start);
    tact_release(loops->vertex);
    tact_release(loops->normal);
    *loops = (TactHullLoops){0};
}

#ifdef TACT_HAVE_QHULL

// Types of qhull are recursive macros that clang-tidy need not follow.
#include <libqhull_r/qhull_ra.h>

/// One run and what it leaves.
typedef struct Run {
    qhT             qh;
    const TactVec3 *points;
    int             count;
    TactHullLoops  *loops;
    FILE           *said; // to text
    char           *text; // what it said; from malloc()
    size_t          size;
} Run;

static TactStatus fail_with_words(Run *run, int code)
{
    fflush(run->said);
    // Its first line, "QH6154 qhull precision error: Initial simplex is flat ...", says it all.
    const char *words = run->text ? run->text : "";
    words += strspn(words, "\n ");
    return tact_fail(code == qh_ERRmem ? TACT_NO_MEMORY : TACT_UNSUPPORTED,
                     "qhull gives up on %d points: %.*s (code %d)", run->count,
                     (int)strcspn(words, "\n"), words, code);
}

/// Counts first, so that the arrays can be taken.
static TactStatus allocate_loops(Run *run)
{
    qhT    *qh = &run->qh;
    facetT *facet;
    size_t  faces = 0;
    size_t  edges = 0;
    FORALLfacets
    {
        faces++;
        edges += (size_t)(facet->simplicial ? 3 : qh_setsize(qh, facet->ridges));
    }
    void *block;
    TACT_TRY(tact_allocate(faces + 1, sizeof(int), &block));
    run->loops->start = block;
    TACT_TRY(tact_allocate(edges, sizeof(int), &block));
    run->loops->vertex = block;
    TACT_TRY(tact_allocate(faces, sizeof(TactVec3), &block));
    run->loops->normal = block;
    run->loops->edge_count = (int)edges;
    return TACT_OK;
}

/// Twice the area of a polygon along the normal that qhull has for it; negative if it runs
/// clockwise.
static double area_along(const Run *run, const int *loop, int count, TactVec3 normal)
{
    const TactVec3 *x = run->points;
    double          sum = 0;
    for (int i = 1; i + 1 < count; i++) {
        TactVec3 a = tact_vec3_subtract(x[loop[i]], x[loop[0]]);
        TactVec3 b = tact_vec3_subtract(x[loop[i + 1]], x[loop[0]]);
        sum += tact_vec3_dot(normal, tact_vec3_cross(a, b));
    }
    return sum;
}

static void reverse(int *loop, int count)
{
    for (int i = 0, j = count - 1; i < j; i++, j--) {
        int kept = loop[i];
        loop[i] = loop[j];
        loop[j] = kept;
    }
}

/// Writes the polygons; false if one has more edges than were counted, or fewer than 3.
static bool collect_loops(Run *run)
{
    qhT      *qh = &run->qh;
    facetT   *facet;
    vertexT  *vertex;
    vertexT **vertexp;
    int       faces = 0;
    int       used = 0;
    FORALLfacets
    {
        setT *corners = qh_facet3vertex(qh, facet);
        int   count = qh_setsize(qh, corners);
        int  *loop = run->loops->vertex + used;
        if (count < 3 || used + count > run->loops->edge_count) {
            qh_settempfree(qh, &corners);
            return false;
        }
        double *normal = facet->normal;
        run->loops->normal[faces] = (TactVec3){normal[0], normal[1], normal[2]};
        run->loops->start[faces++] = used;
        FOREACHvertex_(corners)
        {
            run->loops->vertex[used++] = qh_pointid(qh, vertex->point);
        }
        qh_settempfree(qh, &corners);
        if (area_along(run, loop, count, run->loops->normal[faces - 1]) < 0) {
            reverse(loop, count);
        }
    }
    run->loops->start[faces] = used;
    run->loops->face_count = faces;
    run->loops->edge_count = used;
    return true;
}

/// After a run, qhull's functions still report errors by longjmp. Nothing local changes between the
/// two returns of setjmp().
static TactStatus read_result(Run *run)
{
    TactStatus status = allocate_loops(run);
    if (status != TACT_OK) {
        return status;
    }
    int code = setjmp(run->qh.errexit);
    if (code) {
        run->qh.NOerrexit = True;
        return fail_with_words(run, code);
    }
    run->qh.NOerrexit = False;
    bool sound = collect_loops(run);
    run->qh.NOerrexit = True;
    if (!sound) {
        return tact_fail(TACT_UNSUPPORTED, "qhull leaves a face open on %d points", run->count);
    }
    return TACT_OK;
}

static TactStatus run_qhull(Run *run, double *coordinates, int max_vertices)
{
    // Pp: no words about precision. TAn: stop when n points have joined the first four.
    char command[40] = "qhull Pp";
    if (max_vertices > 0) {
        snprintf(command, sizeof command, "qhull Pp TA%d", max_vertices - 4);
    }
    qh_zero(&run->qh, run->said);
    int code = qh_new_qhull(&run->qh, 3, run->count, coordinates, False, command, NULL, run->said);
    TactStatus status = code ? fail_with_words(run, code) : read_result(run);
    int        long_blocks;
    int        long_bytes;
    qh_freeqhull(&run->qh, !qh_ALL);
    // Where memory lacked while its own tables were made, qhull leaves those that it had.
    bool  begun = run->qh.qhmem.LASTsize != 0;
    void *tables[] = {run->qh.qhmem.indextable, run->qh.qhmem.freelists, run->qh.qhmem.sizetable};
    qh_memfreeshort(&run->qh, &long_blocks, &long_bytes);
    for (int i = 0; i < 3 && !begun; i++) {
        free(tables[i]);
    }
    return status;
}

TactStatus tact_hull_loops_create(const TactVec3 *points, int count, int max_vertices,
                                  TactHullLoops *loops)
{
    void *block;
    void *coordinates;
    TACT_TRY(tact_allocate(1, sizeof(Run), &block));
    Run *run = block;
    *run = (Run){.points = points, .count = count, .loops = loops};
    *loops = (TactHullLoops){0};
    TactStatus status = tact_allocate(3 * (size_t)count, sizeof(double), &coordinates);
    if (status == TACT_OK) {
        memcpy(coordinates, points, 3 * (size_t)count * sizeof(double));
        run->said = open_memstream(&run->text, &run->size);
        status = run->said ? run_qhull(run, coordinates, max_vertices)
                           : tact_fail(TACT_NO_MEMORY, "no memory for what qhull says");
    }
    if (run->said) {
        fclose(run->said);
        free(run->text);
    }
    tact_release(coordinates);
    tact_release(run);
    if (status != TACT_OK) {
        tact_hull_loops_destroy(loops);
    }
    return status;
}

#else

TactStatus tact_hull_loops_create(const TactVec3 *points, int count, int max_vertices,
                                  TactHullLoops *loops)
{
    (void)points;
    (void)count;
    (void)max_vertices;
    *loops = (TactHullLoops){0};
    return tact_fail(TACT_UNSUPPORTED, "convex hulls need qhull, which this build does not have");
}

#endif
