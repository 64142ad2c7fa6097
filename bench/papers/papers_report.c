// What experiments find becomes blocks.
#define _GNU_SOURCE // vasprintf(), open_memstream()
#include "bench/papers/papers_report.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/progress.h"
#include "bench/wanted.h"

bool tact_papers_quick(const TactPapers *papers)
{
    return papers->options.quick;
}

void tact_papers_progress(TactPapers *papers, double share)
{
    tact_bench_progress_share((papers->done + share) / papers->experiments, papers->running);
}

// ---------------------------------------------------------------------------------------------
// Blocks

static TactBlock *add(TactPapers *papers, TactBlockKind kind)
{
    if (papers->count == papers->room) {
        int        room = papers->room ? 2 * papers->room : 256;
        TactBlock *grown = realloc(papers->blocks, (size_t)room * sizeof *grown);
        if (!grown) {
            papers->full = true;
            return NULL;
        }
        papers->blocks = grown;
        papers->room = room;
    }
    TactBlock *block = &papers->blocks[papers->count++];
    *block = (TactBlock){.kind = kind};
    return block;
}

void tact_papers_add(TactPapers *papers, TactBlockKind kind, const char *text)
{
    TactBlock *block = add(papers, kind);
    if (block) {
        block->text = strdup(text);
        papers->full |= !block->text;
    }
}

void tact_papers_add_bytes(TactPapers *papers, TactBlockKind kind, const char *text,
                           unsigned char *bytes, size_t size)
{
    TactBlock *block = add(papers, kind);
    if (!block) {
        free(bytes);
        return;
    }
    block->text = strdup(text);
    block->bytes = bytes;
    block->size = size;
}

static void add_format(TactPapers *papers, TactBlockKind kind, const char *format, va_list list)
{
    TactBlock *block = add(papers, kind);
    if (block && vasprintf(&block->text, format, list) < 0) {
        block->text = NULL;
        papers->full = true;
    }
}

void tact_papers_clear(TactPapers *papers)
{
    for (int i = 0; i < papers->count; i++) {
        free(papers->blocks[i].text);
        free(papers->blocks[i].bytes);
    }
    free(papers->blocks);
    papers->blocks = NULL;
    papers->count = papers->room = 0;
}

int tact_papers_count(const TactPapers *papers, TactBlockKind kind)
{
    int count = 0;
    for (int i = 0; i < papers->count; i++) {
        count += papers->blocks[i].kind == kind;
    }
    return count;
}

void tact_papers_name_image(const TactPapers *papers, int block, char name[32])
{
    int  number = 0;
    bool plot = papers->blocks[block].kind == TACT_BLOCK_PLOT;
    for (int i = 0; i <= block; i++) {
        number += papers->blocks[i].kind == papers->blocks[block].kind;
    }
    snprintf(name, 32, "%s-%02d.%s", plot ? "plot" : "picture", number, plot ? "svg" : "png");
}

// ---------------------------------------------------------------------------------------------
// What experiments call

void tact_papers_section(TactPapers *papers, const char *title)
{
    tact_papers_add(papers, TACT_BLOCK_SECTION, title);
}

void tact_papers_text(TactPapers *papers, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    add_format(papers, TACT_BLOCK_TEXT, format, list);
    va_end(list);
}

void tact_papers_table(TactPapers *papers, const char *caption, const char *heads)
{
    tact_papers_add(papers, TACT_BLOCK_TABLE, caption);
    tact_papers_add(papers, TACT_BLOCK_ROW, heads);
}

void tact_papers_row(TactPapers *papers, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    add_format(papers, TACT_BLOCK_ROW, format, list);
    va_end(list);
}

void tact_papers_wanted(TactPapers *papers, bool holds, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    tact_bench_wanted(holds);
    add_format(papers, holds ? TACT_BLOCK_HOLDS : TACT_BLOCK_MISSED, format, list);
    va_end(list);
}

void tact_papers_plot(TactPapers *papers, const TactSvgPlot *plot)
{
    char      *bytes = NULL;
    size_t     size = 0;
    TactBlock *block = add(papers, TACT_BLOCK_PLOT);
    FILE      *file = block ? open_memstream(&bytes, &size) : NULL;
    if (!file) {
        papers->full = true;
        return;
    }
    tact_svg_print(plot, file);
    papers->full |= fclose(file) != 0;
    block->text = strdup(plot->title);
    block->bytes = (unsigned char *)bytes;
    block->size = size;
}
