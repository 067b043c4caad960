/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Evidence: what really differs between the programs that were compared, where they are different
 * ELF files.
 *
 * It is collected when all runs are done. Scripts, programs that are no ELF files, and one program
 * with other arguments have none.
 */
#ifndef ABSTAT_EVIDENCE_H
#define ABSTAT_EVIDENCE_H

#include <stddef.h>

#include "elf-diff.h"
#include "json-out.h"
#include "report.h"

struct evidence_pair {
	size_t comparison; /* index into report.comparisons */
	char *path[ELF_SIDES];
	struct elf_file *file[ELF_SIDES];
	struct elf_pair pair;
	struct elf_report elf;
	char
	    *sentence; /* one line, with the names of the variants; NULL: there is nothing to say */
	char *reason;  /* why there is no evidence; or NULL */
};

struct evidence {
	struct evidence_pair *pairs;
	size_t n;
};

/*
 * Looks at the programs of every comparison of REPORT, which were run in the directory CWD (NULL:
 * this one) with SEARCH_PATH as their PATH (NULL: the usual one). Adds the evidence to the report,
 * and a warning where the code is the same and the verdict is not. 0 or -ENOMEM; what cannot be
 * read has a reason.
 */
int evidence_collect(struct report *report, const char *cwd, const char *search_path);
void evidence_free(struct evidence *e);

/* The value of "evidence" in JSON. E may be NULL. */
void json_out_evidence(struct json_out *o, const struct report *report, const struct evidence *e);

#endif
