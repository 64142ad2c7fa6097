// A basis that is given, of one body: what stands in it, contact by contact.
#include <string.h>

#include "contact/compact/kernel_compact_active.h"
#include "contact/pivot/pivot.h"

/// Sorts the basis by contacts. false: it does not fit.
static bool sort_basis(TactCompact *compact, const TactSystem *system, const int *basis, int count)
{
    TactKept *kept = &compact->kept;
    kept->actives = 0;
    for (int c = 0; c < count; c++) {
        compact->contacts.active[tact_var_item(basis[c])] = -1;
    }
    for (int c = 0; c < count; c++) {
        int i = tact_var_item(basis[c]), active = compact->contacts.active[i];
        if (active < 0) {
            if (kept->actives == TACT_KEPT_CONTACTS) {
                return false;
            }
            active = compact->contacts.active[i] = kept->actives++;
            kept->item[active] = i;
            kept->has_theta[active] = kept->has_lambda[active] = false;
            kept->phi_count[active] = 0;
        }
        if (tact_var_kind(basis[c]) == TACT_VAR_THETA) {
            kept->has_theta[active] = true;
        } else if (tact_var_kind(basis[c]) == TACT_VAR_LAMBDA) {
            kept->has_lambda[active] = true;
        } else if (kept->phi_count[active] < TACT_KEPT_PHI) {
            kept->direction[active][kept->phi_count[active]++] = tact_var_direction(basis[c]);
        } else {
            return false;
        }
    }
    int most = 8;
    for (int active = 0; active < kept->actives; active++) {
        int directions = system->items[kept->item[active]].directions;
        most = directions > most ? directions : most;
    }
    for (compact->rows.shift = 3; 1 << compact->rows.shift < most;) {
        compact->rows.shift++;
    }
    return true;
}

bool tact_compact_keep(TactCompact *compact, const TactSystem *system,
                       const TactCompactInput *input, const int *basis, int count)
{
    if (!sort_basis(compact, system, basis, count)) {
        return false;
    }
    const TactKept *kept = &compact->kept;
    compact->system = system;
    compact->rows.gamma = system->groups[0].stride;
    compact->contacts.normals = input->normals;
    compact->contacts.offset = input->offset;
    compact->contacts.offset_stride = input->offset_stride;
    compact->contacts.scale = input->scale;
    compact->contacts.columns = system->columns + system->column[0];
    for (int active = 0; active < kept->actives; active++) {
        tact_compact_put_directions(compact, active, &system->items[kept->item[active]]);
    }
    return compact->lanes == 8 ? tact_compact_keep8(compact, input->accurate)
                               : tact_compact_keep4(compact, input->accurate);
}

void tact_compact_kept_impulses(const TactCompact *compact, double unit, double *p)
{
    const TactKept *kept = &compact->kept;
    memset(p, 0, 3 * (size_t)compact->system->item_count * sizeof(double));
    for (int active = 0; active < kept->actives; active++) {
        int    i = kept->item[active], first = active << compact->rows.shift;
        double amount = unit * compact->contacts.scale[i];
        p[3 * i] = amount * kept->theta[active];
        for (int k = 0; k < kept->phi_count[active]; k++) {
            int j = first + kept->direction[active][k];
            p[3 * i + 1] += amount * kept->phi[active][k] * compact->friction.cosine[j];
            p[3 * i + 2] += amount * kept->phi[active][k] * compact->friction.sine[j];
        }
    }
}
