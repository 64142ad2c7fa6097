// What `tact bench papers` has found, in memory: a list of blocks, and how they are written.
#ifndef TACT_BENCH_PAPERS_PAPERS_REPORT_H
#define TACT_BENCH_PAPERS_PAPERS_REPORT_H

#include <stdio.h>

#include "bench/papers/papers.h"

typedef enum TactBlockKind {
    TACT_BLOCK_PAPER,   // heading of a paper
    TACT_BLOCK_SECTION, // heading below
    TACT_BLOCK_TEXT,
    TACT_BLOCK_TABLE, // caption; heads and rows follow
    TACT_BLOCK_ROW,   // of the table before it, its heads the first: cells with | between
    TACT_BLOCK_HOLDS, // wanted, and so it is
    TACT_BLOCK_MISSED,
    TACT_BLOCK_PLOT,    // SVG, its title
    TACT_BLOCK_PICTURE, // PNG, its caption
} TactBlockKind;

typedef struct TactBlock {
    TactBlockKind  kind;
    char          *text;  // UTF-8
    unsigned char *bytes; // of a plot or picture                                  (size)
    size_t         size;
} TactBlock;

typedef struct TactPapersOptions {
    const char *only;   // one experiment; NULL: all
    const char *scenes; // folder; NULL: looked for
    const char *out;    // folder of the report
    bool        quick;
} TactPapersOptions;

enum { TACT_PAPERS_MOST_LABELS = 16, TACT_PAPERS_MOST_PANELS = 5 };

typedef struct TactPapersLabel {
    TactVec3 place;
    int      number;
} TactPapersLabel;

/// Pictures that become one.
typedef struct TactPapersStrip {
    bool           open;
    int            count;
    unsigned char *rgb[TACT_PAPERS_MOST_PANELS]; // of one size each
    char           caption[1024];
} TactPapersStrip;

struct TactPapers {
    TactPapersOptions options;
    int               count, room;
    TactBlock        *blocks;
    bool              full; // memory ran out: something is missing
    const char       *running;
    int               done, experiments; // for the bar
    int               failed;            // experiments that ended early
    int               label_count;
    TactPapersLabel   labels[TACT_PAPERS_MOST_LABELS]; // of the next picture
    TactPapersStrip   strip;
};

void tact_papers_add(TactPapers *papers, TactBlockKind kind, const char *text);
/// A block with bytes, which it takes.
void tact_papers_add_bytes(TactPapers *papers, TactBlockKind kind, const char *text,
                           unsigned char *bytes, size_t size);
void tact_papers_clear(TactPapers *papers);
/// How many blocks are of a kind.
int tact_papers_count(const TactPapers *papers, TactBlockKind kind);

/// Name of a plot's or picture's file: papers-03.svg.
void tact_papers_name_image(const TactPapers *papers, int block, char name[32]);

/// Text in which < > & and quotes mean themselves; `words` in backticks become code.
void tact_papers_write_html(const TactPapers *papers, FILE *file);
/// Images are files in `folder` beside it.
void tact_papers_write_markdown(const TactPapers *papers, const char *folder, FILE *file);

#endif
