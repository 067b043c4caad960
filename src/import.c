/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads records, and what other tools print. */
#include "import.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import-formats.h"
#include "line-reader.h"
#include "record-read.h"

enum { IMPORT_MAX_BYTES = 256 << 20 };

const struct importer *const importers[] = {
    &import_perf_text, &import_perf_json, &import_report,
    &import_hyperfine, &import_gbench,    &import_gobench,
    &import_perf_csv,  &import_columns,   NULL,
};

int import_error(const struct import *in, int rc, const char *format, ...)
{
	char what[400];
	va_list ap;

	va_start(ap, format);
	vsnprintf(what, sizeof(what), format, ap);
	va_end(ap);
	snprintf(in->err, in->err_size, "%s: %s", in->name, what);
	return rc;
}

bool import_is_object(const char *text, size_t len)
{
	size_t blanks = strspn(text, " \t\r\n");

	return blanks < len && text[blanks] == '{';
}

static int read_foreign(struct import *in, struct line_reader *lines, struct record *r)
{
	int rc = line_reader_rest(lines, IMPORT_MAX_BYTES, &in->text, &in->len);

	if (rc == -EFBIG)
		return import_error(in, rc, "larger than 256 MiB, and not an abstat record");
	if (rc)
		return import_error(in, rc, "%s", strerror(-rc));
	if (in->len >= 3 && !memcmp(in->text, "\xef\xbb\xbf", 3)) {
		in->text += 3;
		in->len -= 3;
	}
	for (size_t i = 0; importers[i]; i++) {
		if (!importers[i]->recognise(in->text, in->len))
			continue;
		rc = importers[i]->read(in, r);
		if (!rc && !r->version)
			r->version = strdup(importers[i]->name);
		return rc || r->version ? rc : import_error(in, -ENOMEM, "out of memory");
	}
	return import_error(
	    in, -EINVAL,
	    "not recognised: it is no record of abstat, and nothing that perf stat (text, "
	    "-x, -j), hyperfine (--export-json), Go or Google benchmarks write, nor "
	    "columns of numbers");
}

static int load(struct line_reader *lines, const char *name, const struct import_options *options,
		struct record *r, char *err, size_t err_size)
{
	static const struct import_options defaults;
	struct import in = {.name = name,
			    .options = options ? options : &defaults,
			    .err = err,
			    .err_size = err_size};
	const char *line;
	size_t len;
	int rc;

	record_init(r);
	rc = line_reader_next(lines, &line, &len);
	if (rc < 0)
		rc = import_error(&in, rc, "%s",
				  rc == -EFBIG ? "its first line is longer than 64 MiB"
					       : strerror(-rc));
	else if (!rc)
		rc = import_error(&in, -EINVAL, "it is empty");
	else {
		bool record = record_recognise(line, len);

		line_reader_unread(lines);
		rc = record ? record_read(lines, name, r, err, err_size)
			    : read_foreign(&in, lines, r);
	}
	if (!rc && !(r->source = strdup(name)))
		rc = import_error(&in, -ENOMEM, "out of memory");
	if (rc)
		record_release(r);
	return rc;
}

int record_load(const char *path, const struct import_options *options, struct record *r, char *err,
		size_t err_size)
{
	struct line_reader *lines = line_reader_open(path, err, err_size);
	int rc;

	if (!lines)
		return -EIO;
	rc = load(lines, strcmp(path, "-") ? path : "standard input", options, r, err, err_size);
	line_reader_free(lines);
	return rc;
}

int record_load_memory(const char *data, size_t len, const char *name,
		       const struct import_options *options, struct record *r, char *err,
		       size_t err_size)
{
	struct line_reader *lines = line_reader_open_memory(data, len);
	int rc;

	if (!lines) {
		snprintf(err, err_size, "%s: out of memory", name);
		return -ENOMEM;
	}
	rc = load(lines, name, options, r, err, err_size);
	line_reader_free(lines);
	return rc;
}
