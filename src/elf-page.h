/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What differs between two binaries, laid out as tables for people; text and Markdown print the
 * same.
 */
#ifndef ABSTAT_ELF_PAGE_H
#define ABSTAT_ELF_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "elf-diff.h"
#include "elf-listing.h"

/* What `abstat elf` has found, for any renderer. */
struct elf_result {
	const struct elf_report *report;
	const struct elf_listing *listing; /* of --function; or NULL */
	int status;
	bool all; /* every row, however many there are */
};

enum { ELF_COLUMNS = 8 };

struct elf_table {
	char *title;
	size_t n_columns;
	bool name[ELF_COLUMNS]; /* aligned to the left; a code span where there is markup */
	char **cells;           /* n_rows × n_columns, the heads first */
	size_t n_rows;
	size_t left_out; /* rows that are not shown */
	bool beside;     /* two sides: what is cut in one column is cut in the other, too */
};

struct elf_page {
	struct elf_table *tables;
	size_t n_tables;
	char **notes;
	size_t n_notes;
	char *sentence;
	bool failed; /* out of memory */
};

/* Lays out RESULT. 0 or -ENOMEM. */
int elf_page_make(struct elf_page *page, const struct elf_result *result);
void elf_page_release(struct elf_page *page);

/* For the parts of a page: begin a table with N columns, set its heads and cells one after the
 * other, and leave a note. */
struct elf_table *elf_page_table(struct elf_page *page, size_t n_columns, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void elf_page_cell(struct elf_page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A name as in the source, followed by WHAT. */
void elf_page_name(struct elf_page *page, const char *name, const char *what);
void elf_page_count(struct elf_page *page, uint64_t n);
void elf_page_change(struct elf_page *page, uint64_t old, uint64_t new);
void elf_page_note(struct elf_page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void elf_page_facts(struct elf_page *page, const struct elf_report *r);
void elf_page_code(struct elf_page *page, const struct elf_result *result);

#endif
