// The table of LCP methods. CONTRIBUTING.md, "Adding an LCP method", has all that belongs to one.
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "lcp/solver.h"

/// A line for each method: X(NAME, name) is TACT_LCP_METHOD_NAME and tact_lcp_name.
#define METHODS(X)          \
    X(LEMKE, lemke)         \
    X(LEMKE_LEX, lemke_lex) \
    X(SEARCH, search)       \
    X(DANTZIG, dantzig)     \
    X(PGS, pgs)             \
    X(PGS_SM, pgs_sm)       \
    X(ENUMERATE, enumerate)

#define DECLARE(NAME, name) extern const TactLcpMethodEntry tact_lcp_##name;
#define POINT(NAME, name) [TACT_LCP_METHOD_##NAME] = &tact_lcp_##name,
#define LINE(NAME, name) LINE_##NAME,

METHODS(DECLARE)

static const TactLcpMethodEntry *const table[TACT_LCP_METHOD_COUNT] = {METHODS(POINT)};

enum { METHODS(LINE) LINES };
_Static_assert((int)LINES == (int)TACT_LCP_METHOD_COUNT,
               "every value of TactLcpMethod (tact/lcp.h) has one line in METHODS");

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
        if (used < sizeof names) {
            used += (size_t)snprintf(names + used, sizeof names - used, " %s", info->name);
        }
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
