// What `tact contacts` prints: a table of contacts, one of bodies, and words.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/contacts/contacts.h"

enum { MOST_SENTENCES = 12 };

/// Rounding is not printed.
static double tidy(double x, double scale)
{
    return fabs(x) > 1e-12 * scale ? x : 0;
}

static double largest_force(const TactContactsResult *r)
{
    double most = 0;
    for (int k = 0; k < r->count; k++) {
        most = fmax(most, fabs(r->contacts[k].force[0]));
    }
    return most;
}

static void print_range(const TactContactsResult *r, int k, double size)
{
    if (r->range && isfinite(r->range[k].most)) {
        printf("     %.4g .. %.4g%s", tidy(r->range[k].least, size), r->range[k].most,
               r->range[k].exact ? "" : " at least");
    } else if (r->range) {
        printf("     %.4g .. any", tidy(r->range[k].least, size));
    }
    putchar('\n');
}

static void print_contacts(const TactContactsResult *r)
{
    double size = largest_force(r);
    printf("\n  %3s  %-24s %-5s %10s %10s %5s %10s   %-32s %s\n", "", "contact a/b", "state",
           "normal N", "friction N", "used", "slip m/s", "force on b, N (world)",
           r->range ? "unique  normal from .. to, N" : "unique");
    for (int k = 0; k < r->count; k++) {
        const TactSimContact *c = &r->contacts[k];
        char                  a[64], b[64], name[130];
        TactVec3              f = tact_sim_contact_get_force(c);
        snprintf(name, sizeof name, "%s/%s", tact_contacts_geom(r->model, c->geom[0], a),
                 tact_contacts_geom(r->model, c->geom[1], b));
        printf("  %3d  %-24s %-5s %10.4g %10.4g %5.2f %10.3g   %10.4g %10.4g %10.4g %s", k, name,
               tact_contact_state_name(r->diagnosis[k].state), tidy(c->force[0], size),
               tidy(hypot(c->force[1], c->force[2]), size), r->diagnosis[k].friction_used,
               tidy(r->diagnosis[k].slip, 1), tidy(f.x, size), tidy(f.y, size), tidy(f.z, size),
               r->diagnosis[k].unique ? "yes" : "no");
        print_range(r, k, size);
    }
}

/// Contacts that resist spinning or rolling: what turns, how much of each bound is used, and why.
static void print_turns(const TactContactsResult *r)
{
    bool head = false;
    for (int k = 0; k < r->count; k++) {
        const TactSimContact *c = &r->contacts[k];
        if (!(c->mu_spin > 0 || c->mu_roll > 0)) {
            continue;
        }
        if (!head) {
            printf("\n  %3s  %-24s %-12s %10s %5s %10s %10s %5s %10s\n", "", "contact a/b", "turns",
                   "spin N m", "used", "rad/s", "roll N m", "used", "rad/s");
            head = true;
        }
        char a[64], b[64], name[130];
        bool spins = tact_contacts_spins(c), rolls = tact_contacts_rolls(c);
        snprintf(name, sizeof name, "%s/%s", tact_contacts_geom(r->model, c->geom[0], a),
                 tact_contacts_geom(r->model, c->geom[1], b));
        printf("  %3d  %-24s %-12s %10.4g %5.2f %10.3g %10.4g %5.2f %10.3g\n", k, name,
               !(c->force[0] > 0) ? "open"
               : spins && rolls   ? "spins, rolls"
               : spins            ? "spins"
               : rolls            ? "rolls"
                                  : "holds",
               c->moment[0], c->spin_used, tidy(c->spin[0], 1), hypot(c->moment[1], c->moment[2]),
               c->roll_used, tidy(hypot(c->spin[1], c->spin[2]), 1));
    }
    for (int k = 0; k < r->count; k++) {
        char words[400];
        if (tact_contacts_explain_turn(r->model, &r->contacts[k], words, sizeof words)) {
            printf("  %s\n", words);
        }
    }
}

static void print_pairs(const TactContactsResult *r)
{
    double size = largest_force(r);
    printf("\n  %-30s %-34s %s\n", "bodies a/b", "force on b, N (world)",
           "torque about b's centre of mass, N m");
    for (int k = 0; k < r->pairs.count; k++) {
        const TactSimPair *pair = &r->pairs.pairs[k];
        char               a[64], b[64], name[130];
        TactVec3           f = pair->on_b.force, t = pair->on_b.torque;
        snprintf(name, sizeof name, "%s/%s",
                 tact_model_label(r->model, TACT_OBJECT_BODY, pair->body[0], a),
                 tact_model_label(r->model, TACT_OBJECT_BODY, pair->body[1], b));
        printf("  %-30s %10.4g %10.4g %10.4g   %10.4g %10.4g %10.4g\n", name, tidy(f.x, size),
               tidy(f.y, size), tidy(f.z, size), tidy(t.x, size), tidy(t.y, size), tidy(t.z, size));
    }
}

typedef struct Ranked {
    const TactSimPatch *patch;
} Ranked;

/// Those that slide first, then those nearest to it.
static int compare_patches(const void *a, const void *b)
{
    const TactSimPatch *p = ((const Ranked *)a)->patch, *q = ((const Ranked *)b)->patch;
    int                 slides = (q->state == TACT_STATE_SLIDE) - (p->state == TACT_STATE_SLIDE);
    int nearer = (q->friction_used > p->friction_used) - (q->friction_used < p->friction_used);
    return slides ? slides : nearer ? nearer : (p > q) - (p < q);
}

static void print_words(const TactContactsResult *r)
{
    Ranked *order = calloc((size_t)r->patches.count + 1, sizeof *order);
    int     count = 0;
    for (int k = 0; k < r->patches.count && order; k++) {
        if (r->patches.patches[k].state != TACT_STATE_OPEN) {
            order[count++].patch = &r->patches.patches[k];
        }
    }
    if (count > 0) {
        qsort(order, (size_t)count, sizeof *order, compare_patches);
        putchar('\n');
    }
    for (int k = 0; k < count && k < MOST_SENTENCES; k++) {
        char words[TACT_CONTACTS_WORDS];
        tact_contacts_explain(r->model, order[k].patch, words);
        printf("  %s\n", words);
    }
    if (count > MOST_SENTENCES) {
        printf("  ... and %d more, which use less of their friction (--json has all)\n",
               count - MOST_SENTENCES);
    }
    free(order);
}

void tact_contacts_print(const TactContactsResult *r)
{
    bool proven = r->report.certified == r->report.islands;
    printf("%s: %d contacts in the step of %g ms from %g s, %s%s%s (error %.1e)\n",
           r->run.options->file, r->count, 1e3 * r->run.dt, r->time,
           tact_cli_colour(stdout, proven ? TACT_GREEN : TACT_RED),
           proven ? "certified" : "not certified", tact_cli_colour(stdout, TACT_PLAIN),
           r->report.error);
    if (r->count > 0 && r->sharing.shared + r->sharing.kept > 0) {
        printf("  Redundant contacts share their loads with least norm (error %.1e)%s.\n",
               r->sharing.error,
               r->sharing.kept > 0 ? ", but for islands where that could not be proven" : "");
    }
    if (r->count > 0) {
        print_contacts(r);
        print_turns(r);
        print_pairs(r);
        print_words(r);
    }
}
