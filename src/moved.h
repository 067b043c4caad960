/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The verdict across scopes: whether a cost that one part of the run lost only went to another.
 *
 * Pure. The parts of a run are its scopes and the rest, each with its exclusive cost, so that the
 * parts add up to the whole. Which parts are cheaper or dearer was tested before, on their totals
 * and corrected for being many; here amounts are added up, run by run, so that what was won, what
 * was lost and the net of both agree.
 */
#ifndef ABSTAT_MOVED_H
#define ABSTAT_MOVED_H

#include <stdbool.h>
#include <stddef.h>

/* What the test of a part's total said. */
enum moved_side { MOVED_UNDECIDED, MOVED_BETTER, MOVED_WORSE };

struct moved_part {
	const double *a, *b; /* exclusive cost of each run of the baseline, and of the variant */
	enum moved_side side;
	bool rest;   /* what is in no scope */
	bool nested; /* other scopes are nested in it: then its total may differ while its own cost
			does not */
	bool calls_changed;   /* surely */
	double calls, change; /* relative change of the number of calls, and of the total */
};

struct moved_input {
	const struct moved_part *parts;
	size_t n_parts;
	size_t n_a, n_b;    /* runs; the same where they are paired */
	bool paired;        /* run i of both sides is of one block */
	bool larger_better; /* more of the metric is better */
	bool whole_open;    /* the whole, without probes, is the same or unclear */
	bool whole_better;  /* or it is better, by more than the margin */
	double level;       /* of the intervals */
};

/* A difference a run, variant minus baseline, in the metric's unit; NaN where it is not known. */
struct moved_amount {
	double estimate, low, high;
};

enum moved_kind {
	MOVED_NOT,
	MOVED_MOVED,  /* what one part won another lost */
	MOVED_NARROW, /* a part is better, and the whole is not above the noise */
};

enum moved_role { MOVED_NEITHER, MOVED_WON, MOVED_LOST };

struct moved {
	enum moved_kind kind;
	enum moved_role *roles;       /* one a part; owned */
	struct moved_amount *amounts; /* one a part; owned */
	struct moved_amount won, lost, net;
	double whole; /* mean cost of the baseline's runs, all parts together, without what probing
			 adds */
	double share; /* of that: the cost of the parts that won, which bounds what the whole could
			 gain */
};

/*
 * Says what INPUT shows.
 *
 * - moved: the whole is not better; a part is better and another worse, each also by its own
 *   exclusive cost; of what was won at least half was lost again; and the number of calls explains
 *   none of it: what a part gains by being called less often has not moved
 * - narrow: the whole is open, a scope is better, and it is not that
 *
 * 0 or -ENOMEM; *M is to be released in any case.
 */
int moved_find(struct moved *m, const struct moved_input *input);
void moved_release(struct moved *m);

#endif
