/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of a record file, decoded into a record. */
#ifndef ABSTAT_RECORD_DECODE_H
#define ABSTAT_RECORD_DECODE_H

#include <jansson.h>
#include <stddef.h>

#include "record.h"

/* Each returns 0, or -EINVAL or -ENOMEM with what is wrong in ERR; the caller adds file and line.
 */
int record_decode_header(json_t *header, struct record *r, char *err, size_t err_size);
int record_decode_plan(json_t *plan, struct record *r, char *err, size_t err_size);
int record_decode_end(json_t *end, struct record *r, char *err, size_t err_size);

/* A run's line. READINGS is room for r->metrics.n readings; R itself is not changed. */
int record_decode_run(const char *line, size_t len, const struct record *r, struct record_run *run,
		      struct reading *readings, char *err, size_t err_size);

#endif
