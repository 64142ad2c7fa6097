// What was wanted differently before: a wanted line changes only with its old and new figure here.
#include "bench/papers/papers.h"

void tact_papers_tell_changes(TactPapers *papers)
{
    tact_papers_section(papers, "Wanted lines that have changed");
    tact_papers_table(papers, "What a line asked for, and what it asks for now",
                      "line | before | now");
    tact_papers_row(papers,
                    "Baraff, problems with friction | 174 of 174: six that the budget of 2 s "
                    "left out were not counted | all 180 count, whatever the budget");
    tact_papers_row(papers,
                    "Baraff, time over a Gaussian elimination | at most 3 times a plain loop "
                    "in C (3.54) | at most 3 times LAPACK's dgesv");
    tact_papers_row(papers,
                    "Chains, LCP solve time below 1/50 of the paper's | each contact problem "
                    "of a frame counted once (net: 1/69) | all solves of a frame, as the line "
                    "was first defined (net: 1/18)");
    tact_papers_row(papers,
                    "Hoist, tension within 2 %% | of the first joint beyond the rod | of all "
                    "joints on the rod, as first defined (3.2 %%); beyond the rod is a line of "
                    "its own, and so is the statics of rigid links");
    tact_papers_row(papers,
                    "Grasps | reduced with warm start beats cold lemke, pgs and pgs-sm (12.4 "
                    "against 85.2, 2267 and 63.9 us) | the paper's order with one box; reduced "
                    "and lemke both cold");
    tact_papers_row(papers,
                    "Squat, why tact's lemke does not fail | paths by least index that end at "
                    "a valid answer: 856 of 991, 9 in 10 wanted | lexicographic paths: 973 of "
                    "995; the line has both counts");
    tact_papers_row(papers,
                    "Lloyd, stacks | six, mu = 0.25, steps of 10 ms | ten, mu drawn from 0.2 "
                    "to 0.3, steps of 1 ms (at 10 ms one wrench of 60 brings a new contact)");
    tact_papers_row(
        papers, "DART, problems in standard form | made by the benchmark, a diagonal of ones | "
                "made by the library (`tact_contact_lcp_create`), scaled by powers of two; what "
                "is asked for is the same");
}
