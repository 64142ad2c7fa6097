// A basis that is given, of one body: what stands in it, contact by contact.
#include <string.h>

#include "contact/compact/kernel_compact_slots.h"
#include "contact/pivot/pivot.h"

/// Sorts the basis by contacts. false: it does not fit.
static bool sort_basis(TactCompact *compact, const TactSystem *system, const int *basis, int count)
{
    TactKept *kept = &compact->kept;
    kept->slots = 0;
    for (int c = 0; c < count; c++) {
        compact->slot[tact_var_item(basis[c])] = -1;
    }
    for (int c = 0; c < count; c++) {
        int i = tact_var_item(basis[c]), slot = compact->slot[i];
        if (slot < 0) {
            if (kept->slots == TACT_KEPT_SLOTS) {
                return false;
            }
            slot = compact->slot[i] = kept->slots++;
            kept->item[slot] = i;
            kept->has_theta[slot] = kept->has_lambda[slot] = false;
            kept->phi_count[slot] = 0;
        }
        if (tact_var_kind(basis[c]) == TACT_VAR_THETA) {
            kept->has_theta[slot] = true;
        } else if (tact_var_kind(basis[c]) == TACT_VAR_LAMBDA) {
            kept->has_lambda[slot] = true;
        } else if (kept->phi_count[slot] < TACT_KEPT_PHI) {
            kept->direction[slot][kept->phi_count[slot]++] = tact_var_direction(basis[c]);
        } else {
            return false;
        }
    }
    int most = 8;
    for (int slot = 0; slot < kept->slots; slot++) {
        int directions = system->items[kept->item[slot]].directions;
        most = directions > most ? directions : most;
    }
    for (compact->shift = 3; 1 << compact->shift < most;) {
        compact->shift++;
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
    compact->gamma = system->groups[0].stride;
    compact->normals = input->normals;
    compact->offset = input->offset;
    compact->offset_stride = input->offset_stride;
    compact->scale = input->scale;
    compact->columns = system->columns + system->column[0];
    for (int slot = 0; slot < kept->slots; slot++) {
        tact_compact_put_directions(compact, slot, &system->items[kept->item[slot]]);
    }
    return compact->lanes == 8 ? tact_compact_keep8(compact, input->accurate)
                               : tact_compact_keep4(compact, input->accurate);
}

void tact_compact_kept_impulses(const TactCompact *compact, double unit, double *p)
{
    const TactKept *kept = &compact->kept;
    memset(p, 0, 3 * (size_t)compact->system->item_count * sizeof(double));
    for (int slot = 0; slot < kept->slots; slot++) {
        int    i = kept->item[slot], first = slot << compact->shift;
        double amount = unit * compact->scale[i];
        p[3 * i] = amount * kept->theta[slot];
        for (int k = 0; k < kept->phi_count[slot]; k++) {
            int j = first + kept->direction[slot][k];
            p[3 * i + 1] += amount * kept->phi[slot][k] * compact->cosine[j];
            p[3 * i + 2] += amount * kept->phi[slot][k] * compact->sine[j];
        }
    }
}
