#include "contact/disc/link.h"

#include <math.h>
#include <string.h>

// Ids of the moments of a contact: its own, changed by one of these.
static const uint64_t SPIN_ID = 0x517cc1b727220a95u, ROLL_ID = 0x2545f4914f6cdd1du;

TactContactCapacity tact_disc_link_capacity(const TactContactCapacity *capacity)
{
    TactContactCapacity room = *capacity;
    room.rows += room.dense ? room.patches : 0;
    return room;
}

void tact_disc_link_layout(TactDiscLink *link, const TactContactCapacity *capacity,
                           TactArena *arena)
{
    TactContactCapacity room = tact_disc_link_capacity(capacity);
    size_t              some = capacity->patches > 0; // nothing at all without
    size_t              items = some * ((size_t)room.contacts + (size_t)room.rows);
    size_t              support = (size_t)room.support;
    TactDiscLink        lent = {0};
    TactSystem          system = {.capacity = room};
    system.items = tact_arena_take(arena, items, sizeof *system.items);
    system.groups = tact_arena_take(arena, items, sizeof *system.groups);
    system.support = tact_arena_take(arena, items * support, sizeof(int));
    system.columns = tact_arena_take(arena, 3 * items * support, sizeof(double));
    system.column = tact_arena_take(arena, items, sizeof(size_t));
    system.e = tact_arena_take(arena, 3 * items, sizeof(double));
    system.b = tact_arena_take(arena, 3 * items, sizeof(double));
    lent.system = system;
    lent.p = tact_arena_take(arena, 3 * items, sizeof(double));
    lent.place = tact_arena_take(arena, 3 * items, sizeof(int));
    lent.factor = tact_arena_take(arena, 3 * items, sizeof(double));
    lent.item_of = tact_arena_take(arena, items, sizeof(int));
    lent.disc_of = tact_arena_take(arena, some * ((size_t)room.contacts + 1), sizeof(int));
    if (arena->block) {
        *link = lent;
    }
}

// ---------------------------------------------------------------------------------------------
// What belongs to what

/// Item of a contact or row of the expanded problem, and the first disc of every contact.
static void index_sources(TactDiscLink *link, const TactSystem *system, const TactPatches *patches)
{
    int contacts = patches->problem.contact_count;
    for (int i = 0; i < system->item_count; i++) {
        const TactItem *item = &system->items[i];
        link->item_of[item->source + (item->kind == TACT_ITEM_CONTACT ? 0 : contacts)] = i;
    }
    for (int i = 0, d = 0; i <= patches->contacts; i++) {
        link->disc_of[i] = d;
        while (d < patches->disc_count && patches->discs[d].contact == i) {
            d++;
        }
    }
}

/// Place of a component of a disc among the impulses of the system's items.
static int place_of(const TactDiscLink *link, const TactPatches *patches, int place)
{
    int contacts = patches->problem.contact_count;
    return place < 3 * contacts ? 3 * link->item_of[place / 3] + place % 3
                                : 3 * link->item_of[place - 2 * contacts] + 1;
}

/// Does an item of the system only stand for moments?
static bool is_moment(const TactItem *item, const TactPatches *patches)
{
    return item->kind == TACT_ITEM_CONTACT ? item->source >= patches->contacts
                                           : item->source >= patches->rows;
}

// ---------------------------------------------------------------------------------------------
// Groups

/// Adds to a support what a group of the system touches; both ascend. Returns its new size.
static int add_support(const TactSystem *system, int group, int *support, int size)
{
    const TactItemGroup *own = &system->groups[group];
    const int           *more = system->support + own->support;
    if (own->size == size && memcmp(support, more, (size_t)size * sizeof(int)) == 0) {
        return size;
    }
    for (int s = 0, k = 0; s < own->size; s++) {
        while (k < size && support[k] < more[s]) {
            k++;
        }
        if (k == size || support[k] != more[s]) {
            memmove(support + k + 1, support + k, (size_t)(size - k) * sizeof(int));
            support[k] = more[s];
            size++;
        }
    }
    return size;
}

/// What item i of the system and its moments touch. Returns how many degrees of freedom.
static int find_support(const TactDiscLink *link, const TactSystem *system,
                        const TactPatches *patches, int i, int *support)
{
    const TactItem *item = &system->items[i];
    int             size = system->groups[item->group].size, last = item->group;
    memcpy(support, system->support + system->groups[item->group].support,
           (size_t)size * sizeof(int));
    if (item->kind == TACT_ITEM_CONTACT) {
        for (int d = link->disc_of[item->source]; d < link->disc_of[item->source + 1]; d++) {
            for (int k = 0; k < patches->discs[d].dim; k++) {
                int place = place_of(link, patches, patches->discs[d].place[k]);
                int group = system->items[place / 3].group;
                size = group == last ? size : add_support(system, group, support, size);
                last = group;
            }
        }
    }
    return size;
}

/// The group of the next items, whose support is written behind that of the others: the last one
/// if that has the same.
static int join_group(TactDiscLink *link, int size)
{
    TactSystem    *to = &link->system;
    TactItemGroup *last = to->group_count > 0 ? &to->groups[to->group_count - 1] : NULL;
    int            used = last ? last->support + last->size : 0;
    if (last && last->size == size &&
        memcmp(to->support + last->support, to->support + used, (size_t)size * sizeof(int)) == 0) {
        return to->group_count - 1;
    }
    to->groups[to->group_count] =
        (TactItemGroup){.first = to->item_count, .support = used, .size = size};
    return to->group_count++;
}

/// Where the next group's support goes.
static int *next_support(const TactDiscLink *link)
{
    const TactSystem *to = &link->system;
    if (to->group_count == 0) {
        return to->support;
    }
    const TactItemGroup *last = &to->groups[to->group_count - 1];
    return to->support + last->support + last->size;
}

// ---------------------------------------------------------------------------------------------
// Items

/// One more item of a group, its columns 0 so far. Returns it.
static TactItem *add_item(TactDiscLink *link, const TactItem *item, int group)
{
    TactSystem *to = &link->system;
    int         i = to->item_count++;
    size_t      size = 3 * (size_t)to->groups[group].size;
    to->column[i] = link->columns;
    link->columns += size;
    to->items[i] = *item;
    to->items[i].group = group;
    to->groups[group].count++;
    memset(to->columns + to->column[i], 0, size * sizeof(double));
    for (int c = 0; c < 3; c++) {
        link->place[3 * i + c] = -1;
        link->factor[3 * i + c] = 1;
    }
    return &to->items[i];
}

/// Component c of the newest item is a column of the system, times a factor.
static void put_component(TactDiscLink *link, const TactSystem *system, int c, int place,
                          double factor)
{
    TactSystem          *to = &link->system;
    int                  i = to->item_count - 1, from = place / 3;
    const TactItemGroup *group = &system->groups[system->items[from].group];
    const TactItemGroup *wide = &to->groups[to->items[i].group];
    const int           *support = system->support + group->support;
    const int           *all = to->support + wide->support;
    const double        *column =
        system->columns + system->column[from] + (size_t)(place % 3) * (size_t)group->size;
    double *out = to->columns + to->column[i] + (size_t)c * (size_t)wide->size;
    if (group->size == wide->size) { // the same ones
        for (int s = 0; s < group->size; s++) {
            out[s] = factor * column[s];
        }
    }
    for (int s = 0, k = 0; s < group->size && group->size < wide->size; s++, k++) {
        while (all[k] != support[s]) { // which has them all
            k++;
        }
        out[k] = factor * column[s];
    }
    link->place[3 * i + c] = place;
    link->factor[3 * i + c] = factor;
}

/// The tangents of the newest item are those of a disc.
static void put_disc(TactDiscLink *link, const TactSystem *system, const TactPatches *patches,
                     const TactDisc *disc, TactItem *item)
{
    item->mu = disc->mu[0];
    item->directions = disc->dim == 2 ? disc->directions : 2;
    item->turn = disc->dim == 2 ? disc->turn : 0;
    for (int k = 0; k < disc->dim; k++) {
        put_component(link, system, 1 + k, place_of(link, patches, disc->place[k]),
                      disc->mu[k] / disc->mu[0]);
    }
}

/// 1 / |C_1|, or that of the longer tangent.
static double moment_scale(const TactDiscLink *link)
{
    const TactSystem *to = &link->system;
    int               i = to->item_count - 1, size = to->groups[to->items[i].group].size;
    const double     *t1 = to->columns + to->column[i] + size, *t2 = t1 + size;
    double            first = 0, second = 0;
    for (int s = 0; s < size; s++) {
        first += t1[s] * t1[s];
        second += t2[s] * t2[s];
    }
    double most = first > second ? first : second;
    return most > 0 ? 1 / sqrt(most) : 1;
}

static void add_moment(TactDiscLink *link, const TactSystem *system, const TactPatches *patches,
                       const TactDisc *disc, int owner)
{
    const TactItem *contact = &link->system.items[owner];
    uint64_t        part = disc->part == TACT_DISC_SPIN ? SPIN_ID : ROLL_ID;
    TactItem        moment = {.kind = TACT_ITEM_MOMENT,
                              .source = contact->source,
                              .owner = owner,
                              .id = contact->id ? contact->id ^ part : 0};
    TactItem       *item = add_item(link, &moment, contact->group);
    put_disc(link, system, patches, disc, item);
    item->scale = moment_scale(link);
    link->system.items[owner].moments++;
    link->system.has_moments = true;
}

/// Item i of the system as it is.
static void add_plain(TactDiscLink *link, const TactSystem *system, int i)
{
    TactSystem          *to = &link->system;
    const TactItem      *item = &system->items[i];
    const TactItemGroup *group = &system->groups[item->group];
    int                  own = to->group_count - 1;
    if (own < 0 || link->from_group != item->group) {
        memcpy(next_support(link), system->support + group->support,
               (size_t)group->size * sizeof(int));
        own = join_group(link, group->size);
        link->from_group = item->group;
    }
    int k = to->item_count++;
    to->column[k] = link->columns;
    link->columns += 3 * (size_t)group->size;
    to->items[k] = *item;
    to->items[k].group = own;
    to->groups[own].count++;
    memcpy(to->columns + to->column[k], system->columns + system->column[i],
           3 * (size_t)group->size * sizeof(double));
    for (int c = 0; c < 3; c++) {
        link->place[3 * k + c] = 3 * i + c;
        link->factor[3 * k + c] = 1;
    }
}

/// Item i of the system with its moments. false: it has a disc that is none of the plane.
static bool add_linked(TactDiscLink *link, const TactSystem *system, const TactPatches *patches,
                       int i)
{
    const TactItem *item = &system->items[i];
    int             size = find_support(link, system, patches, i, next_support(link));
    int             owner = link->system.item_count;
    TactItem       *own = add_item(link, item, join_group(link, size));
    bool            slides = patches->own[item->source];
    link->from_group = size == system->groups[item->group].size ? item->group : -1;
    for (int c = 0; c < (slides ? 1 : 3); c++) {
        put_component(link, system, c, 3 * i + c, 1);
    }
    own->directions = slides ? 0 : own->directions; // until its disc comes
    for (int d = link->disc_of[item->source]; d < link->disc_of[item->source + 1]; d++) {
        const TactDisc *disc = &patches->discs[d];
        if (disc->dim > 2) {
            return false;
        }
        if (disc->part == TACT_DISC_SPIN || disc->part == TACT_DISC_ROLL) {
            add_moment(link, system, patches, disc, owner);
        } else {
            put_disc(link, system, patches, disc, own);
        }
    }
    return true;
}

/// Item i of the system and its moments, column by column.
static void add_bare(TactDiscLink *link, const TactSystem *system, const TactPatches *patches,
                     int i)
{
    const TactItem    *item = &system->items[i];
    const TactContact *contact = &patches->problem.contacts[item->source];
    const int         *moment = patches->moment[item->source];
    int                size = find_support(link, system, patches, i, next_support(link));
    int                owner = link->system.item_count, group = join_group(link, size);
    add_item(link, item, group);
    link->from_group = size == system->groups[item->group].size ? item->group : -1;
    for (int c = 0; c < 3; c++) {
        put_component(link, system, c, 3 * i + c, 1);
    }
    for (int roll = 0; roll < 2; roll++) {
        double   mu = roll ? contact->mu_roll : contact->mu_spin;
        TactItem own = {.kind = TACT_ITEM_MOMENT, .source = item->source, .owner = owner, .mu = mu};
        if (!(mu > 0)) {
            continue;
        }
        TactItem *added = add_item(link, &own, group);
        for (int c = 0; c < 1 + roll; c++) {
            put_component(link, system, 1 + c, place_of(link, patches, moment[roll + c]), 1);
        }
        added->scale = moment_scale(link);
        link->system.items[owner].moments++;
    }
}

/// bare: false stops at a disc that is none of the plane, with false
static bool build_link(TactDiscLink *link, const TactSystem *system, const TactPatches *patches,
                       bool bare)
{
    TactSystem *to = &link->system;
    if (!system->columns_built) {
        return false;
    }
    to->dof = system->dof;
    to->item_count = to->group_count = 0;
    to->columns_built = true;
    to->has_moments = false;
    to->y0 = system->y0;
    link->columns = 0;
    link->from_group = -1;
    index_sources(link, system, patches);
    for (int i = 0; i < system->item_count; i++) {
        const TactItem *item = &system->items[i];
        bool            contact = item->kind == TACT_ITEM_CONTACT;
        if (is_moment(item, patches)) {
            continue;
        }
        if (!contact || link->disc_of[item->source] == link->disc_of[item->source + 1]) {
            add_plain(link, system, i);
        } else if (bare) {
            add_bare(link, system, patches, i);
        } else if (!add_linked(link, system, patches, i)) {
            return false;
        }
    }
    to->stride = TACT_SYSTEM_STRIDE(to->item_count);
    tact_system_place_groups(to);
    tact_disc_link_offsets(link, system);
    return true;
}

bool tact_disc_link_build(TactDiscLink *link, const TactSystem *system, const TactPatches *patches)
{
    return build_link(link, system, patches, false);
}

bool tact_disc_link_build_bare(TactDiscLink *link, const TactSystem *system,
                               const TactPatches *patches)
{
    return build_link(link, system, patches, true);
}

void tact_disc_link_offsets(TactDiscLink *link, const TactSystem *system)
{
    for (int k = 0; k < 3 * link->system.item_count; k++) {
        int place = link->place[k];
        link->system.e[k] = place < 0 ? 0 : link->factor[k] * system->e[place];
        link->system.b[k] = place < 0 ? 0 : link->factor[k] * system->b[place];
    }
}

// ---------------------------------------------------------------------------------------------
// Moments that listen to their contact

/// Mean square of columns first .. 2 of an item, but for those that are 0.
static double mean_square(const TactSystem *system, int i, int first)
{
    int           size = system->groups[system->items[i].group].size, count = 0;
    const double *column = system->columns + system->column[i] + (size_t)first * (size_t)size;
    double        sum = 0;
    for (int c = first; c < 3; c++, column += size) {
        double own = 0;
        for (int s = 0; s < size; s++) {
            own += column[s] * column[s];
        }
        sum += own;
        count += own > 0;
    }
    return count > 0 ? sum / count : 0;
}

/// The tangents of moment i times a power of two; its impulses and bound by as much less.
static void scale_moment(TactDiscLink *link, int i, double factor)
{
    TactSystem *to = &link->system;
    int         size = to->groups[to->items[i].group].size;
    double     *tangents = to->columns + to->column[i] + size;
    for (int s = 0; s < 2 * size; s++) {
        tangents[s] *= factor;
    }
    for (int c = 1; c < 3; c++) {
        to->e[3 * i + c] *= factor;
        to->b[3 * i + c] *= factor;
        link->factor[3 * i + c] *= factor;
        link->p[3 * i + c] /= factor;
    }
    to->items[i].mu /= factor;
    to->items[i].scale /= factor;
}

void tact_disc_link_bind(TactDiscLink *link)
{
    TactSystem *to = &link->system;
    for (int i = 0; i < to->item_count; i++) {
        TactItem *item = &to->items[i];
        if (item->kind != TACT_ITEM_MOMENT) {
            continue;
        }
        double own = mean_square(to, i, 1), wanted = mean_square(to, item->owner, 0);
        item->bound = own > 0 && wanted > 0 ? exp2(nearbyint(0.5 * log2(wanted / own))) : 1;
        scale_moment(link, i, item->bound);
        memcpy(to->columns + to->column[i], to->columns + to->column[item->owner],
               (size_t)to->groups[item->group].size * sizeof(double));
        to->e[3 * i] = to->e[3 * item->owner];
        to->b[3 * i] = to->b[3 * item->owner];
        item->compliance = to->items[item->owner].compliance;
    }
}

void tact_disc_link_unbind(TactDiscLink *link)
{
    TactSystem *to = &link->system;
    for (int i = 0; i < to->item_count; i++) {
        TactItem *item = &to->items[i];
        if (item->kind != TACT_ITEM_MOMENT) {
            continue;
        }
        scale_moment(link, i, 1 / item->bound);
        memset(to->columns + to->column[i], 0,
               (size_t)to->groups[item->group].size * sizeof(double));
        to->e[3 * i] = to->b[3 * i] = item->bound = item->compliance = 0;
    }
}

// ---------------------------------------------------------------------------------------------
// Impulses

void tact_disc_link_give(const TactDiscLink *link, const TactSystem *system, double *p)
{
    memset(p, 0, 3 * (size_t)system->item_count * sizeof(double));
    for (int k = 0; k < 3 * link->system.item_count; k++) {
        if (link->place[k] >= 0) {
            p[link->place[k]] = link->factor[k] * link->p[k];
        }
    }
}

void tact_disc_link_take(TactDiscLink *link, const double *p)
{
    for (int k = 0; k < 3 * link->system.item_count; k++) {
        link->p[k] = link->place[k] < 0 ? 0 : p[link->place[k]] / link->factor[k];
    }
}
