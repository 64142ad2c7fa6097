// The table of methods: adding one is one file, one line here and one theory page.
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "lcp/solver.h"

extern const TactLcpMethodEntry tact_lcp_lemke;
extern const TactLcpMethodEntry tact_lcp_lemke_lex;
extern const TactLcpMethodEntry tact_lcp_search;
extern const TactLcpMethodEntry tact_lcp_dantzig;
extern const TactLcpMethodEntry tact_lcp_pgs;
extern const TactLcpMethodEntry tact_lcp_pgs_sm;
extern const TactLcpMethodEntry tact_lcp_enumerate;

// clang-format off
static const TactLcpMethodEntry *const table[TACT_LCP_METHOD_COUNT] = {
    [TACT_LCP_METHOD_LEMKE] = &tact_lcp_lemke,
    [TACT_LCP_METHOD_LEMKE_LEX] = &tact_lcp_lemke_lex,
    [TACT_LCP_METHOD_SEARCH] = &tact_lcp_search,
    [TACT_LCP_METHOD_DANTZIG] = &tact_lcp_dantzig,
    [TACT_LCP_METHOD_PGS] = &tact_lcp_pgs,
    [TACT_LCP_METHOD_PGS_SM] = &tact_lcp_pgs_sm,
    [TACT_LCP_METHOD_ENUMERATE] = &tact_lcp_enumerate,
};
// clang-format on

const TactLcpMethodEntry *tact_lcp_method_entry(TactLcpMethod method)
{
    return (unsigned)method < TACT_LCP_METHOD_COUNT ? table[method] : NULL;
}

const TactLcpMethodInfo *tact_lcp_method_info(TactLcpMethod method)
{
    const TactLcpMethodEntry *entry = tact_lcp_method_entry(method);
    return entry ? &entry->info : NULL;
}

const char *tact_lcp_method_name(TactLcpMethod method)
{
    const TactLcpMethodInfo *info = tact_lcp_method_info(method);
    return info ? info->name : "unknown";
}

TactStatus tact_lcp_method_find(const char *name, TactLcpMethod *method)
{
    TACT_NEED(method, "tact_lcp_method_find");
    char   names[256] = "";
    size_t used = 0;
    for (int i = 0; i < TACT_LCP_METHOD_COUNT; i++) {
        const TactLcpMethodInfo *info = tact_lcp_method_info((TactLcpMethod)i);
        if (!info) {
            continue;
        }
        if (name && strcmp(name, info->name) == 0) {
            *method = (TactLcpMethod)i;
            return TACT_OK;
        }
        int length = snprintf(names + used, sizeof names - used, " %s", info->name);
        used += (size_t)length;
    }
    return tact_fail(TACT_BAD_ARGUMENT, "there is no LCP method '%s'; there are:%s",
                     name ? name : "(null)", names);
}

TactLcpConfig tact_lcp_config_default(TactLcpMethod method)
{
    // What each means, and in which units: tact/lcp.h.
    return (TactLcpConfig){
        .method = method,
        .storage = TACT_LCP_STORAGE_DENSE,
        .residual_tol = 1e-9,
        .max_pivots = 0,
        .pivot_tol = 1e-9,
        .cover = NULL,
        .lex_tol = 1e-10,
        .search_eps = 1e-3,
        .search_error = 1e-3,
        .search_nodes = 0,
        .friction_passes = 50,
        .max_iterations = 10000,
        .pgs_sweeps = 5,
        .sm_steps = 3,
        .max_work = 0,
        .max_time = 0,
        .cookie = TACT_LCP_COOKIE,
    };
}
