// Why something slips, or how near it is, in words.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim/readout/readout.h"

typedef struct Words {
    char  *text;
    size_t size;
} Words;

/// The name of a geom, or that of its body if it has none.
static const char *geom_label(const TactModel *model, int geom, char text[64])
{
    if (model->geoms[geom].name[0] != '\0') {
        return tact_model_label(model, TACT_OBJECT_GEOM, geom, text);
    }
    return tact_model_label(model, TACT_OBJECT_BODY, model->geoms[geom].body, text);
}

/// Adds to the words, as far as there is room.
__attribute__((format(printf, 2, 3))) static void say(Words *words, const char *format, ...)
{
    size_t  used = strlen(words->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words->text + used, words->size - used, format, arguments);
    va_end(arguments);
}

static const char *source_of(TactSimLoad load)
{
    static const char *const names[TACT_SIM_LOAD_COUNT] = {
        [TACT_SIM_LOAD_GRAVITY] = "gravity",
        [TACT_SIM_LOAD_ACTUATORS] = "actuators",
        [TACT_SIM_LOAD_SPRINGS] = "springs and dampers",
        [TACT_SIM_LOAD_APPLIED] = "applied forces",
        [TACT_SIM_LOAD_MOTION] = "inertia",
        [TACT_SIM_LOAD_FRICTION] = "friction that slides elsewhere",
        [TACT_SIM_LOAD_TARGETS] = "gaps that close and motion that is asked for",
    };
    return names[load];
}

/// "4.2 N from gravity, 0.7 N from actuators", largest first; what is below 1 % is left out.
static void say_shares(Words *words, const double *shares, double whole)
{
    bool        said[TACT_SIM_LOAD_COUNT] = {0};
    const char *between = "";
    for (int round = 0; round < TACT_SIM_LOAD_COUNT; round++) {
        int next = -1;
        for (int k = 0; k < TACT_SIM_LOAD_COUNT; k++) {
            if (!said[k] && (next < 0 || fabs(shares[k]) > fabs(shares[next]))) {
                next = k;
            }
        }
        said[next] = true;
        if (fabs(shares[next]) >= 0.01 * whole) {
            say(words, "%s%.3g N from %s", between, shares[next], source_of((TactSimLoad)next));
            between = ", ";
        }
    }
}

static void say_hold(Words *words, const TactSimPatch *p)
{
    double most = p->mu * p->normal_force;
    say(words,
        " holds and uses %.2f of its friction; the tangential load is %.3g N of at most %.3g N",
        p->friction_used, tact_vec3_norm(p->friction), most);
    // what rounding has left of a load that is none has no sources
    if (p->explained && p->net_unique && p->needed > 1e-9 * most) {
        say(words, ": ");
        say_shares(words, p->needed_shares, p->needed);
    }
}

static void say_slide(Words *words, const TactSimPatch *p)
{
    double most = p->mu * p->normal_force;
    say(words, " slides at %.3g m/s; its friction is %.3g N", p->slip, most);
    if (!p->explained || !p->net_unique) {
        return;
    }
    if (!(p->needed > 1e-9 * most)) {
        say(words, ", and nothing pushes it on: it comes to rest");
        return;
    }
    say(words, ", and to hold it would take %.3g N: ", p->needed);
    say_shares(words, p->needed_shares, p->needed);
    if (p->needed < most) {
        say(words, "; less than friction has, so it comes to rest");
    }
}

void tact_sim_explain_patch(const TactModel *model, const TactSimPatch *p, char *text, size_t size)
{
    char  a[64], b[64];
    Words room = {text, size}, *words = &room;
    if (size == 0) {
        return;
    }
    text[0] = '\0';
    say(words, "%s/%s", geom_label(model, p->geom[0], a), geom_label(model, p->geom[1], b));
    if (p->state == TACT_STATE_OPEN) {
        say(words, " carries nothing");
        return;
    }
    if (p->mu == 0) {
        say(words, " has no friction, and %s",
            p->state == TACT_STATE_SLIDE ? "slides" : "does not slide now");
    } else if (p->state == TACT_STATE_STICK) {
        say_hold(words, p);
    } else {
        say_slide(words, p);
    }
    say(words, ". It is pressed with %.3g N", p->normal_force);
    if (p->explained && p->normal_unique) {
        say(words, ": ");
        say_shares(words, p->normal_shares, p->normal_force);
    }
    say(words, ".");
    if (!p->explained) {
        say(words, " Its island is too large to say where that comes from.");
    } else if (!p->net_unique) {
        say(words,
            " Other forces would give the same motion: contacts elsewhere could carry a part "
            "of it.");
    } else if (!p->unique) {
        say(words, " How its %d points share this is not unique.", p->contact_count);
    } else if (p->contact_count > 1 && p->worst > p->friction_used + 0.01) {
        say(words, " One of its %d points uses %.2f of its friction.", p->contact_count, p->worst);
    }
}
