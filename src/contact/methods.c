// The table of contact methods: adding one is one file, one line here and one theory page.
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "contact/solver.h"

extern const TactContactMethodEntry tact_contact_baraff;
extern const TactContactMethodEntry tact_contact_box;
extern const TactContactMethodEntry tact_contact_lcp;
extern const TactContactMethodEntry tact_contact_nsgs;
extern const TactContactMethodEntry tact_contact_ladder;
extern const TactContactMethodEntry tact_contact_reduced;
extern const TactContactMethodEntry tact_contact_structural;

static const TactContactMethodEntry *const table[TACT_METHOD_COUNT] = {
    [TACT_METHOD_LADDER] = &tact_contact_ladder,
    [TACT_METHOD_REDUCED] = &tact_contact_reduced,
    [TACT_METHOD_STRUCTURAL] = &tact_contact_structural,
    [TACT_METHOD_BARAFF] = &tact_contact_baraff,
    [TACT_METHOD_BOX] = &tact_contact_box,
    [TACT_METHOD_NSGS] = &tact_contact_nsgs,
    [TACT_METHOD_LCP] = &tact_contact_lcp,
};

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
        used += (size_t)snprintf(names + used, sizeof names - used, " %s", info->name);
    }
    return tact_fail(TACT_BAD_ARGUMENT, "there is no contact method '%s'; there are:%s",
                     name ? name : "(null)", names);
}

TactContactConfig tact_contact_config_default(TactContactMethod method)
{
    return (TactContactConfig){
        .method = method,
        .cone = method == TACT_METHOD_BOX ? TACT_CONE_BOX : TACT_CONE_PYRAMID,
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
