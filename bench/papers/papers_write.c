// The report as HTML, one file with everything in it, and as Markdown with images beside it.
#include <string.h>

#include "bench/facts.h"
#include "bench/papers/papers_report.h"

static const char style[] =
    "body{font:16px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;"
    "color:#222;background:#fff}h1,h2,h3{line-height:1.2}h2{margin-top:3rem;border-bottom:1px "
    "solid "
    "#ccc;padding-bottom:.3rem}table{border-collapse:collapse;margin:1rem 0;font-size:.92rem;"
    "display:block;overflow-x:auto}caption{text-align:left;font-weight:600;padding:.3rem 0}"
    "td,th{border-bottom:1px solid #ddd;padding:.25rem .7rem;text-align:left;vertical-align:top}"
    "th{border-bottom:2px solid #999}tr:hover td{background:#8881}"
    "figure{margin:1.2rem 0}figure img{max-width:100%;height:auto;border-radius:6px}"
    "figcaption{color:#666;font-size:.92rem}code{background:#8882;padding:0 "
    ".25em;border-radius:3px}"
    ".holds,.missed{padding:.3rem .7rem;border-left:5px solid;margin:.4rem 0}"
    ".holds{border-color:#009e73;background:#009e7318}.missed{border-color:#d55e00;"
    "background:#d55e0020}.facts{color:#666;font-size:.9rem;white-space:pre-line}"
    "@media(prefers-color-scheme:dark){body{color:#ddd;background:#16181b}td,th{border-color:#333}"
    "figcaption,.facts{color:#aaa}}";

static const char title[] = "The experiments of the five papers, by tact";

static void summarise(const TactPapers *papers, char text[160])
{
    int holds = tact_papers_count(papers, TACT_BLOCK_HOLDS);
    int missed = tact_papers_count(papers, TACT_BLOCK_MISSED);
    snprintf(text, 160,
             "%d of %d things wanted hold, %d are missed; %d of %d experiments ended "
             "early.%s",
             holds, holds + missed, missed, papers->failed, papers->done,
             papers->options.quick ? " This was a smoke run (--quick)." : "");
}

// ---------------------------------------------------------------------------------------------
// HTML

/// Up to `size` characters, with entities, and code between backticks.
static void put_html(FILE *file, const char *text, size_t size)
{
    bool code = false;
    for (size_t i = 0; i < size; i++) {
        switch (text[i]) {
        case '<': fputs("&lt;", file); break;
        case '>': fputs("&gt;", file); break;
        case '&': fputs("&amp;", file); break;
        case '"': fputs("&quot;", file); break;
        case '`':
            code = !code;
            fputs(code ? "<code>" : "</code>", file);
            break;
        default: fputc(text[i], file);
        }
    }
    if (code) {
        fputs("</code>", file);
    }
}

static void put_element(FILE *file, const char *open, const char *text, const char *close)
{
    fputs(open, file);
    put_html(file, text ? text : "", text ? strlen(text) : 0);
    fputs(close, file);
}

static void put_base64(FILE *file, const unsigned char *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        unsigned three = (unsigned)bytes[i] << 16;
        three |= i + 1 < size ? (unsigned)bytes[i + 1] << 8 : 0;
        three |= i + 2 < size ? bytes[i + 2] : 0;
        fputc(digits[three >> 18], file);
        fputc(digits[three >> 12 & 63], file);
        fputc(i + 1 < size ? digits[three >> 6 & 63] : '=', file);
        fputc(i + 2 < size ? digits[three & 63] : '=', file);
    }
}

static void put_row(FILE *file, const char *cells, const char *tag)
{
    fputs("<tr>", file);
    for (const char *cell = cells; cell;) {
        const char *bar = strchr(cell, '|');
        size_t      size = bar ? (size_t)(bar - cell) : strlen(cell);
        fprintf(file, "<%s>", tag);
        put_html(file, cell, size);
        fprintf(file, "</%s>", tag);
        cell = bar ? bar + 1 : NULL;
    }
    fputs("</tr>\n", file);
}

static void put_image(FILE *file, const TactBlock *block)
{
    fprintf(file, "<figure><img alt=\"");
    put_html(file, block->text ? block->text : "", block->text ? strlen(block->text) : 0);
    fprintf(file, "\" src=\"data:image/%s;base64,",
            block->kind == TACT_BLOCK_PLOT ? "svg+xml" : "png");
    put_base64(file, block->bytes, block->size);
    fprintf(file, "\">");
    if (block->kind == TACT_BLOCK_PICTURE) { // a plot says its title itself
        put_element(file, "<figcaption>", block->text, "</figcaption>");
    }
    fprintf(file, "</figure>\n");
}

static void put_block(FILE *file, const TactPapers *papers, int i)
{
    const TactBlock *block = &papers->blocks[i];
    bool             heads = i > 0 && papers->blocks[i - 1].kind == TACT_BLOCK_TABLE;
    bool             ends = i + 1 == papers->count || papers->blocks[i + 1].kind != TACT_BLOCK_ROW;
    switch (block->kind) {
    case TACT_BLOCK_PAPER: put_element(file, "<h2>", block->text, "</h2>\n"); break;
    case TACT_BLOCK_SECTION: put_element(file, "<h3>", block->text, "</h3>\n"); break;
    case TACT_BLOCK_TEXT: put_element(file, "<p>", block->text, "</p>\n"); break;
    case TACT_BLOCK_HOLDS:
        put_element(file, "<p class=\"holds\">holds: ", block->text, "</p>\n");
        break;
    case TACT_BLOCK_MISSED:
        put_element(file, "<p class=\"missed\">MISSED: ", block->text, "</p>\n");
        break;
    case TACT_BLOCK_TABLE:
        put_element(file, "<table><caption>", block->text, "</caption>\n");
        break;
    case TACT_BLOCK_ROW:
        put_row(file, block->text ? block->text : "", heads ? "th" : "td");
        fputs(ends ? "</table>\n" : "", file);
        break;
    case TACT_BLOCK_PLOT:
    case TACT_BLOCK_PICTURE: put_image(file, block); break;
    }
}

void tact_papers_write_html(const TactPapers *papers, FILE *file)
{
    char summary[160];
    summarise(papers, summary);
    fprintf(file,
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
            "<meta name=\"viewport\" content=\"width=device-width\"><title>%s</title>"
            "<style>%s</style></head><body>\n<h1>%s</h1>\n<p>%s</p>\n<p class=\"facts\">",
            title, style, title, summary);
    tact_bench_write_facts(file, "");
    fputs("</p>\n", file);
    for (int i = 0; i < papers->count; i++) {
        put_block(file, papers, i);
    }
    fputs("</body></html>\n", file);
}

// ---------------------------------------------------------------------------------------------
// Markdown

static void mark_row(FILE *file, const char *cells, bool heads)
{
    fprintf(file, "| %s |\n", cells);
    if (heads) {
        fputc('|', file);
        for (const char *cell = cells; cell; cell = strchr(cell, '|')) {
            cell += *cell == '|';
            fputs("---|", file);
        }
        fputc('\n', file);
    }
}

static void mark_block(FILE *file, const TactPapers *papers, int i, const char *folder)
{
    const TactBlock *block = &papers->blocks[i];
    const char      *text = block->text ? block->text : "";
    bool             heads = i > 0 && papers->blocks[i - 1].kind == TACT_BLOCK_TABLE;
    bool             ends = i + 1 == papers->count || papers->blocks[i + 1].kind != TACT_BLOCK_ROW;
    char             name[32];
    switch (block->kind) {
    case TACT_BLOCK_PAPER: fprintf(file, "## %s\n\n", text); break;
    case TACT_BLOCK_SECTION: fprintf(file, "### %s\n\n", text); break;
    case TACT_BLOCK_TEXT: fprintf(file, "%s\n\n", text); break;
    case TACT_BLOCK_HOLDS: fprintf(file, "- holds: %s\n\n", text); break;
    case TACT_BLOCK_MISSED: fprintf(file, "- **MISSED**: %s\n\n", text); break;
    case TACT_BLOCK_TABLE: fprintf(file, "**%s**\n\n", text); break;
    case TACT_BLOCK_ROW:
        mark_row(file, text, heads);
        fputs(ends ? "\n" : "", file);
        break;
    case TACT_BLOCK_PLOT:
    case TACT_BLOCK_PICTURE:
        tact_papers_name_image(papers, i, name);
        fprintf(file, "![%s](%s/%s)\n\n", text, folder, name);
        if (block->kind == TACT_BLOCK_PICTURE) {
            fprintf(file, "*%s*\n\n", text);
        }
        break;
    }
}

void tact_papers_write_markdown(const TactPapers *papers, const char *folder, FILE *file)
{
    char summary[160];
    summarise(papers, summary);
    fprintf(file, "# %s\n\nWritten by `tact bench papers`. %s\n\n", title, summary);
    tact_bench_write_facts(file, "- ");
    fputc('\n', file);
    for (int i = 0; i < papers->count; i++) {
        mark_block(file, papers, i, folder);
    }
}
