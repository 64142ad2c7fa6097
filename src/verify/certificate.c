// Certificates: how findings are collected, merged and put into words.
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "verify/verifier.h"

/// How bad a residual is: 1 at the bound, NaN is worst.
static double ratio(double residual, double bound)
{
    double r = residual <= 0 ? 0 : residual / bound;
    return isnan(r) ? INFINITY : r;
}

void tact_finding_take(TactStepFinding *f, TactStepCheck check, double residual, double bound,
                       TactObject type, int a, int b)
{
    bound += DBL_MIN; // numbers below it have lost their digits
    bool worse = ratio(residual, bound) > ratio(f->residual, f->bound);
    if (f->check == TACT_STEP_CHECK_NONE || worse) {
        f->check = check;
        f->residual = residual;
        f->bound = bound;
        f->type = type;
        f->index[0] = a;
        f->index[1] = b;
    }
    f->holds = f->holds && residual <= bound;
}

void tact_step_certificate_merge(TactStepCertificate *c, const TactStepCertificate *other)
{
    for (int i = 0; i < TACT_STEP_LAW_COUNT; i++) {
        TactStepFinding       *f = &c->laws[i];
        const TactStepFinding *o = &other->laws[i];
        bool                   holds = f->holds && o->holds, judged = f->judged && o->judged;
        if (f->check == TACT_STEP_CHECK_NONE ||
            ratio(o->residual, o->bound) > ratio(f->residual, f->bound)) {
            *f = *o;
        }
        f->holds = holds;
        f->judged = judged;
    }
    c->certified = c->certified && other->certified;
}

/// What the residual says; %s is the body, joint or pair.
static const char *const sentences[] = {
    [TACT_STEP_CHECK_NONE] = "",
    [TACT_STEP_CHECK_LINEAR_MOMENTUM] =
        "the momentum of %s changes by %.2g N s that no force explains (bound %.2g)",
    [TACT_STEP_CHECK_ANGULAR_MOMENTUM] =
        "the angular momentum of %s changes by %.2g N m s that no force explains (bound %.2g)",
    [TACT_STEP_CHECK_JOINT_FORCE] = "the equation of motion of %s lacks %.2g N or N m (bound %.2g)",
    [TACT_STEP_CHECK_PATH] = "the centre of mass of %s is %.2g m off its velocity (bound %.2g)",
    [TACT_STEP_CHECK_ROTATION] = "%s has turned by %.2g rad beyond its velocity (bound %.2g)",
    [TACT_STEP_CHECK_COORDINATE] = "%s is %.2g m or rad off its velocity (bound %.2g)",
    [TACT_STEP_CHECK_ASLEEP] = "%s sleeps and moves by %.2g (bound %.2g)",
    [TACT_STEP_CHECK_OVERLAP] = "the overlap of %s grows by %.2g m (bound %.2g)",
    [TACT_STEP_CHECK_TOUCH] = "a force acts between %s across a gap of %.2g m (bound %.2g)",
    [TACT_STEP_CHECK_PULL] = "the contact of %s pulls with %.2g N (bound %.2g)",
    [TACT_STEP_CHECK_CONE] = "friction between %s exceeds its cone by %.2g N (bound %.2g)",
    [TACT_STEP_CHECK_BALANCE] =
        "the energy of %s differs by %.2g J from the work done on it (bound %.2g)",
    [TACT_STEP_CHECK_RISE] =
        "the energy of %s and what it touches rises by %.2g J without a source (bound %.2g)",
};

static void name_subject(const TactModel *model, const TactStepFinding *f, char text[160])
{
    char a[64], b[64];
    if (f->index[0] < 0) {
        snprintf(text, 160, "the scene");
    } else if (f->index[1] < 0) {
        snprintf(text, 160, "'%s'", tact_model_label(model, f->type, f->index[0], a));
    } else {
        snprintf(text, 160, "'%s' and '%s'", tact_model_label(model, f->type, f->index[0], a),
                 tact_model_label(model, f->type, f->index[1], b));
    }
}

const char *tact_step_certificate_explain(const TactModel           *model,
                                          const TactStepCertificate *certificate, TactStepLaw law,
                                          char *text, size_t size)
{
    const TactStepFinding *f = &certificate->laws[law];
    if (!f->judged && f->check == TACT_STEP_CHECK_NONE) {
        snprintf(text, size, "%s: not judged", tact_step_law_name(law));
    } else if (f->check == TACT_STEP_CHECK_NONE) {
        snprintf(text, size, "%s: nothing to be judged", tact_step_law_name(law));
    } else {
        char subject[160], sentence[256];
        name_subject(model, f, subject);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(sentence, sizeof sentence, sentences[f->check], subject, f->residual, f->bound);
#pragma GCC diagnostic pop
        snprintf(text, size, "%s: %s", tact_step_law_name(law), sentence);
    }
    return text;
}
