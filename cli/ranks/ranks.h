// The module that brings MPI: two functions, found by their names when it is loaded.
#ifndef TACT_CLI_RANKS_RANKS_H
#define TACT_CLI_RANKS_RANKS_H

#include <tact/sweep.h>

#define TACT_MPI_OPEN_SYMBOL "tact_mpi_open"
#define TACT_MPI_CLOSE_SYMBOL "tact_mpi_close"

/// Starts MPI and fills in the link, but for its silence; NULL, or why it cannot be.
typedef const char *TactMpiOpen(TactSweepLink *link);
/// Ends MPI. Where ranks were lost MPI_Finalize() would wait for them: the process ends instead.
typedef void TactMpiClose(TactSweepLink *link, int lost, int status);

#endif
