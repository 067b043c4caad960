/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --resume: an interrupted measurement goes on as it was planned: same commands, seed, orders and
 * looks.
 *
 * What was asked for is in the record: the command line is taken from there and parsed again. The
 * block that was interrupted is run again from its beginning; its runs stay in the file and do not
 * count.
 */
#ifndef ABSTAT_RESUME_H
#define ABSTAT_RESUME_H

#include <argp.h>
#include <stddef.h>
#include <stdint.h>

#include "experiment.h"
#include "record.h"

/* Where to go on. */
struct resume_point {
	bool planned;      /* the plan was fixed: else everything begins again */
	uint32_t block;    /* the next one to run */
	uint32_t valid;    /* measured blocks that are whole and without a failed run */
	uint64_t spent_ns; /* by the measured runs */
	int64_t discarded; /* the block whose runs do not count, -1: none */
};

/*
 * Parses the command line of E into E, or with --resume that of the record, which E->resumed holds
 * then. ARGV[0] is "abstat NAME". 0, or an exit status with a message in ERR; errors of usage end
 * the program, as argp does.
 */
int resume_parse(struct experiment *e, const struct argp *argp, unsigned flags, int argc,
		 char **argv, char *err, size_t err_size);

/* The words of ARGV as a record keeps them: the command's name first. NULL if out of memory. */
char **resume_arguments(char *const *argv);

/*
 * Moves runs, plan and notes of OLD to R, which was made anew from the same command line, and finds
 * where to go on. STATUS_CANNOT_MEASURE with a message in ERR if what is counted, or the kernel, is
 * not the same any more.
 */
int resume_adopt(struct record *r, struct record *old, struct resume_point *point, char *err,
		 size_t err_size);

#endif
