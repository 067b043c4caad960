/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The letters after an event: which privilege levels count, how precisely, and who may use the
 * counter.
 */
#ifndef ABSTAT_EVENT_MODIFIER_H
#define ABSTAT_EVENT_MODIFIER_H

#include <stdbool.h>
#include <stddef.h>

struct event;

struct event_modifiers {
	bool user, kernel, hypervisor;
	bool guest, host;
	bool pinned, exclusive;
	bool most_precise;
	int precise; /* how many p */
};

/*
 * Adds the letters of TEXT (u k h G H p P D e) to MODIFIERS. Returns 0 or -EINVAL with a message
 * that says which letter is wrong.
 */
int event_modifiers_parse(struct event_modifiers *modifiers, const char *text, char *err,
			  size_t err_size);

/* Sets the attr of EVENT, and pinned. */
void event_modifiers_apply(const struct event_modifiers *modifiers, struct event *event);

/*
 * Where the modifiers of NAME begin, without the ':' or '/' before them: at its end if it has none.
 * What stands there may be no modifiers at all (the second half of a tracepoint's name).
 */
const char *event_modifiers_of(const char *name);

/* True if TEXT is not empty and consists of letters that are modifiers in perf. */
bool event_modifiers_possible(const char *text);

/* True if NAME, as written, asks for levels of its own: u, k or h. */
bool event_modifiers_ask_level(const char *name);

#endif
