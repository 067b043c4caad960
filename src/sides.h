/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `diff` and `report` are given: files, variants of files, and what is to be compared with
 * what.
 *
 * A word is FILE, or FILE:NAME for one variant of a file that holds several. A file that is named
 * twice is read once.
 */
#ifndef ABSTAT_SIDES_H
#define ABSTAT_SIDES_H

#include <stddef.h>
#include <sys/types.h>

#include "analyse.h"
#include "import.h"

struct side_file {
	struct record record;
	char *path; /* as given, without ":NAME" */
	dev_t device;
	ino_t inode;
};

struct side_list {
	struct import_options import;
	struct side_file **files;
	size_t n_files;
	const struct record **records; /* of the files, in the same order */
	struct analyse_side *sides;    /* names and sources are owned */
	size_t n_sides;
};

void side_list_init(struct side_list *list, const struct import_options *import);
void side_list_release(struct side_list *list);

/* Each returns 0, or an exit status with a message in ERR. */

/* Reads the file PATH, or finds it if it was read; *FILE may be NULL. */
int side_list_read(struct side_list *list, const char *path, struct side_file **file, char *err,
		   size_t err_size);

/* Takes a record that is there already, such as that of --summary; R is moved from. */
int side_list_take(struct side_list *list, struct record *r, const char *name, char *err,
		   size_t err_size);

/* Adds a side that WORD stands for. */
int side_list_add(struct side_list *list, const char *word, char *err, size_t err_size);

/* Adds a side for each variant of the file I. */
int side_list_add_all(struct side_list *list, size_t i, char *err, size_t err_size);

/* Adds WORD to side I: another boot of it. */
int side_list_extend(struct side_list *list, size_t i, const char *word, char *err,
		     size_t err_size);

/* Gives the sides names that differ: those of the variants, else those of the files, else both. */
int side_list_name(struct side_list *list, char *err, size_t err_size);

/* Computes the --metric DEFINITIONS in every record. */
int side_list_compute(struct side_list *list, const struct string_list *definitions, char *err,
		      size_t err_size);

#endif
