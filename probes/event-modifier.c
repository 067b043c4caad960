/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses and applies the modifiers of events, with perf's meaning.
 */
#include "event-modifier.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "event.h"

/* The most precise level that perf_event_open(2) defines. */
enum { MOST_PRECISE = 3 };

static bool *flag_of(struct event_modifiers *m, char letter)
{
	switch (letter) {
	case 'u':
		return &m->user;
	case 'k':
		return &m->kernel;
	case 'h':
		return &m->hypervisor;
	case 'G':
		return &m->guest;
	case 'H':
		return &m->host;
	case 'P':
		return &m->most_precise;
	case 'D':
		return &m->pinned;
	case 'e':
		return &m->exclusive;
	default:
		return NULL;
	}
}

int event_modifiers_parse(struct event_modifiers *modifiers, const char *text, char *err,
			  size_t err_size)
{
	for (; *text; text++) {
		bool *flag = flag_of(modifiers, *text);

		if (flag) {
			*flag = true;
		} else if (*text == 'p') {
			if (++modifiers->precise > MOST_PRECISE) {
				snprintf(err, err_size,
					 "the modifier p may be given three times at most");
				return -EINVAL;
			}
		} else if (*text == 'S') {
			snprintf(
			    err, err_size,
			    "the modifier S is for sampling: abstat counts, and reads no samples");
			return -EINVAL;
		} else {
			snprintf(err, err_size,
				 "unknown modifier '%c'; modifiers are u (user), k (kernel), h "
				 "(hypervisor), G (guest), H (host), p, pp, ppp, P (precise), D "
				 "(pinned), "
				 "e (exclusive)",
				 *text);
			return -EINVAL;
		}
	}
	return 0;
}

void event_modifiers_apply(const struct event_modifiers *modifiers, struct event *event)
{
	struct perf_event_attr *attr = &event->attr;

	if (modifiers->user || modifiers->kernel || modifiers->hypervisor) {
		attr->exclude_user = !modifiers->user;
		attr->exclude_kernel = !modifiers->kernel;
		attr->exclude_hv = !modifiers->hypervisor;
	}
	if (modifiers->guest || modifiers->host) {
		attr->exclude_guest = !modifiers->guest;
		attr->exclude_host = !modifiers->host;
	}
	if (modifiers->most_precise)
		attr->precise_ip = MOST_PRECISE;
	else if (modifiers->precise)
		attr->precise_ip = (uint64_t)modifiers->precise & MOST_PRECISE;
	if (modifiers->exclusive)
		attr->exclusive = 1;
	event->pinned = event->pinned || modifiers->pinned;
}

const char *event_modifiers_of(const char *name)
{
	const char *slash = strncmp(name, "mem:", 4) ? strrchr(name, '/') : NULL;
	const char *colon = strrchr(name, ':');

	if (slash && (!colon || slash > colon))
		return slash + 1;
	return colon ? colon + 1 : name + strlen(name);
}

bool event_modifiers_possible(const char *text)
{
	return *text && text[strspn(text, "ukhGHpPDeSIWbR")] == '\0';
}

bool event_modifiers_ask_level(const char *name)
{
	const char *text = event_modifiers_of(name);

	return event_modifiers_possible(text) && strpbrk(text, "ukh");
}
