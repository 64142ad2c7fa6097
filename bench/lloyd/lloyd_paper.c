// What [Lloyd04, 5.4] says of its own times.
#include "bench/lloyd/lloyd.h"

static const TactLloydPaper curves[] = {
    {TACT_LLOYD_PEG, TACT_LLOYD_STANDARD, 8, 32, 6.18, 400.75},
    {TACT_LLOYD_PEG, TACT_LLOYD_STRUCTURAL, 8, 32, 2.55, 26.63},
    {TACT_LLOYD_PEG, TACT_LLOYD_REDUCED, 8, 32, 1.08, 4.58},
    {TACT_LLOYD_SINGLE, TACT_LLOYD_STANDARD, 8, 16, 5.2, 50.9},
    {TACT_LLOYD_SINGLE, TACT_LLOYD_STRUCTURAL, 8, 16, 2.1, 12.5},
    {TACT_LLOYD_SINGLE, TACT_LLOYD_REDUCED, 8, 16, 0.57, 1.34},
    {TACT_LLOYD_STACK, TACT_LLOYD_STANDARD, 4, 32, 2.1, 2136},
    {TACT_LLOYD_STACK, TACT_LLOYD_STRUCTURAL, 4, 32, 1.45, 224},
    {TACT_LLOYD_STACK, TACT_LLOYD_REDUCED, 4, 32, 1.32, 96},
};

const TactLloydPaper *tact_lloyd_paper(int *count)
{
    *count = sizeof curves / sizeof curves[0];
    return curves;
}
