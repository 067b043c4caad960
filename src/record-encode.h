/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of a record file, encoded. */
#ifndef ABSTAT_RECORD_ENCODE_H
#define ABSTAT_RECORD_ENCODE_H

#include "json-out.h"
#include "record.h"

/* Each appends one line. */
void record_encode_header(struct json_out *o, const struct record *r, size_t n_notes);
void record_encode_plan(struct json_out *o, const struct record *r);
void record_encode_run(struct json_out *o, const struct record *r, const struct record_run *run,
		       const struct reading *readings);
void record_encode_resumed(struct json_out *o, const char *boot_id, uint64_t now_ns,
			   int64_t discarded);
void record_encode_end(struct json_out *o, const struct record *r, size_t n_runs,
		       size_t first_note);

#endif
