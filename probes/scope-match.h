/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which function of an ELF file is meant by NAME[@WHICH].
 *
 * NAME is as linked, or as the source has it, with parameters or without. WHICH is a version
 * (memcpy@GLIBC_2.14), the source file of a local function (compare@sort.c), "global" for the one
 * that is not local, or an address (compare@0x1234).
 */
#ifndef ABSTAT_SCOPE_MATCH_H
#define ABSTAT_SCOPE_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf-functions.h"
#include "nearest-name.h"

enum { SCOPE_MATCHES = 64 };

/* A function that is called so; names for people are kept with it. */
struct scope_match {
	char *name;    /* as the source has it, where that is known */
	char *linked;  /* as linked */
	char *version; /* or NULL */
	char *source;  /* or NULL */
	bool is_default, local, indirect;
	uint64_t address, size;
};

/* How well a name fits; only the best are kept. */
enum scope_fit { FIT_NONE, FIT_TEMPLATE, FIT_BASE, FIT_SOURCE, FIT_LINKED };

struct scope_matches {
	enum scope_fit best;
	struct scope_match v[SCOPE_MATCHES]; /* each address once */
	size_t n;
	size_t total;                 /* more than N if there are too many */
	struct nearest_names nearest; /* what is called alike */
	char variants[256];           /* "f.constprop.0, f.part.0": what the compiler made of it */
	char others[256];             /* "f@global, f@0x1234": of that name, but not WHICH */
	bool mangled;                 /* names were there that could not be read */
};

/* 0, -EINVAL if a table is damaged, -ENOMEM. More files can be added one after the other. */
int scope_matches_add(struct scope_matches *m, const struct elf_file *f, const char *wanted);
/* Forgets what was found, not what is called alike. */
void scope_matches_clear(struct scope_matches *m);
void scope_matches_release(struct scope_matches *m);

/*
 * Adds NAME, of LEN bytes, to the list VARIANTS ("f.constprop.0, f.part.0") of SIZE bytes, if it is that
 * of a function which the compiler has made of WANTED, is not in it, and there is room.
 */
void scope_note_variant(char *variants, size_t size, const char *wanted, size_t wanted_len,
			const char *name, size_t len);

/*
 * The last word of the name, before parameters: "f" of "a::f<int>(long)". Mangled names have it in
 * clear text. Empty: there is none, or it is an operator.
 */
void scope_last_name(const char *wanted, size_t len, char *text, size_t size);

/*
 * The one that is meant, or NULL with a list of them in LIST: "f@a.c, f@b.c, f@0x1234".
 */
const struct scope_match *scope_matches_choose(const struct scope_matches *m, char *list,
					       size_t list_size);

#endif
