/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads what can be compared: abstat's records, and what other tools print, recognised by its
 * content.
 *
 * Tools that print every measurement give a record with runs; those that print means give one with
 * summaries.
 */
#ifndef ABSTAT_IMPORT_H
#define ABSTAT_IMPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record.h"

struct import_options {
	const char *column; /* of plain columns: names or numbers, separated by commas; NULL: all */
	uint64_t runs;      /* that means are of, where the file does not say; 0: unknown */
};

/*
 * Reads PATH ("-": standard input) into R, which need not be initialised. OPTIONS may be NULL.
 * Returns 0, or -errno with a message in ERR that names the file; R is empty then and needs no
 * release.
 */
int record_load(const char *path, const struct import_options *options, struct record *r, char *err,
		size_t err_size);

/*
 * Makes a record of --summary texts: "NAME=MEAN,SD,N". SD may be "?": the deviation is that of the
 * first one that has one. 0 or -errno with a message; as record_load() otherwise.
 */
int record_from_summaries(const char *const *texts, size_t n, struct record *r, char *err,
			  size_t err_size);

/* What an importer gets: the whole file. Also for tests. */
struct import {
	const char *text; /* NUL-terminated; may hold NULs */
	size_t len;
	const char *name; /* the file's, for messages */
	const struct import_options *options;
	char *err;
	size_t err_size;
};

struct importer {
	const char *name; /* "perf stat" */
	bool (*recognise)(const char *text, size_t len);
	int (*read)(const struct import *in, struct record *r);
};

extern const struct importer *const importers[]; /* NULL-terminated, the most particular first */

/* Loads from memory, as record_load(). */
int record_load_memory(const char *data, size_t len, const char *name,
		       const struct import_options *options, struct record *r, char *err,
		       size_t err_size);

/* "FILE: message" into in->err; returns RC. */
int import_error(const struct import *in, int rc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
