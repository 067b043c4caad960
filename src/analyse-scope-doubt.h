/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Verdicts on scopes that rest on what probing adds are taken back. */
#ifndef ABSTAT_ANALYSE_SCOPE_DOUBT_H
#define ABSTAT_ANALYSE_SCOPE_DOUBT_H

#include "report.h"

/*
 * Of the event OF, what probing added to a run of V in all and was taken off again, in OF's unit:
 * what the probed runs count as a whole, less all parts. NaN where it is not known.
 */
double scope_taken_off(const struct report *report, const struct report_variant *v, const char *of);

/* Whether that is more than what remains for the rest. */
bool scope_rest_is_short(const struct report *report, const struct report_variant *v,
			 const char *of);

/*
 * After the metrics of C were judged, and before it is said what moved: a difference of the totals
 * that may as well be probing's is unclear, with the reason. It may be if it is less than what the
 * calibration leaves open for the calls that one side has more; and that of the rest also if more
 * was taken off than remains, and than differs.
 */
void scope_doubt(const struct report *report, struct report_comparison *c);

#endif
