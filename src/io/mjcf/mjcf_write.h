// Writing a model as MJCF: what its two files share.
#ifndef TACT_IO_MJCF_MJCF_WRITE_H
#define TACT_IO_MJCF_MJCF_WRITE_H

#include <stdbool.h>
#include <stdio.h>
#include <tact/model.h>

typedef struct TactMjcfWriter {
    const TactModel *model;
    FILE            *stream;
} TactMjcfWriter;

/// Attributes; numbers with all their digits.
void tact_mjcf_put_text(const TactMjcfWriter *w, const char *name, const char *text);
/// A spring or damper: its first term, and the others where there are any.
void tact_mjcf_put_terms(const TactMjcfWriter *w, const char *name, double first,
                         const double more[2]);
void tact_mjcf_put_reals(const TactMjcfWriter *w, const char *name, const double *x, int count);
void tact_mjcf_put_real(const TactMjcfWriter *w, const char *name, double x, double unless);
void tact_mjcf_put_int(const TactMjcfWriter *w, const char *name, int x, int unless);
/// word="true" name="lo hi", if it is limited.
void tact_mjcf_put_range(const TactMjcfWriter *w, const char *word, const char *name, bool limited,
                         const double range[2]);
/// The name of a thing; "geom_3" if it has none.
void tact_mjcf_put_name(const TactMjcfWriter *w, const char *attribute, TactObject type, int index);

/// Is its range a single value? MJCF has no such limit: it is written as an equality.
static inline bool tact_mjcf_is_locked(const TactJoint *joint)
{
    return joint->limited && !(joint->range[0] < joint->range[1]);
}

/// Contacts, equalities, tendons, actuators and keyframes. mjcf_write_links.c
void tact_mjcf_write_links(const TactMjcfWriter *w);

#endif
