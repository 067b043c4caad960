/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads record files: abstat-record(5). */
#ifndef ABSTAT_RECORD_READ_H
#define ABSTAT_RECORD_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "line-reader.h"
#include "record.h"

/* True if LINE, the first of a file, is a record's header or the beginning of one. */
bool record_recognise(const char *line, size_t len);

/*
 * Reads the record that LINES gives into R, which is initialised and empty. NAME is for messages. A
 * last line that was not finished (abstat was killed) is passed over, and said in R's notes, as is
 * a missing closing line. 0, or -EINVAL, -ENOMEM, -EIO with a message in ERR that says what is
 * wrong in which line.
 */
int record_read(struct line_reader *lines, const char *name, struct record *r, char *err,
		size_t err_size);

#endif
