// Lanes on a processor: fibres that take turns. Each publishes what it brings to a collective
// call and lets the next one run; when it is its turn again all have. Two sets of places are
// enough: nobody can be two calls ahead.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#include "gpu/lanes.h"

#if defined(__SANITIZE_ADDRESS__)
#define TACT_FIBRES_CHECKED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TACT_FIBRES_CHECKED 1
#endif
#endif

#ifdef TACT_FIBRES_CHECKED
#include <sanitizer/common_interface_defs.h>
#endif

enum { STACK = 256 * 1024 };

typedef enum Call {
    CALL_NONE,
    CALL_READ,
    CALL_READ_INT,
    CALL_ANY,
    CALL_MOST,
    CALL_VOTE,
    CALL_LEAST,
    CALL_MEET,
    CALL_PRODUCT,
    CALL_END
} Call;

/// Where a fibre goes on. Contexts ask the kernel for the signal mask in every switch, which takes
/// most of the time: they begin a fibre, and jumps go on from there. Jumps are those of the
/// compiler: the sanitizer takes the library's for a way out of the stack.
typedef struct Place {
    ucontext_t context;
    void      *jump[5];
    bool       begun; // is there a jump?
    void      *fake;  // the sanitizer's own stack of this fibre
} Place;

typedef struct Lane {
    Place  place;
    char  *stack;
    int    calls;     // collective calls so far
    Call   call[2];   // the last two of them
    double number[2]; // and what was brought to them
    double second[2];
    int    integer[2];
} Lane;

typedef struct Group {
    Lane  lanes[TACT_WARP];
    int   count; // of lanes, a power of 2
    Place home;
    int   running;
    void (*body)(void *);
    void *argument;
} Group;

static _Thread_local Group *group;

/// By itself: what jumps must not be where the jump leads to.
__attribute__((noinline, noreturn, no_sanitize_address)) static void go_to(Place *to)
{
    if (to->begun) {
        __builtin_longjmp(to->jump, 1);
    }
    setcontext(&to->context);
    abort();
}

__attribute__((noinline, no_sanitize_address)) static void switch_to(Place *from, Place *to)
{
    from->begun = true;
#ifdef TACT_FIBRES_CHECKED
    __sanitizer_start_switch_fiber(&from->fake, to->context.uc_stack.ss_sp,
                                   to->context.uc_stack.ss_size);
#endif
    if (__builtin_setjmp(from->jump) == 0) {
        go_to(to);
    }
#ifdef TACT_FIBRES_CHECKED
    __sanitizer_finish_switch_fiber(from->fake, NULL, NULL);
#endif
}

static void stop(const char *what)
{
    fprintf(stderr, "lanes: %s\n", what);
    abort();
}

/// Brings a value to a collective call; returns which of the two sets of places it is in.
static int bring(Call call, double number, int integer)
{
    Lane *own = &group->lanes[group->running];
    int   place = own->calls++ % 2;
    own->call[place] = call;
    own->number[place] = number;
    own->integer[place] = integer;
    int next = (group->running + 1) % group->count, self = group->running;
    group->running = next;
    switch_to(&own->place, &group->lanes[next].place);
    group->running = self;
    for (int k = 0; k < group->count; k++) {
        if (group->lanes[k].call[place] != call) {
            stop("lanes make different collective calls");
        }
    }
    return place;
}

int tact_lane_number(void)
{
    return group->running;
}

double tact_lane_read(double x, int lane)
{
    int place = bring(CALL_READ, x, 0);
    return group->lanes[lane & (group->count - 1)].number[place];
}

int tact_lane_read_int(int x, int lane)
{
    int place = bring(CALL_READ_INT, 0, x);
    return group->lanes[lane & (group->count - 1)].integer[place];
}

int tact_lane_any(int x)
{
    int place = bring(CALL_ANY, 0, x), any = 0;
    for (int k = 0; k < group->count; k++) {
        any |= group->lanes[k].integer[place] != 0;
    }
    return any;
}

int tact_lane_most(int x)
{
    int place = bring(CALL_MOST, 0, x), most = x;
    for (int k = 0; k < group->count; k++) {
        most = group->lanes[k].integer[place] > most ? group->lanes[k].integer[place] : most;
    }
    return most;
}

unsigned tact_warp_vote(int x)
{
    int      place = bring(CALL_VOTE, 0, x);
    unsigned votes = 0;
    for (int k = 0; k < group->count; k++) {
        votes |= group->lanes[k].integer[place] ? 1u << k : 0;
    }
    return votes;
}

double tact_warp_least(double x)
{
    int    place = bring(CALL_LEAST, x, 0);
    double least = x;
    for (int k = 0; k < group->count; k++) {
        least = group->lanes[k].number[place] < least ? group->lanes[k].number[place] : least;
    }
    return least;
}

void tact_lane_meet(void)
{
    bring(CALL_MEET, 0, 0);
}

void tact_warp_product(double a, double b, double c[2])
{
    Lane *own = &group->lanes[group->running];
    own->second[own->calls % 2] = b;
    int place = bring(CALL_PRODUCT, a, 0), row = 4 * (group->running / 4);
    int column = 8 * (group->running % 4); // the first lane of column 2 j of b
    for (int k = 0; k < 4; k++) {
        double entry = group->lanes[row + k].number[place];
        c[0] += entry * group->lanes[column + k].second[place];
        c[1] += entry * group->lanes[column + 4 + k].second[place];
    }
}

/// Where a lane begins. It ends with a call as well: the last lane goes home.
static void enter(void)
{
#ifdef TACT_FIBRES_CHECKED
    const void *bottom = NULL;
    size_t      size = 0;
    __sanitizer_finish_switch_fiber(NULL, &bottom, &size);
    if (group->running == 0) { // comes from home
        group->home.context.uc_stack.ss_sp = (void *)bottom;
        group->home.context.uc_stack.ss_size = size;
    }
#endif
    group->body(group->argument);
    bring(CALL_END, 0, 0);
    Lane *own = &group->lanes[group->running];
    switch_to(&own->place, &group->home);
}

static void prepare(Lane *lane)
{
    lane->stack = malloc(STACK);
    if (!lane->stack || getcontext(&lane->place.context)) {
        stop("no memory for a lane");
    }
    lane->place.context.uc_stack.ss_sp = lane->stack;
    lane->place.context.uc_stack.ss_size = STACK;
    lane->place.context.uc_link = NULL;
    makecontext(&lane->place.context, enter, 0);
}

static void run(int count, void (*body)(void *argument), void *argument)
{
    Group here = {.count = count, .body = body, .argument = argument};
    group = &here;
    for (int k = 0; k < group->count; k++) {
        prepare(&here.lanes[k]);
    }
    // The first lane that has seen all others end comes back.
    switch_to(&here.home, &here.lanes[0].place);
    for (int k = 0; k < group->count; k++) {
        free(here.lanes[k].stack);
    }
    group = NULL;
}

void tact_lanes_run(void (*body)(void *argument), void *argument)
{
    run(TACT_GROUP, body, argument);
}

void tact_warp_run(void (*body)(void *argument), void *argument)
{
    run(TACT_WARP, body, argument);
}
