// Ranks: messages from one to one, in which rank 0 hands out trials and takes rows.
//
//     to rank 0     how many trials are wanted, then rows: number, size, text; or the last word
//     from rank 0   trials; or the end
//
// Every rank says something once a second. One that does not for long counts as lost: its trials go
// to others. Should it speak again, its rows count as long as nobody else's were there before.
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/status.h"
#include "sweep/pool.h"

typedef enum Word {
    WORD_TRIALS,
    WORD_END,
    WORD_END_WITH_LOSS,
    WORD_ROWS,
    WORD_FAILED,
    WORD_LAST, // nothing follows
} Word;

typedef struct Head {
    int32_t word;
    int32_t count; // trials that follow, or that are wanted
} Head;

static const double BEAT = 1;     // s between two signs of life
static const double SILENCE = 10; // s
static const double SHORT_NAP = 1e-4, LONG_NAP = 1e-3;

/// Longer each time, up to so many seconds, until something moves.
static void nap(double *length, double most)
{
    *length = fmin(1.5 * *length, most);
    struct timespec time = {0, (long)(1e9 * *length)};
    nanosleep(&time, NULL);
}

static double silence_of(const TactSweepLink *link)
{
    return link->silence > 0 ? link->silence : SILENCE;
}

static TactStatus send_words(const TactSweepLink *link, int to, Word word, int count,
                             const void *rest, size_t size)
{
    TactBytes  message = {0};
    Head       head = {(int32_t)word, count};
    TactStatus status = tact_bytes_add(&message, &head, sizeof head);
    if (status == TACT_OK && size > 0) {
        status = tact_bytes_add(&message, rest, size);
    }
    if (status == TACT_OK) {
        status = link->send(link->context, to, message.bytes, message.size);
    }
    tact_release(message.bytes);
    return status;
}

// ---------------------------------------------------------------------------------------------
// Rank 0

typedef struct Rank {
    bool      lost, known; // known: it has said something
    double    heard, told; // s: the last word of it, and to it
    TactQueue trials;      // that it makes
} Rank;

typedef struct Lead {
    TactSweepPool       *pool;
    const TactSweepLink *link;
    Rank                *ranks; //                                                     (ranks)
    double               began;
} Lead;

static void strike_out(TactQueue *queue, int trial)
{
    int kept = 0;
    for (int i = 0; i < queue->count; i++) {
        if (queue->trials[i] != trial) {
            queue->trials[kept++] = queue->trials[i];
        }
    }
    queue->count = kept;
}

/// Rows of a message into the table; with the lock held.
static TactStatus keep_rows(Lead *lead, Rank *rank, const char *bytes, size_t size)
{
    while (size >= 2 * sizeof(int32_t)) {
        int32_t head[2];
        memcpy(head, bytes, sizeof head);
        bytes += sizeof head;
        size -= sizeof head;
        if (head[1] <= 0 || (size_t)head[1] > size) {
            return tact_fail(TACT_BAD_INPUT, "sweep: a message of a rank is damaged");
        }
        TACT_TRY(tact_sweep_pool_keep(lead->pool, head[0], bytes, (size_t)head[1]));
        strike_out(&rank->trials, head[0]);
        bytes += head[1];
        size -= (size_t)head[1];
    }
    return TACT_OK;
}

/// As many as it wants; towards the end fewer, so that none waits at one rank while others idle.
static TactStatus hand_out(Lead *lead, int to, int wanted)
{
    TactSweepPool *pool = lead->pool;
    Rank          *rank = &lead->ranks[to];
    int            left = pool->sweep->plan.trials - pool->progress.done;
    int            most = left / (2 * lead->link->ranks) + 1, count = 0;
    int32_t        trials[256];
    wanted = wanted < most ? wanted : most;
    while (count < wanted && count < 256) {
        int trial = tact_sweep_pool_next(pool);
        if (trial < 0) {
            break;
        }
        TACT_TRY(tact_queue_add(&rank->trials, trial));
        trials[count++] = trial;
    }
    if (count == 0) {
        return TACT_OK;
    }
    rank->told = tact_time_now();
    return send_words(lead->link, to, WORD_TRIALS, count, trials, (size_t)count * sizeof *trials);
}

static TactStatus hear(Lead *lead, int from, const char *bytes, size_t size)
{
    Head head;
    if (from <= 0 || from >= lead->link->ranks || size < sizeof head) {
        return tact_fail(TACT_BAD_INPUT, "sweep: a message of rank %d is damaged", from);
    }
    memcpy(&head, bytes, sizeof head);
    Rank *rank = &lead->ranks[from];
    rank->heard = tact_time_now();
    rank->known = true;
    lead->pool->progress.lost -= rank->lost;
    rank->lost = false;
    if (head.word == WORD_FAILED) {
        return tact_fail(TACT_IO_ERROR, "rank %d: %.*s", from, (int)(size - sizeof head),
                         bytes + sizeof head);
    }
    pthread_mutex_lock(&lead->pool->lock);
    TactStatus status = keep_rows(lead, rank, bytes + sizeof head, size - sizeof head);
    if (status == TACT_OK) {
        status = hand_out(lead, from, head.count);
    }
    pthread_mutex_unlock(&lead->pool->lock);
    return status;
}

/// Who has been silent for too long, and who has to be told that rank 0 lives.
static TactStatus look_after(Lead *lead)
{
    double now = tact_time_now();
    for (int i = 1; i < lead->link->ranks; i++) {
        Rank  *rank = &lead->ranks[i];
        double since = now - (rank->known ? rank->heard : lead->began);
        // One that never spoke may still be starting: it has nothing that others wait for.
        if (!rank->lost && rank->known && since > silence_of(lead->link)) {
            rank->lost = true;
            lead->pool->progress.lost++;
            pthread_mutex_lock(&lead->pool->lock);
            TactStatus status = TACT_OK;
            for (int k = 0; k < rank->trials.count && status == TACT_OK; k++) {
                status = tact_queue_add(&lead->pool->queue, rank->trials.trials[k]);
            }
            rank->trials.count = 0;
            pthread_cond_broadcast(&lead->pool->changed);
            pthread_mutex_unlock(&lead->pool->lock);
            TACT_TRY(status);
        }
        if (!rank->lost && now - rank->told > BEAT) {
            rank->told = now;
            TACT_TRY(send_words(lead->link, i, WORD_TRIALS, 0, NULL, 0));
        }
    }
    return TACT_OK;
}

static TactStatus lead_on(Lead *lead)
{
    TactSweepPool *pool = lead->pool;
    double         length = SHORT_NAP, looked = 0;
    while (true) {
        int         from = -1;
        const void *bytes = NULL;
        size_t      size = 0;
        TACT_TRY(lead->link->receive(lead->link->context, &from, &bytes, &size));
        if (size > 0) {
            TACT_TRY(hear(lead, from, bytes, size));
        }
        pthread_mutex_lock(&pool->lock);
        bool done = pool->progress.done == pool->progress.trials, ended = pool->ended;
        pthread_mutex_unlock(&pool->lock);
        if (done || ended) { // ended: a thread of this rank has failed, and says why
            return TACT_OK;
        }
        if (size == 0) {
            double now = tact_time_now();
            if (now - looked > 0.1 * BEAT) {
                looked = now;
                TACT_TRY(look_after(lead));
            }
            TACT_TRY(tact_sweep_pool_tell(pool));
            nap(&length, LONG_NAP);
        } else {
            length = SHORT_NAP;
        }
    }
}

/// Takes what is still on its way until every rank has said its last word: MPI waits at its end for
/// messages that nobody takes. Not for ever: a rank may be gone.
static void hear_out(const TactSweepLink *link)
{
    double     length = SHORT_NAP, began = tact_time_now();
    int        left = link->ranks - 1;
    TactStatus status = TACT_OK;
    while (left > 0 && status == TACT_OK && tact_time_now() - began < silence_of(link)) {
        int         from = -1;
        const void *bytes = NULL;
        size_t      size = 0;
        Head        head = {0};
        status = link->receive(link->context, &from, &bytes, &size);
        if (status == TACT_OK && size >= sizeof head) {
            memcpy(&head, bytes, sizeof head);
            left -= head.word == WORD_LAST;
            length = SHORT_NAP;
        } else {
            nap(&length, LONG_NAP);
        }
    }
}

void tact_ranks_dismiss(const TactSweepLink *link, int lost)
{
    for (int i = 1; i < link->ranks; i++) {
        Word word = lost > 0 ? WORD_END_WITH_LOSS : WORD_END;
        tact_status_ignore(send_words(link, i, word, 0, NULL, 0)); // one that is gone needs none
    }
    if (lost == 0) {
        hear_out(link);
    }
}

TactStatus tact_ranks_lead(TactSweepPool *pool)
{
    Lead   lead = {.pool = pool, .link = pool->run->link, .began = tact_time_now()};
    size_t ranks = (size_t)lead.link->ranks;
    TACT_TRY(tact_allocate(ranks, sizeof *lead.ranks, (void **)&lead.ranks));
    TactStatus status = lead_on(&lead);
    pool->run->lost = pool->progress.lost;
    for (size_t i = 1; i < ranks; i++) {
        tact_release(lead.ranks[i].trials.trials);
    }
    tact_release(lead.ranks);
    return status;
}

// ---------------------------------------------------------------------------------------------
// Other ranks

typedef struct Follow {
    TactSweepPool       *pool;
    const TactSweepLink *link;
    int                  wanted; // that rank 0 has been asked for and has not sent
    double               heard, told;
    bool                 ended;
} Follow;

/// Trials that should wait here: as many as are made while a message goes to and fro.
static int supply_of(const TactSweepPool *pool)
{
    static const double AHEAD = 0.02; // s
    static const double LONG_TRIAL = 1;
    double mean = pool->run->made > 0 ? pool->run->trial_time / pool->run->made : AHEAD;
    if (mean > LONG_TRIAL) {
        return 0;
    }
    double supply = ceil(AHEAD / fmax(mean, 1e-5)) * (pool->threads - 1);
    return (int)fmin(supply, 200);
}

/// A rank whose trials are long need not look often.
static double longest_nap(const TactSweepPool *pool)
{
    static const double SHARE = 0.02, LONGEST = 0.02; // of a trial; s
    double              mean = pool->run->made > 0 ? pool->run->trial_time / pool->run->made : 0;
    return fmin(fmax(SHARE * mean, LONG_NAP), LONGEST);
}

/// Rows that are there, and how many trials are wanted; or a sign of life.
static TactStatus speak(Follow *follow, bool *spoke)
{
    TactSweepPool *pool = follow->pool;
    TactBytes      finished = {0};
    pthread_mutex_lock(&pool->lock);
    int have = pool->busy + pool->queue.count + follow->wanted;
    int supply = supply_of(pool), makers = pool->threads - 1;
    int wanted = makers + supply - have;
    if (2 * (pool->busy + pool->queue.count) > 2 * makers + supply) {
        wanted = 0; // not for every single one
    }
    bool due = tact_time_now() - follow->told > BEAT;
    *spoke = pool->finished.size > 0 || wanted > 0 || due;
    if (*spoke) {
        finished = pool->finished;
        pool->finished = (TactBytes){0};
    }
    pthread_mutex_unlock(&pool->lock);
    if (!*spoke) {
        return TACT_OK;
    }
    // Rank 0 may have had none for the last question: a sign of life asks again.
    follow->wanted = due ? 0 : follow->wanted;
    wanted = wanted > 0 ? wanted : 0;
    TactStatus status =
        send_words(follow->link, 0, WORD_ROWS, wanted, finished.bytes, finished.size);
    tact_release(finished.bytes);
    follow->wanted += wanted;
    follow->told = tact_time_now();
    return status;
}

static TactStatus obey(Follow *follow, const char *bytes, size_t size)
{
    TactSweepPool *pool = follow->pool;
    Head           head;
    if (size < sizeof head) {
        return tact_fail(TACT_BAD_INPUT, "sweep: a message of rank 0 is damaged");
    }
    memcpy(&head, bytes, sizeof head);
    follow->heard = tact_time_now();
    if (head.word == WORD_END || head.word == WORD_END_WITH_LOSS) {
        follow->ended = true;
        pool->run->lost = head.word == WORD_END_WITH_LOSS;
        return TACT_OK;
    }
    TactStatus status = TACT_OK;
    pthread_mutex_lock(&pool->lock);
    for (int i = 0; i < head.count && status == TACT_OK; i++) {
        int32_t trial;
        memcpy(&trial, bytes + sizeof head + (size_t)i * sizeof trial, sizeof trial);
        status = tact_queue_add(&pool->queue, trial);
    }
    follow->wanted = head.count > 0 ? 0 : follow->wanted; // the question is answered
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
    return status;
}

static TactStatus follow_on(Follow *follow)
{
    TactSweepPool *pool = follow->pool;
    double         length = SHORT_NAP;
    while (!follow->ended) {
        int         from = -1;
        const void *bytes = NULL;
        size_t      size = 0;
        bool        spoke = false;
        TACT_TRY(follow->link->receive(follow->link->context, &from, &bytes, &size));
        if (size > 0) {
            TACT_TRY(obey(follow, bytes, size));
        }
        TACT_TRY(speak(follow, &spoke));
        pthread_mutex_lock(&pool->lock);
        bool   failed = pool->ended;
        double most = longest_nap(pool);
        pthread_mutex_unlock(&pool->lock);
        if (failed) { // the thread that failed returns why
            return send_words(follow->link, 0, WORD_FAILED, 0, pool->why, strlen(pool->why));
        }
        if (tact_time_now() - follow->heard > 6 * silence_of(follow->link)) {
            pool->run->lost = 1;
            return tact_fail(TACT_IO_ERROR, "rank %d: rank 0 has said nothing for %g s",
                             follow->link->rank, 6 * silence_of(follow->link));
        }
        if (size == 0 && !spoke) {
            nap(&length, most);
        } else {
            length = SHORT_NAP;
        }
    }
    return TACT_OK;
}

TactStatus tact_ranks_follow(TactSweepPool *pool)
{
    double     now = tact_time_now();
    Follow     follow = {.pool = pool, .link = pool->run->link, .heard = now};
    TactStatus status = follow_on(&follow);
    // Should it not arrive, rank 0 waits no longer than for anybody else.
    tact_status_ignore(send_words(follow.link, 0, WORD_LAST, 0, NULL, 0));
    return status;
}
