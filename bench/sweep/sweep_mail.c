// Ranks as threads with mailboxes: the protocol of ranks without MPI.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/sweep/sweep.h"

typedef struct Letter {
    struct Letter *next;
    int            from;
    size_t         size;
    char           bytes[];
} Letter;

typedef struct Box {
    struct TactMail *mail;
    pthread_mutex_t  lock;
    Letter          *first, **last;
    Letter          *lent; // until the next one is taken
    int              rank;
} Box;

struct TactMail {
    int  ranks;
    Box *boxes;
};

TactMail *tact_mail_create(int ranks)
{
    TactMail *mail = calloc(1, sizeof *mail);
    Box      *boxes = calloc((size_t)ranks, sizeof *boxes);
    if (!mail || !boxes) {
        free(mail);
        free(boxes);
        return NULL;
    }
    *mail = (TactMail){ranks, boxes};
    for (int i = 0; i < ranks; i++) {
        boxes[i] = (Box){.mail = mail, .rank = i};
        boxes[i].last = &boxes[i].first;
        pthread_mutex_init(&boxes[i].lock, NULL);
    }
    return mail;
}

void tact_mail_destroy(TactMail *mail)
{
    for (int i = 0; mail && i < mail->ranks; i++) {
        Box *box = &mail->boxes[i];
        while (box->first) {
            Letter *letter = box->first;
            box->first = letter->next;
            free(letter);
        }
        free(box->lent);
        pthread_mutex_destroy(&box->lock);
    }
    if (mail) {
        free(mail->boxes);
        free(mail);
    }
}

static TactStatus post(void *context, int to, const void *bytes, size_t size)
{
    const Box *own = context;
    Box       *box = &own->mail->boxes[to];
    Letter    *letter = malloc(sizeof *letter + size);
    if (!letter) {
        return TACT_NO_MEMORY;
    }
    *letter = (Letter){.from = own->rank, .size = size};
    memcpy(letter->bytes, bytes, size);
    pthread_mutex_lock(&box->lock);
    *box->last = letter;
    box->last = &letter->next;
    pthread_mutex_unlock(&box->lock);
    return TACT_OK;
}

static TactStatus collect(void *context, int *from, const void **bytes, size_t *size)
{
    Box *box = context;
    free(box->lent);
    pthread_mutex_lock(&box->lock);
    box->lent = box->first;
    if (box->first) {
        box->first = box->first->next;
        box->last = box->first ? box->last : &box->first;
    }
    pthread_mutex_unlock(&box->lock);
    *size = box->lent ? box->lent->size : 0;
    if (box->lent) {
        *from = box->lent->from;
        *bytes = box->lent->bytes;
    }
    return TACT_OK;
}

TactSweepLink tact_mail_link(TactMail *mail, int rank)
{
    return (TactSweepLink){.context = &mail->boxes[rank],
                           .rank = rank,
                           .ranks = mail->ranks,
                           .send = post,
                           .receive = collect,
                           .silence = 60};
}

// ---------------------------------------------------------------------------------------------

typedef struct Follower {
    const TactSweep *sweep;
    TactMail        *mail;
    int              rank;
    double           pause;
    pthread_t        thread;
    TactStatus       status;
} Follower;

static TactStatus run_rank(const TactSweep *sweep, TactMail *mail, int rank, const char *path,
                           double pause, int *made)
{
    TactSweepLink link = tact_mail_link(mail, rank);
    TactSweepRun  run = tact_sweep_run_default();
    TactWorkers  *workers = NULL;
    run.link = &link;
    run.path = path;
    run.pause = pause;
    TactStatus status = tact_workers_create(2, &workers);
    status = status == TACT_OK ? tact_sweep_run(sweep, workers, &run) : status;
    tact_workers_destroy(workers);
    *made = run.made;
    return status;
}

static void *follow(void *context)
{
    Follower *f = context;
    int       made = 0;
    f->status = run_rank(f->sweep, f->mail, f->rank, NULL, f->pause, &made);
    return NULL;
}

TactStatus tact_bench_run_ranks(const TactSweep *sweep, const char *path, int ranks, double pause,
                                TactRanksMeasured *measured)
{
    TactMail *mail = tact_mail_create(ranks);
    Follower *followers = calloc((size_t)ranks, sizeof *followers);
    int       started = 1;
    if (!mail || !followers) {
        tact_mail_destroy(mail);
        free(followers);
        return TACT_NO_MEMORY;
    }
    double begun = tact_time_now();
    for (; started < ranks; started++) {
        Follower *f = &followers[started];
        *f = (Follower){.sweep = sweep, .mail = mail, .rank = started, .pause = pause};
        if (pthread_create(&f->thread, NULL, follow, f) != 0) {
            break;
        }
    }
    double     own = tact_bench_thread_time();
    TactStatus status = run_rank(sweep, mail, 0, path, pause, &measured->lead_trials);
    measured->lead_time = tact_bench_thread_time() - own;
    measured->elapsed = tact_time_now() - begun;
    for (int i = 1; i < started; i++) {
        pthread_join(followers[i].thread, NULL);
        status = status == TACT_OK ? followers[i].status : status;
    }
    status = status == TACT_OK && started < ranks ? TACT_NO_MEMORY : status;
    tact_mail_destroy(mail);
    free(followers);
    return status;
}
