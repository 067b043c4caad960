/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes record files: abstat-record(5). Every run is appended with one write(2) the moment it
 * ends, so that whatever happens to abstat, the file holds every run that had ended.
 */
#ifndef ABSTAT_RECORD_WRITE_H
#define ABSTAT_RECORD_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record.h"

struct record_writer;

/*
 * Creates PATH and writes the header: all of RECORD that is known before the first run. A file that
 * holds something already is left alone unless FORCE. RECORD must live as long as the writer; its
 * metrics and variants must not change any more. Returns the writer, or NULL with a message in ERR.
 */
struct record_writer *record_writer_open(const char *path, bool force, const struct record *record,
					 char *err, size_t err_size);

/*
 * Goes on with the file PATH that was read into RECORD and that has no closing line, or one that
 * says that the measurement was interrupted: cuts off what is unfinished or closing, and says in a
 * line of its own that, when and in which boot (RECORD's) it was resumed, and which block's runs
 * before that line do not count (DISCARDED; -1: none). As record_writer_open() otherwise.
 */
struct record_writer *record_writer_resume(const char *path, const struct record *record,
					   uint64_t now_ns, int64_t discarded, char *err,
					   size_t err_size);

/* Appends the plan, after the warm-up and before the first measured run. 0 or -errno with a
 * message. */
int record_writer_plan(struct record_writer *w, char *err, size_t err_size);

/*
 * Appends a run with its record->metrics.n readings. 0, or -errno with a message in ERR that names
 * the file and how many runs are safe in it; what was written of the run is cut off again.
 */
int record_writer_run(struct record_writer *w, const struct record_run *run,
		      const struct reading *readings, char *err, size_t err_size);

/*
 * Appends the closing line: how it stopped, and the notes since the header. Sees to it that the
 * file is on the disk, and frees the writer whatever happens. 0 or -errno with a message in ERR.
 */
int record_writer_close(struct record_writer *w, char *err, size_t err_size);

/* Without a closing line. NULL is allowed. */
void record_writer_free(struct record_writer *w);

/* Writes all of RECORD to FD: the bytes that measuring it would have written. 0 or -errno. */
int record_write_whole(int fd, const struct record *record);

#endif
