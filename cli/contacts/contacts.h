// `tact contacts`: what it asks of a step.
#ifndef TACT_CLI_CONTACTS_CONTACTS_H
#define TACT_CLI_CONTACTS_CONTACTS_H

#include <tact/sim.h>

#include "cli/run/run.h"

/// What the step that begins at the time did.
typedef struct TactContactsResult {
    TactRun                     run;
    const TactModel            *model;
    TactSim                    *sim;
    double                      time; // s, at which it begins
    TactSimReport               report;
    int                         count;
    const TactSimContact       *contacts;  //                                      (count)
    const TactContactDiagnosis *diagnosis; //                                      (count)
    TactSimSharing              sharing;
    TactContactRange           *range; // NULL: not asked for                      (count)
    TactSimPatches              patches;
    TactSimPairs                pairs;
} TactContactsResult;

enum { TACT_CONTACTS_WORDS = 1024 };

/// Name of a geom, or that of its body if it has none.
const char *tact_contacts_geom(const TactModel *model, int geom, char text[64]);

/// Does a contact that carries a load spin about its normal, or roll?
bool tact_contacts_spins(const TactSimContact *contact);
bool tact_contacts_rolls(const TactSimContact *contact);

/// One sentence on a contact that turns although it resists that; false: it does not.
bool tact_contacts_explain_turn(const TactModel *model, const TactSimContact *contact, char *words,
                                size_t size);

/// In words: how near a patch is to slipping, or why it slips, and where its load comes from.
void tact_contacts_explain(const TactModel *model, const TactSimPatch *patch,
                           char words[TACT_CONTACTS_WORDS]);

void tact_contacts_print(const TactContactsResult *result);
int  tact_contacts_print_json(const TactContactsResult *result);

#endif
