#include "view/html/page.h"

#include "view/view.h"

#ifdef TACT_VIEW_PAGE_FILE

// The assembler copies the file as it is; a C array of half a million numbers would take a minute.
__asm__(".section .rodata\n"
        ".balign 16\n"
        "tact_view_page_begin:\n"
        ".incbin \"" TACT_VIEW_PAGE_FILE "\"\n"
        "tact_view_page_end:\n"
        ".byte 0\n"
        ".previous\n");

extern const char tact_view_page_begin[], tact_view_page_end[];

const char *tact_view_page(size_t *size)
{
    *size = (size_t)(tact_view_page_end - tact_view_page_begin);
    return tact_view_page_begin;
}

#else

const char *tact_view_page(size_t *size)
{
    *size = 0;
    return NULL;
}

#endif

bool tact_view_has_page(void)
{
    size_t size;
    return tact_view_page(&size) != NULL;
}
