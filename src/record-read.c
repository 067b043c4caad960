/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads record files line by line. */
#include "record-read.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record-decode.h"
#include "record-file.h"

struct record_reader {
	const char *name;
	struct record *r;
	struct reading *readings; /* of one run */
	size_t line_number;
	uint32_t last_block;
	char *err;
	size_t err_size;
};

/* What a line begins with; tells runs from the others without parsing them twice. */
static bool begins(const char *line, size_t len, const char *with)
{
	size_t n = strlen(with);

	return len >= n && !memcmp(line, with, n);
}

bool record_recognise(const char *line, size_t len)
{
	while (len && (*line == ' ' || *line == '\t'))
		line++, len--;
	return begins(line, len, "{\"" RECORD_KEY "\"");
}

static int wrong(struct record_reader *reader, int rc, const char *what)
{
	snprintf(reader->err, reader->err_size, "%s: line %zu: %s", reader->name,
		 reader->line_number, what);
	return rc;
}

static int read_header(struct record_reader *reader, const char *line, size_t len, bool ended)
{
	json_error_t error;
	json_t *header = json_loadb(line, len, JSON_REJECT_DUPLICATES, &error);
	json_t *version = json_object_get(header, RECORD_KEY);
	char what[200];
	int rc;

	if (!header && !ended) {
		snprintf(reader->err, reader->err_size,
			 "%s is cut short in its first line: there are no runs in it",
			 reader->name);
		return -EINVAL;
	}
	if (!header)
		return wrong(reader, -EINVAL, error.text);
	if (!json_is_integer(version) || json_integer_value(version) < 1) {
		rc = wrong(reader, -EINVAL, "'" RECORD_KEY "' is not the number of a version");
	} else if (json_integer_value(version) > RECORD_VERSION) {
		snprintf(
		    reader->err, reader->err_size,
		    "%s is a record of version %lld, written by a newer abstat; this one reads "
		    "versions up to %d",
		    reader->name, (long long)json_integer_value(version), RECORD_VERSION);
		rc = -EINVAL;
	} else {
		rc = record_decode_header(header, reader->r, what, sizeof(what));
		if (rc)
			wrong(reader, rc, what);
	}
	json_decref(header);
	return rc;
}

/* The block that was interrupted was run again: what comes before counts no more than a warm-up. */
static void discard_block(struct record *r, json_t *block)
{
	for (size_t i = r->n_runs; json_is_integer(block) && i > 0; i--) {
		if ((json_int_t)r->runs[i - 1].block != json_integer_value(block))
			break;
		r->runs[i - 1].warmup = true;
	}
}

/* "2026-...Z" and a boot: the measurement was interrupted here. */
static int decode_resumed(json_t *object, struct record *r, char *err, size_t err_size)
{
	const char *when = json_string_value(json_object_get(object, "resumed"));
	const char *boot = json_string_value(json_object_get(object, "boot_id"));
	bool rebooted = boot && r->machine.boot_id && strcmp(boot, r->machine.boot_id) != 0;

	if (!when) {
		snprintf(err, err_size, "'resumed' is not a time");
		return -EINVAL;
	}
	discard_block(r, json_object_get(object, "discarded_block"));
	return record_note(r, "interrupted after %zu runs and resumed %s%s", r->n_runs, when,
			   rebooted ? ", after a reboot" : "");
}

static int read_other(struct record_reader *reader, const char *line, size_t len)
{
	json_error_t error;
	json_t *object = json_loadb(line, len, JSON_REJECT_DUPLICATES, &error);
	char what[200] = "not a JSON object";
	json_t *part;
	int rc = 0;

	if (!json_is_object(object)) {
		json_decref(object);
		return wrong(reader, -EINVAL, object ? what : error.text);
	}
	if ((part = json_object_get(object, "plan")))
		rc = record_decode_plan(part, reader->r, what, sizeof(what));
	else if ((part = json_object_get(object, "end")))
		rc = record_decode_end(part, reader->r, what, sizeof(what));
	else if (json_object_get(object, "resumed"))
		rc = decode_resumed(object, reader->r, what, sizeof(what));
	/* Another warm-up follows. */
	if (json_object_get(object, "resumed"))
		reader->last_block = 0;
	json_decref(object);
	return rc ? wrong(reader, rc, what) : 0;
}

static int read_run(struct record_reader *reader, const char *line, size_t len)
{
	struct record_run run;
	char what[200];
	int rc =
	    record_decode_run(line, len, reader->r, &run, reader->readings, what, sizeof(what));

	if (rc)
		return wrong(reader, rc, what);
	/* Blocks are made one after the other, and each has a run. */
	if (run.block < reader->last_block || run.block > reader->r->n_runs)
		return wrong(reader, -EINVAL, "the blocks of the runs do not ascend one by one");
	reader->last_block = run.block;
	if (record_append(reader->r, &run, reader->readings))
		return wrong(reader, -ENOMEM, "out of memory");
	return 0;
}

static int read_line(struct record_reader *reader, const char *line, size_t len)
{
	while (len && (*line == ' ' || *line == '\t' || *line == '\r'))
		line++, len--;
	if (!len)
		return 0;
	if (reader->r->complete)
		return wrong(reader, -EINVAL, "something follows the closing line");
	return begins(line, len, "{\"block\"") ? read_run(reader, line, len)
					       : read_other(reader, line, len);
}

/* The measurement was killed: what is known of its end is said, and what is missing is worked out.
 */
static int settle(struct record_reader *reader, bool unfinished)
{
	struct record *r = reader->r;
	size_t measured = 0;

	if (r->complete)
		return 0;
	for (size_t i = 0; i < r->n_runs; i++)
		measured += !r->runs[i].warmup;
	r->plan.blocks = (uint32_t)(measured / record_block_runs(r));
	r->plan.stopped = STOPPED_INTERRUPT;
	if (unfinished)
		return record_note(r,
				   "%s is cut short in line %zu: the %zu run%s before it %s read",
				   reader->name, reader->line_number, r->n_runs,
				   r->n_runs == 1 ? "" : "s", r->n_runs == 1 ? "is" : "are");
	return record_note(r, "%s has no closing line: the measurement was killed after %zu run%s",
			   reader->name, r->n_runs, r->n_runs == 1 ? "" : "s");
}

static int read_lines(struct record_reader *reader, struct line_reader *lines)
{
	bool unfinished = false;
	const char *line;
	size_t len;
	int rc;

	while ((rc = line_reader_next(lines, &line, &len)) > 0) {
		reader->line_number++;
		if (reader->line_number == 1) {
			rc = read_header(reader, line, len, line_reader_ended(lines));
			reader->readings =
			    calloc(reader->r->metrics.n + 1, sizeof(*reader->readings));
			if (!rc && !reader->readings)
				rc = wrong(reader, -ENOMEM, "out of memory");
		} else {
			rc = read_line(reader, line, len);
			unfinished = rc == -EINVAL && !line_reader_ended(lines);
		}
		if (unfinished)
			break;
		if (rc)
			return rc;
	}
	if (rc < 0 && !unfinished)
		return wrong(reader, rc, rc == -EFBIG ? "longer than 64 MiB" : strerror(-rc));
	if (!reader->line_number) {
		snprintf(reader->err, reader->err_size, "%s is empty", reader->name);
		return -EINVAL;
	}
	/* A last line that is not whole is a note of the record, and no failure. */
	if (unfinished)
		*reader->err = '\0';
	rc = settle(reader, unfinished);
	return rc ? wrong(reader, rc, "out of memory") : 0;
}

int record_read(struct line_reader *lines, const char *name, struct record *r, char *err,
		size_t err_size)
{
	struct record_reader reader = {.name = name, .r = r, .err = err, .err_size = err_size};
	int rc = read_lines(&reader, lines);

	free(reader.readings);
	return rc;
}
