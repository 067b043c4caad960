/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Judges what was loaded, and prints the report. */
#include "sides-judge.h"

#include <stdio.h>

#include "command.h"
#include "hosts.h"
#include "output.h"

/* Reports show the notes of their first record: those of the others are added to it. */
static int gather_notes(struct side_list *list)
{
	struct record *first = &list->files[0]->record;

	for (size_t i = 1; i < list->n_files; i++)
		for (size_t k = 0; k < list->records[i]->n_notes; k++)
			if (record_note(first, "%s", list->records[i]->notes[k]))
				return -1;
	return 0;
}

int sides_judge(struct side_list *list, const struct judge_options *judge, bool compare,
		const struct output_options *output, char *err, size_t err_size)
{
	struct analyse_input input = {
	    .sides = list->sides,
	    .n_sides = list->n_sides,
	    .records = list->records,
	    .n_records = list->n_files,
	    .judge = judge,
	    .compare = compare,
	    .detail = ANALYSE_ALL,
	};
	struct report report;
	int status = analyse(&report, &input, err, err_size);

	if (!status && (gather_notes(list) || hosts_compare(&report, &list->files[0]->record))) {
		snprintf(err, err_size, "out of memory");
		status = STATUS_CANNOT_MEASURE;
	}
	if (!status) {
		status = report.status;
		if (output_report(&report, output, err, err_size))
			status = STATUS_CANNOT_MEASURE;
	}
	report_release(&report);
	return status;
}
