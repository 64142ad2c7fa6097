// Motions from CSV files.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "io/text.h"
#include "sim/sim.h"

enum { MOST_NAME = 256 };

static const char SEPARATORS[] = ",;";

void tact_motion_destroy(TactMotion *motion)
{
    if (motion) {
        tact_release(motion->time);
        tact_release(motion->joints);
        tact_release(motion->position);
        tact_release(motion);
    }
}

/// The next word that is no comment; false at the end.
static bool next_word(TactText *text, TactWord *word)
{
    while (tact_text_word(text, SEPARATORS, word)) {
        if (word->length > 0 && word->start[0] != '#') {
            return true;
        }
        if (word->length > 0) {
            tact_text_skip_line(text);
        }
    }
    return false;
}

/// The joint of a column.
static TactStatus find_joint(const TactText *text, const TactModel *model, TactWord word,
                             int *joint)
{
    char name[MOST_NAME];
    if (word.length >= 2 && word.start[0] == '"' && word.start[word.length - 1] == '"') {
        word.start++;
        word.length -= 2;
    }
    if (word.length >= sizeof name) {
        return tact_text_fail(text, TACT_BAD_INPUT, "the name of a joint is too long");
    }
    memcpy(name, word.start, word.length);
    name[word.length] = '\0';
    *joint = tact_model_find(model, TACT_OBJECT_JOINT, name);
    if (*joint < 0) {
        return tact_text_fail(text, TACT_BAD_INPUT, "the model has no joint '%s'", name);
    }
    if (model->joints[*joint].type < TACT_JOINT_HINGE) {
        return tact_text_fail(text, TACT_BAD_INPUT,
                              "joint '%s' is a %s joint; only hinges and slides have one position",
                              name, tact_joint_type_name(model->joints[*joint].type));
    }
    return TACT_OK;
}

/// The first line: time, and the joints. The first word of the next line is left in word.
static TactStatus read_header(TactText *text, const TactModel *model, TactMotion *motion,
                              TactWord *word)
{
    if (!next_word(text, word) || !tact_word_is(*word, "time")) {
        return tact_text_unexpected(text, "'time' and names of joints", *word);
    }
    int line = text->line;
    TACT_TRY(tact_allocate((size_t)model->joint_count, sizeof *motion->joints,
                           (void **)&motion->joints));
    *word = (TactWord){NULL, 0};
    while (next_word(text, word) && text->line == line) {
        int joint = -1;
        TACT_TRY(find_joint(text, model, *word, &joint));
        for (int k = 0; k < motion->joint_count; k++) {
            if (motion->joints[k] == joint) {
                return tact_text_fail(text, TACT_BAD_INPUT, "joint '%s' is given twice",
                                      model->joints[joint].name);
            }
        }
        motion->joints[motion->joint_count++] = joint;
        *word = (TactWord){NULL, 0};
    }
    return motion->joint_count > 0 ? TACT_OK
                                   : tact_text_fail(text, TACT_BAD_INPUT, "there are no joints");
}

/// Room for one more moment.
static TactStatus grow_motion(TactMotion *motion, int *capacity)
{
    size_t  joints = (size_t)motion->joint_count, old = (size_t)motion->count;
    double *time = NULL, *position = NULL;
    if (motion->count < *capacity) {
        return TACT_OK;
    }
    size_t room = old > 0 ? 2 * old : 64;
    TACT_TRY(tact_allocate(room, sizeof *time, (void **)&time));
    TactStatus status = tact_allocate(room * joints, sizeof *position, (void **)&position);
    if (status != TACT_OK) {
        tact_release(time);
        return status;
    }
    if (old > 0) {
        memcpy(time, motion->time, old * sizeof *time);
        memcpy(position, motion->position, old * joints * sizeof *position);
    }
    tact_release(motion->time);
    tact_release(motion->position);
    motion->time = time;
    motion->position = position;
    *capacity = (int)room;
    return TACT_OK;
}

static TactStatus check_value(const TactText *text, const TactJoint *joint, double q)
{
    if (joint->limited && !(q >= joint->range[0] && q <= joint->range[1])) {
        return tact_text_fail(text, TACT_BAD_INPUT, "joint '%s': %g is beyond its limits, %g .. %g",
                              joint->name, q, joint->range[0], joint->range[1]);
    }
    return TACT_OK;
}

/// A line whose first word has been read; the first word of the next one is left in word.
static TactStatus read_moment(TactText *text, const TactModel *model, TactMotion *motion,
                              TactWord *word)
{
    int     line = text->line, at = motion->count;
    double *q = motion->position + (size_t)at * (size_t)motion->joint_count;
    TACT_TRY(tact_word_real(text, *word, "the time", TACT_FINITE_ONLY, &motion->time[at]));
    if (at > 0 && !(motion->time[at] > motion->time[at - 1])) {
        return tact_text_fail(text, TACT_BAD_INPUT, "time %g does not come after %g",
                              motion->time[at], motion->time[at - 1]);
    }
    int count = 0;
    *word = (TactWord){NULL, 0};
    while (next_word(text, word) && text->line == line) {
        if (count == motion->joint_count) {
            return tact_text_fail(text, TACT_BAD_INPUT, "there are more than %d values",
                                  motion->joint_count);
        }
        const TactJoint *joint = &model->joints[motion->joints[count]];
        TACT_TRY(tact_word_real(text, *word, joint->name, TACT_FINITE_ONLY, &q[count]));
        TACT_TRY(check_value(text, joint, q[count++]));
        *word = (TactWord){NULL, 0};
    }
    if (count < motion->joint_count) {
        text->line = line;
        return tact_text_fail(text, TACT_BAD_INPUT, "there are %d values for %d joints", count,
                              motion->joint_count);
    }
    motion->count++;
    return TACT_OK;
}

static TactStatus read_motion(TactText *text, const TactModel *model, TactMotion *motion)
{
    TactWord word = {NULL, 0};
    int      capacity = 0;
    TACT_TRY(read_header(text, model, motion, &word));
    while (word.length > 0) {
        TACT_TRY(grow_motion(motion, &capacity));
        TACT_TRY(read_moment(text, model, motion, &word));
    }
    return motion->count > 0 ? TACT_OK
                             : tact_text_fail(text, TACT_BAD_INPUT, "there are no moments");
}

TactStatus tact_motion_read(const TactModel *model, const char *path, TactMotion **motion)
{
    TACT_NEED(model && path && motion, "tact_motion_read");
    TactText text;
    *motion = NULL;
    TACT_TRY(tact_text_load(&text, path));
    TactMotion *read = NULL;
    TactStatus  status = tact_allocate(1, sizeof *read, (void **)&read);
    if (status == TACT_OK) {
        read->interpolation = TACT_INTERPOLATION_CUBIC;
        status = read_motion(&text, model, read);
    }
    tact_text_close(&text);
    if (status != TACT_OK) {
        tact_motion_destroy(read);
        return status;
    }
    *motion = read;
    return TACT_OK;
}
