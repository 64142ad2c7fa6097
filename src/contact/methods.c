// The table of contact methods. CONTRIBUTING.md, "Adding a contact method", has all that belongs to
// one.
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "contact/solver.h"

/// A line for each method: X(NAME, name) is TACT_METHOD_NAME and tact_contact_name.
#define METHODS(X)            \
    X(LADDER, ladder)         \
    X(REDUCED, reduced)       \
    X(STRUCTURAL, structural) \
    X(BARAFF, baraff)         \
    X(BOX, box)               \
    X(NSGS, nsgs)             \
    X(LCP, lcp)

#define DECLARE(NAME, name) extern const TactContactMethodEntry tact_contact_##name;
#define POINT(NAME, name) [TACT_METHOD_##NAME] = &tact_contact_##name,
#define LINE(NAME, name) LINE_##NAME,

METHODS(DECLARE)

static const TactContactMethodEntry *const table[TACT_METHOD_COUNT] = {METHODS(POINT)};

enum { METHODS(LINE) LINES };
_Static_assert((int)LINES == (int)TACT_METHOD_COUNT,
               "every value of TactContactMethod (tact/contact.h) has one line in METHODS");

const TactContactMethodEntry *tact_contact_method_entry(TactContactMethod method)
{
    return (unsigned)method < TACT_METHOD_COUNT ? table[method] : NULL;
}

const TactContactMethodInfo *tact_contact_method_info(TactContactMethod method)
{
    const TactContactMethodEntry *entry = tact_contact_method_entry(method);
    return entry ? &entry->info : NULL;
}

const char *tact_contact_method_name(TactContactMethod method)
{
    const TactContactMethodInfo *info = tact_contact_method_info(method);
    return info ? info->name : "unknown";
}

TactStatus tact_contact_method_find(const char *name, TactContactMethod *method)
{
    TACT_NEED(method, "tact_contact_method_find");
    char   names[256] = "";
    size_t used = 0;
    for (int i = 0; i < TACT_METHOD_COUNT; i++) {
        const TactContactMethodInfo *info = tact_contact_method_info((TactContactMethod)i);
        if (!info) {
            continue;
        }
        if (name && strcmp(name, info->name) == 0) {
            *method = (TactContactMethod)i;
            return TACT_OK;
        }
        if (used < sizeof names) {
            used += (size_t)snprintf(names + used, sizeof names - used, " %s", info->name);
        }
    }
    return tact_fail(TACT_BAD_ARGUMENT, "there is no contact method '%s'; there are:%s",
                     name ? name : "(null)", names);
}

const char *tact_contact_methods_taking(unsigned takes, char *names, size_t size)
{
    size_t used = 0;
    names[0] = '\0';
    for (int i = 0; i < TACT_METHOD_COUNT; i++) {
        if (table[i]->info.takes & takes && used < size) {
            used += (size_t)snprintf(names + used, size - used, "%s%s", used ? ", " : "",
                                     table[i]->info.name);
        }
    }
    return names;
}

/// The pyramid or, if the method does not take it, the circle or the box.
static TactContactCone choose_cone(TactContactMethod method)
{
    const TactContactMethodInfo *info = tact_contact_method_info(method);
    if (!info || info->takes & TACT_CONTACT_TAKES_PYRAMID) {
        return TACT_CONE_PYRAMID;
    }
    return info->takes & TACT_CONTACT_TAKES_CIRCLE ? TACT_CONE_CIRCLE : TACT_CONE_BOX;
}

TactContactConfig tact_contact_config_default(TactContactMethod method)
{
    return (TactContactConfig){
        .method = method,
        .cone = choose_cone(method),
        .tol = 1e-8, // relative: tact/contact.h
        .lcp_method =
            method == TACT_METHOD_BOX ? TACT_LCP_METHOD_PGS_SM : TACT_LCP_METHOD_LEMKE_LEX,
        .lex_tol = tact_lcp_config_default(TACT_LCP_METHOD_LEMKE_LEX).lex_tol,
        .max_pivots = 0,
        .max_turns = 12,
        .max_sweeps = method == TACT_METHOD_BOX ? 200 : 10000,
        .max_work = 0,
        .max_time = 0,
        .cookie = TACT_CONTACT_COOKIE,
    };
}
