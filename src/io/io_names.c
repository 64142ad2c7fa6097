// Names of the enums of io.h, load.h and record.h.
#include <tact/io.h>
#include <tact/load.h>
#include <tact/record.h>

#include "base/words.h"

TACT_WORDS(TactLcpKind, lcp_kind,
           "kind of LCP", [TACT_LCP_KIND_LCP] = "lcp", [TACT_LCP_KIND_MLCP] = "mlcp")

TACT_WORDS(TactVerdict, verdict, "verdict", [TACT_VERDICT_HONOURED] = "honoured",
           [TACT_VERDICT_APPROXIMATED] = "approximated", [TACT_VERDICT_IGNORED] = "ignored")

TACT_WORDS(
    TactRecordCsvKind, record_csv_kind,
    "kind of CSV", [TACT_RECORD_CSV_STATES] = "states", [TACT_RECORD_CSV_CONTACTS] = "contacts")
