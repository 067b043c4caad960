/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files, variants of files, and what is to be compared with what. */
#include "sides.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "record-expr.h"
#include "report.h"

void side_list_init(struct side_list *list, const struct import_options *import)
{
	*list = (struct side_list){.import = *import};
}

void side_list_release(struct side_list *list)
{
	for (size_t i = 0; i < list->n_sides; i++) {
		free((char *)list->sides[i].name);
		free(list->sides[i].sources);
	}
	for (size_t i = 0; i < list->n_files; i++) {
		record_release(&list->files[i]->record);
		free(list->files[i]->path);
		free(list->files[i]);
	}
	free(list->sides);
	free(list->files);
	free(list->records);
	*list = (struct side_list){0};
}

static int no_memory(char *err, size_t err_size)
{
	snprintf(err, err_size, "out of memory");
	return STATUS_CANNOT_MEASURE;
}

/* Room for one more file, whose record is empty. NULL if out of memory. */
static struct side_file *append_file(struct side_list *list, const char *path)
{
	struct side_file **files = reallocarray(list->files, list->n_files + 1, sizeof(*files));
	const struct record **records =
	    reallocarray(list->records, list->n_files + 1, sizeof(*records));
	struct side_file *file = calloc(1, sizeof(*file));

	list->files = files ? files : list->files;
	list->records = records ? records : list->records;
	if (!files || !records || !file) {
		free(file);
		return NULL;
	}
	file->path = strdup(path);
	if (!file->path) {
		free(file);
		return NULL;
	}
	record_init(&file->record);
	files[list->n_files] = file;
	records[list->n_files++] = &file->record;
	return file;
}

int side_list_read(struct side_list *list, const char *path, struct side_file **file, char *err,
		   size_t err_size)
{
	struct stat st = {0};
	bool regular = strcmp(path, "-") && !stat(path, &st) && S_ISREG(st.st_mode);
	struct side_file *f;

	for (size_t i = 0; i < list->n_files; i++) {
		f = list->files[i];
		if (strcmp(f->path, path) &&
		    !(regular && f->device == st.st_dev && f->inode == st.st_ino))
			continue;
		if (file)
			*file = f;
		return 0;
	}
	f = append_file(list, path);
	if (!f)
		return no_memory(err, err_size);
	if (regular) {
		f->device = st.st_dev;
		f->inode = st.st_ino;
	}
	if (file)
		*file = f;
	return record_load(path, &list->import, &f->record, err, err_size) ? STATUS_CANNOT_MEASURE
									   : 0;
}

int side_list_take(struct side_list *list, struct record *r, const char *name, char *err,
		   size_t err_size)
{
	struct side_file *f = append_file(list, name);

	if (!f)
		return no_memory(err, err_size);
	f->record = *r;
	record_init(r);
	return 0;
}

/* The variant of R called NAME: its name, else the letter that tables give it, else its number
 * from 1. -1: none. */
static long find_variant(const struct record *r, const char *name)
{
	char letter[REPORT_LABEL_SIZE], number[24];

	for (int pass = 0; pass < 3; pass++) {
		for (size_t i = 0; i < r->n_variants; i++) {
			const char *called = r->variants[i].name;

			if (pass == 1)
				called = report_letter(i, letter);
			if (pass == 2) {
				snprintf(number, sizeof(number), "%zu", i + 1);
				called = number;
			}
			if (!strcmp(called, name))
				return (long)i;
		}
	}
	return -1;
}

/* "A ('./old -x'), B": for messages. */
static void list_variants(const struct record *r, char *text, size_t size)
{
	char letter[REPORT_LABEL_SIZE];
	size_t len = 0;

	text[0] = '\0';
	for (size_t i = 0; i < r->n_variants && len < size; i++) {
		const char *name = r->variants[i].name, *call = report_letter(i, letter);
		bool called = !strcmp(name, call);

		len += (size_t)snprintf(text + len, size - len, called ? "%s%s" : "%s%s ('%s')",
					i ? ", " : "", call, name);
	}
}

/* The place of the ':' of FILE:NAME: the last one before which there is the name of a file. NULL:
 * WORD is all a file's name. */
static const char *split(const char *word)
{
	for (const char *colon = strrchr(word, ':'); colon && colon > word;
	     colon = memrchr(word, ':', (size_t)(colon - word))) {
		char *path = strndup(word, (size_t)(colon - word));
		bool there = path && (!strcmp(path, "-") || !access(path, F_OK));

		free(path);
		if (there)
			return colon;
	}
	return NULL;
}

/* Finds what WORD stands for, reading the file if need be. */
static int find_source(struct side_list *list, const char *word, struct analyse_source *source,
		       char *err, size_t err_size)
{
	const char *colon = access(word, F_OK) ? split(word) : NULL;
	char names[300], *path = colon ? strndup(word, (size_t)(colon - word)) : strdup(word);
	struct side_file *file = NULL;
	long variant = 0;
	int status =
	    path ? side_list_read(list, path, &file, err, err_size) : no_memory(err, err_size);

	free(path);
	if (status)
		return status;
	list_variants(&file->record, names, sizeof(names));
	if (colon) {
		variant = find_variant(&file->record, colon + 1);
		if (variant < 0) {
			snprintf(err, err_size, "%s has no variant '%s'; it has %s", file->path,
				 colon + 1, names);
			return STATUS_USAGE;
		}
	} else if (file->record.n_variants != 1) {
		snprintf(err, err_size, "%s holds several variants, %s: say which, as in %s:A",
			 file->path, names, file->path);
		return STATUS_USAGE;
	}
	*source = (struct analyse_source){&file->record, (size_t)variant};
	return 0;
}

static int append_source(struct analyse_side *side, const struct analyse_source *source)
{
	struct analyse_source *sources =
	    reallocarray(side->sources, side->n_sources + 1, sizeof(*sources));

	if (!sources)
		return -ENOMEM;
	sources[side->n_sources++] = *source;
	side->sources = sources;
	return 0;
}

static int add_source(struct side_list *list, const struct analyse_source *source, char *err,
		      size_t err_size)
{
	struct analyse_side *sides = reallocarray(list->sides, list->n_sides + 1, sizeof(*sides));

	if (!sides)
		return no_memory(err, err_size);
	list->sides = sides;
	sides[list->n_sides++] = (struct analyse_side){0};
	return append_source(&sides[list->n_sides - 1], source) ? no_memory(err, err_size) : 0;
}

int side_list_add(struct side_list *list, const char *word, char *err, size_t err_size)
{
	struct analyse_source source;
	int status = find_source(list, word, &source, err, err_size);

	return status ? status : add_source(list, &source, err, err_size);
}

int side_list_add_all(struct side_list *list, size_t i, char *err, size_t err_size)
{
	const struct record *r = list->records[i];
	int status = 0;

	for (size_t v = 0; v < r->n_variants && !status; v++)
		status = add_source(list, &(struct analyse_source){r, v}, err, err_size);
	return status;
}

/* Whether both are the same runs: read from one file, or from copies of one. */
static bool are_same_runs(const struct analyse_source *a, const struct analyse_source *b)
{
	const char *from = a->record->source, *other = b->record->source;

	if (strcmp(a->record->variants[a->variant].name, b->record->variants[b->variant].name))
		return false;
	if (a->record->start_ns || b->record->start_ns)
		return a->record->start_ns == b->record->start_ns;
	return from && other && !strcmp(from, other);
}

int side_list_extend(struct side_list *list, size_t i, const char *word, char *err, size_t err_size)
{
	struct analyse_source source;
	int status = find_source(list, word, &source, err, err_size);

	if (status)
		return status;
	for (size_t k = 0; k < list->sides[i].n_sources; k++)
		if (are_same_runs(&list->sides[i].sources[k], &source)) {
			snprintf(err, err_size,
				 "%s: these runs are given twice for one side; twice the same is no more "
				 "evidence: leave one out",
				 word);
			return STATUS_USAGE;
		}
	return append_source(&list->sides[i], &source) ? no_memory(err, err_size) : 0;
}

static const char *variant_name(const struct analyse_source *source)
{
	return source->record->variants[source->variant].name;
}

static const char *file_name(const struct analyse_source *source)
{
	return source->record->source ? source->record->source : variant_name(source);
}

/* A name of a kind: 0 the variant's, 1 the file's, 2 its whole path, 3 path and variant. NULL if
 * out of memory. */
static char *name_side(const struct analyse_side *side, int kind)
{
	const struct analyse_source *s = &side->sources[0];
	const char *path = file_name(s), *slash = strrchr(path, '/');
	char *name;

	if (kind == 0)
		return strdup(variant_name(s));
	if (kind < 3)
		return strdup(kind == 1 && slash && slash[1] ? slash + 1 : path);
	return asprintf(&name, "%s:%s", file_name(s), variant_name(s)) < 0 ? NULL : name;
}

/* True if the sides' names are all different and none is a stopgap that an importer gave. */
static bool names_will_do(const struct side_list *list, int kind)
{
	for (size_t i = 0; i < list->n_sides; i++) {
		const struct analyse_source *s = &list->sides[i].sources[0];

		if (kind == 0 && s->record->n_variants == 1 && s->record->source &&
		    !s->record->variants[0].command)
			return false;
		for (size_t k = 0; k < i; k++)
			if (!strcmp(list->sides[i].name, list->sides[k].name))
				return false;
	}
	return true;
}

int side_list_name(struct side_list *list, char *err, size_t err_size)
{
	for (int kind = 0; kind < 4; kind++) {
		for (size_t i = 0; i < list->n_sides; i++) {
			free((char *)list->sides[i].name);
			list->sides[i].name = name_side(&list->sides[i], kind);
			if (!list->sides[i].name)
				return no_memory(err, err_size);
		}
		if (names_will_do(list, kind))
			return 0;
	}
	/* A file against itself: names may be the same then. */
	return 0;
}

int side_list_compute(struct side_list *list, const struct string_list *definitions, char *err,
		      size_t err_size)
{
	char why[300];

	for (size_t i = 0; i < list->n_files; i++)
		for (size_t k = 0; k < definitions->n; k++) {
			int r = record_add_expr(&list->files[i]->record, definitions->v[k], why,
						sizeof(why));

			if (r) {
				snprintf(err, err_size, "--metric, in %s: %s", list->files[i]->path,
					 why);
				return r == -ENOMEM ? STATUS_CANNOT_MEASURE : STATUS_USAGE;
			}
		}
	return 0;
}
