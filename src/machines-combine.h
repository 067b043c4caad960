/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The same comparison on several machines: the parts that combine it, and that say what came of it.
 */
#ifndef ABSTAT_MACHINES_COMBINE_H
#define ABSTAT_MACHINES_COMBINE_H

#include <stdbool.h>
#include <stddef.h>

#include "combine.h"
#include "options.h"
#include "report.h"
#include "sides.h"

/* Between machines, heterogeneity with a p below this is more than chance. */
#define HETEROGENEITY_P 0.1

struct machines {
	struct side_list *list;
	struct judge_options judge; /* with the primary metric that all are judged by */
	size_t n;
	struct report *parts; /* one a machine */
	size_t *primary;      /* of each part: the index of its primary metric */
	char **names;
	struct report report;
	struct combined *combined; /* one a comparison; k is 0 where there is none */
	char *err;
	size_t err_size;
};

/* Says so in m->err; returns STATUS_CANNOT_MEASURE. */
int machines_no_memory(struct machines *m);

/*
 * Combines ROWS, a change a machine, at LEVEL. *C has k = 0 where one of them has no interval of a
 * ratio. 0 or an exit status with a message.
 */
int machines_combine(struct machines *m, const struct report_change *rows, struct combined *c,
		     double level);

/* Machines whose changes point in opposite directions, by more than chance, have no effect in
 * common. */
bool machines_disagree(const struct report_change *rows, size_t n, const struct combined *c);

/* The row of all machines together, of the comparison TO. P is adjusted for the number of
 * comparisons. */
void machines_fill_combined(struct report_comparison *to, struct report_change *row,
			    const struct combined *c, const struct report_change *first,
			    enum direction direction, double p);

/* The gate of TO, as FIRST has it, asked of the combined estimate. */
void machines_fill_gate(struct report_comparison *to, const struct report_comparison *first,
			const struct combined *c, enum direction direction, double alpha);

/* The closing sentence of comparison I. 0 or an exit status with a message. */
int machines_compose(struct machines *m, size_t i, bool disagree);

#endif
