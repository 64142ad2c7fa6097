// The friction of patches, disc by disc: docs/theory/spin-roll.md (13).
//
// All parts are judged in m/s: mu_spin w_n is the speed at which the border of a patch of that
// radius scrapes. What an impact turns is then held against how fast it came, although nothing
// turned before.
#include <math.h>

#include "base/larger.h"
#include "contact/certificate/certify.h"
#include "contact/contact_law.h"
#include "contact/problem/problem.h"

/// A disc of an answer, in x and v.
typedef struct Disc {
    TactLawDisc law;
    double      x[TACT_DISC_MOST], v[TACT_DISC_MOST];
    double      w;      // mean of mu_k^2 w_k
    double      others; // the largest of the parts, times mu_k
    double      motion;
    double      floor;
} Disc;

/// Velocity and scale of one component.
static double look_at(const TactCertifier *certifier, const TactCertifyForm *form,
                      const TactCertifyInput *input, int place, TactCertifyScale *scale)
{
    int contacts = input->problem->contact_count;
    if (place >= 3 * contacts) {
        *scale = form->row_scale(certifier, input, place - 3 * contacts);
        return form->row_velocity(certifier, input, place - 3 * contacts);
    }
    form->scale(certifier, input, place / 3, scale);
    if (place / 3 < certifier->patches->contacts && place % 3 > 0) {
        double surface = fabs(tact_contact_surface(input->problem, place / 3, place % 3));
        scale->others += TACT_CERTIFY_OTHERS * surface;
        scale->motion += surface;
    }
    return certifier->slide[place / 3][place % 3];
}

static double impulse_at(const TactCertifyInput *input, int place)
{
    int n = 3 * input->problem->contact_count;
    return place < n ? input->impulse[place] : input->row_impulse[place - n];
}

static void measure(const TactCertifier *certifier, const TactCertifyForm *form,
                    const TactCertifyInput *input, const TactDisc *disc, Disc *out)
{
    bool pyramid = input->cone != TACT_CONE_CIRCLE;
    *out = (Disc){.law = {.dim = disc->dim,
                          .directions = pyramid ? disc->directions : 0,
                          .turn = disc->turn,
                          .bound = input->impulse[3 * disc->contact]}};
    for (int k = 0; k < disc->dim; k++) {
        double           mu = disc->mu[k];
        TactCertifyScale scale;
        out->v[k] = mu * look_at(certifier, form, input, disc->place[k], &scale);
        out->x[k] = impulse_at(input, disc->place[k]) / mu;
        out->w += mu * mu * scale.weight / disc->dim;
        out->others = tact_larger(out->others, mu * scale.others);
        out->motion = tact_larger(out->motion, mu * scale.motion);
        out->floor = tact_larger(out->floor, mu * scale.floor);
    }
    out->w = out->w > 0 ? out->w : 1;
}

/// What users read, in units of their own.
static void tell_patch(const TactDisc *disc, double excess, double residual,
                       TactContactCertificate *out)
{
    double mu = disc->mu[0];
    switch (disc->part) {
    case TACT_DISC_SPIN:
        out->spin_excess = tact_larger(out->spin_excess, mu * excess);
        out->spin_error = tact_larger(out->spin_error, residual / mu);
        break;
    case TACT_DISC_ROLL:
        out->roll_excess = tact_larger(out->roll_excess, mu * excess);
        out->roll_error = tact_larger(out->roll_error, residual / mu);
        break;
    case TACT_DISC_SLIDE:
    case TACT_DISC_ALL: out->cone_excess = tact_larger(out->cone_excess, mu * excess); break;
    }
}

static void certify_disc(TactCertifier *certifier, const TactCertifyForm *form,
                         const TactCertifyInput *input, int d, TactContactCertificate *out)
{
    const TactDisc  *disc = &certifier->patches->discs[d];
    TactCertifyDisc *judged = &certifier->discs[d];
    bool             loaded = input->impulse[3 * disc->contact] > 0;
    *judged = (TactCertifyDisc){.contact = disc->contact};
    for (int k = 0; k < disc->dim; k++) {
        loaded = loaded || impulse_at(input, disc->place[k]) != 0;
    }
    if (!loaded) {
        return; // no force, and none allowed
    }
    Disc own;
    measure(certifier, form, input, disc, &own);
    double size = 0;
    for (int k = 0; k < disc->dim; k++) {
        size += own.x[k] * own.x[k];
    }
    double residual = tact_law_disc_residual(&own.law, own.x, own.v, own.w);
    judged->residual = residual;
    judged->scale = own.w * sqrt(size) + own.others;
    judged->floor = own.floor;
    tell_patch(disc, tact_law_disc_gauge(&own.law, own.x) - own.law.bound, residual, out);
    tact_certify_note(certifier, input, disc->contact, own.motion);
    tact_certify_energy(certifier, input, disc->contact, tact_law_disc_gap(&own.law, own.x, own.v),
                        0);
}

void tact_certify_patches(TactCertifier *certifier, const TactCertifyForm *form,
                          const TactCertifyInput *input, TactContactCertificate *out)
{
    const TactPatches *patches = certifier->patches;
    for (int i = patches->contacts; i < input->problem->contact_count; i++) {
        form->velocity(certifier, input, i, certifier->slide[i]); // moments of a W
    }
    for (int d = 0; d < patches->disc_count; d++) {
        certify_disc(certifier, form, input, d, out);
    }
}

void tact_certify_judge_patches(const TactCertifier *certifier, const TactCertifyInput *input,
                                TactContactCertificate *out)
{
    for (int d = 0; d < certifier->patches->disc_count; d++) {
        const TactCertifyDisc *disc = &certifier->discs[d];
        if (disc->residual != 0) {
            double least, most;
            tact_certify_bounds(certifier, input, disc->contact, &least, &most);
            double scale = disc->scale + least;
            scale = (scale < most ? scale : most) + disc->floor;
            tact_certify_raise(disc->residual / scale, disc->contact, &out->error, &out->worst);
        }
    }
}
