/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is said across the scopes of a comparison, in plain words. Nothing is written where there is
 * nothing to say.
 */
#ifndef ABSTAT_SENTENCE_MOVED_H
#define ABSTAT_SENTENCE_MOVED_H

#include <stdio.h>

struct report_moved;

/* Which scopes are called another number of times, "... . ": said first, for it explains the rest.
 */
void sentence_calls(FILE *text, const struct report_moved *moved);

/* " The cost only moved: ...", that it grew besides, or that only a narrow part is better, and what that bounds. */
void sentence_moved(FILE *text, const struct report_moved *moved);

#endif
