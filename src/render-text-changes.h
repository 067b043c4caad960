/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of changes: a row a metric with both sides, the change and the verdict, and Welch's test
 * under it. */
#ifndef ABSTAT_RENDER_TEXT_CHANGES_H
#define ABSTAT_RENDER_TEXT_CHANGES_H

#include "render-table.h"
#include "render-text.h"

struct change_table {
	const struct text_page *page;
	const struct report_comparison *comparison;
	struct table table;
	bool plain; /* no row has a p or a verdict */
};

void change_table_init(struct change_table *t, const struct text_page *page,
		       const struct report_comparison *comparison);

/* Prints HEADING as it is, and under it the metrics that WANTED wants; nothing if it wants none. */
void change_table_print(struct change_table *t, const char *heading,
			bool (*wanted)(const struct change_table *t, size_t metric));

/* Whether a side has values of METRIC, or machines were combined. */
bool change_has_values(const struct change_table *t, size_t metric);

#endif
