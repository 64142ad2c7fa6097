// Messages of a sweep by MPI: from one to one, none that waits for all. A rank that dies does not
// hold up the others as long as mpirun lets them live (--enable-recovery).
#include "cli/ranks/ranks.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TAG = 7 };

/// A message that MPI still reads from.
typedef struct Sending {
    struct Sending *next;
    MPI_Request     request;
    char            bytes[];
} Sending;

typedef struct Messages {
    Sending *sending;
    char    *room; // of the message that came last
    int      size;
} Messages;

static Messages messages;

/// Frees what has gone out.
static void clear_sent(Messages *m)
{
    Sending **place = &m->sending;
    while (*place) {
        Sending *sending = *place;
        int      done = 0;
        if (MPI_Test(&sending->request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || done) {
            *place = sending->next;
            free(sending);
        } else {
            place = &sending->next;
        }
    }
}

static TactStatus send_bytes(void *context, int to, const void *bytes, size_t size)
{
    Messages *m = context;
    Sending  *sending = malloc(sizeof *sending + size);
    if (!sending) {
        return TACT_NO_MEMORY;
    }
    clear_sent(m);
    memcpy(sending->bytes, bytes, size);
    // NOLINTBEGIN(clang-analyzer-optin.mpi.MPI-Checker): clear_sent() waits for it
    if (MPI_Isend(sending->bytes, (int)size, MPI_BYTE, to, TAG, MPI_COMM_WORLD,
                  &sending->request) != MPI_SUCCESS) {
        free(sending);
        return TACT_OK; // a rank that is gone: its silence tells
    }
    sending->next = m->sending;
    m->sending = sending;
    return TACT_OK;
    // NOLINTEND(clang-analyzer-optin.mpi.MPI-Checker)
}

static TactStatus receive_bytes(void *context, int *from, const void **bytes, size_t *size)
{
    Messages  *m = context;
    int        there = 0, count = 0;
    MPI_Status status;
    *size = 0;
    clear_sent(m);
    if (MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &there, &status) != MPI_SUCCESS || !there) {
        return TACT_OK;
    }
    MPI_Get_count(&status, MPI_BYTE, &count);
    if (count > m->size) {
        free(m->room);
        m->room = malloc((size_t)count);
        m->size = m->room ? count : 0;
        if (!m->room) {
            return TACT_NO_MEMORY;
        }
    }
    if (MPI_Recv(m->room, count, MPI_BYTE, status.MPI_SOURCE, TAG, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE) != MPI_SUCCESS) {
        return TACT_OK;
    }
    *from = status.MPI_SOURCE;
    *bytes = m->room;
    *size = (size_t)count;
    return TACT_OK;
}

__attribute__((visibility("default"))) const char *tact_mpi_open(TactSweepLink *link);
__attribute__((visibility("default"))) void        tact_mpi_close(TactSweepLink *link, int lost,
                                                                  int status);

const char *tact_mpi_open(TactSweepLink *link)
{
    int given = 0;
    // Other threads make trials and send nothing.
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &given) != MPI_SUCCESS ||
        given < MPI_THREAD_FUNNELED) {
        return "it cannot be started with threads";
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &link->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &link->ranks);
    link->context = &messages;
    link->send = send_bytes;
    link->receive = receive_bytes;
    return NULL;
}

void tact_mpi_close(TactSweepLink *link, int lost, int status)
{
    (void)link;
    if (lost > 0) {
        for (int i = 0; i < 100 && messages.sending; i++) { // the last words go out
            clear_sent(&messages);
            usleep(10000);
        }
        _exit(status);
    }
    while (messages.sending) {
        clear_sent(&messages);
    }
    MPI_Finalize();
    free(messages.room);
}
