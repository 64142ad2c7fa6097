#include "io/mjcf_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static TactStatus load(const char *inside, TactModel **model, TactModelNotes **notes)
{
    size_t size = strlen(inside) + 64;
    char  *text = malloc(size);
    assert_non_null(text);
    snprintf(text, size, "<mujoco>%s</mujoco>", inside);
    TactModelLoadConfig config = tact_model_load_config_default();
    TactStatus status = tact_model_load_memory("a.xml", text, strlen(text), &config, model, notes);
    free(text);
    return status;
}

TactModel *tact_mjcf_model(const char *inside)
{
    TactModel *model = NULL;
    if (load(inside, &model, NULL) != TACT_OK) {
        fail_msg("%s", tact_status_message());
    }
    return model;
}

TactModel *tact_mjcf_body(const char *inside)
{
    char text[4096];
    int  length = snprintf(text, sizeof text,
                           "<worldbody><body><geom size='1'/>%s</body></worldbody>", inside);
    assert_true(length < (int)sizeof text);
    return tact_mjcf_model(text);
}

TactModel *tact_mjcf_file(const char *name)
{
    char                path[1024];
    TactModel          *model = NULL;
    TactModelLoadConfig config = tact_model_load_config_default();
    snprintf(path, sizeof path, "%s/tests/models/mjcf/%s", TACT_SOURCE_DIR, name);
    if (tact_model_load(path, &config, &model, NULL) != TACT_OK) {
        fail_msg("%s", tact_status_message());
    }
    return model;
}

void tact_mjcf_refuses(const char *inside, TactStatus expected, const char *words)
{
    TactModel      *model = NULL;
    TactModelNotes *notes = NULL;
    TactStatus      status = load(inside, &model, &notes);
    if (status != expected) {
        fail_msg("status %s instead of %s for: %.200s", tact_status_name(status),
                 tact_status_name(expected), inside);
    }
    assert_null(model);
    assert_non_null(notes);
    if (!strstr(tact_status_message(), words)) {
        fail_msg("'%s' does not say '%s'", tact_status_message(), words);
    }
    tact_model_notes_destroy(notes);
}

int tact_mjcf_notes(const char *inside, const char *element, const char *attribute,
                    TactVerdict verdict)
{
    TactModel      *model = NULL;
    TactModelNotes *notes = NULL;
    if (load(inside, &model, &notes) != TACT_OK) {
        fail_msg("%s", tact_status_message());
    }
    int count = 0;
    for (int i = 0; i < notes->count; i++) {
        const TactModelNote *note = &notes->items[i];
        count += note->verdict == verdict && strcmp(note->element, element) == 0 &&
                 strcmp(note->attribute, attribute) == 0;
        assert_true((note->verdict == TACT_VERDICT_HONOURED) == (note->text[0] == '\0'));
    }
    tact_model_notes_destroy(notes);
    tact_model_destroy(model);
    return count;
}

void tact_mjcf_near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-14 * fmax(1, fabs(b)))) {
        fail_msg("%.17g instead of %.17g", a, b);
    }
}

void tact_mjcf_near3(TactVec3 a, double x, double y, double z)
{
    tact_mjcf_near(a.x, x);
    tact_mjcf_near(a.y, y);
    tact_mjcf_near(a.z, z);
}

void tact_mjcf_turned(TactQuat q, double w, double x, double y, double z)
{
    double dot = (q.w * w + q.x * x + q.y * y + q.z * z) / sqrt(w * w + x * x + y * y + z * z);
    if (!(fabs(fabs(dot) - 1) <= 1e-14)) {
        fail_msg("%g %g %g %g is not the rotation %g %g %g %g", q.w, q.x, q.y, q.z, w, x, y, z);
    }
}
