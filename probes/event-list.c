/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists of events, as they stand after -e:
 * EVENT,{EVENT,EVENT}:MODIFIERS,PMU/TERM,TERM/MODIFIERS,...
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event-resolve.h"
#include "event.h"

const struct event_roots event_roots_default = {"/sys", "/proc", NULL};

struct event_parser {
	struct event_scan scan;
	struct event_list parsed;
	const char *text; /* the whole, for messages */
	const char *at;
	char *err;
	size_t err_size;
};

static int fail(const struct event_parser *parser, int error, const char *what)
{
	snprintf(parser->err, parser->err_size, "in '%s': %s", parser->text, what);
	return -error;
}

static int append(struct event_list *list, struct event_list *found, int group)
{
	struct event *more;

	if (found->n == 0)
		return 0;
	more = reallocarray(list->events, list->n + found->n, sizeof(*more));
	if (!more)
		return -ENOMEM;
	list->events = more;
	for (size_t i = 0; i < found->n; i++) {
		more[list->n] = found->events[i];
		more[list->n++].group = group;
	}
	free(found->events);
	*found = (struct event_list){0};
	return 0;
}

static int explain(const struct event_parser *parser, const char *item, int e)
{
	char nearest[256];

	if (e == -ENOMEM) {
		snprintf(parser->err, parser->err_size, "out of memory");
	} else if (parser->scan.message[0]) {
		snprintf(parser->err, parser->err_size, "%s", parser->scan.message);
	} else {
		event_suggest(item, parser->scan.roots, nearest, sizeof(nearest));
		snprintf(parser->err, parser->err_size,
			 "unknown event '%s'%s%s; 'abstat list' shows all that are known here",
			 item, *nearest ? "; did you mean: " : "", nearest);
	}
	return e;
}

static int parse_event(struct event_parser *parser, const char *start, size_t len,
		       const char *group_modifiers, int group)
{
	char *item;
	int e;

	while (len && start[0] == ' ') {
		start++;
		len--;
	}
	while (len && start[len - 1] == ' ')
		len--;
	if (len == 0)
		return fail(parser, EINVAL, "an event is missing beside a comma or a brace");
	item = strndup(start, len);
	if (!item)
		return explain(parser, "", -ENOMEM);
	e = event_resolve(&parser->scan, item, group_modifiers);
	if (e == 0)
		e = append(&parser->parsed, &parser->scan.found, group);
	if (e < 0)
		e = explain(parser, item, e);
	event_list_release(&parser->scan.found);
	free(item);
	return e;
}

/* The length of the event at TEXT: to a comma, brace or the end, none of them between slashes. */
static int event_length(const char *text, size_t *len)
{
	bool slashes = strncmp(text, "mem:", 4) != 0, inside = false;
	size_t n = 0;

	for (; text[n]; n++) {
		if (text[n] == '/' && slashes)
			inside = !inside;
		else if (!inside && strchr(",{}", text[n]))
			break;
	}
	*len = n;
	return inside ? -EINVAL : 0;
}

/* The group of an earlier member whose PMU is the same, or -1. */
static int group_of_pmu(const struct event_list *list, size_t first, size_t index)
{
	for (size_t i = first; i < index; i++)
		if (!list->events[i].software &&
		    !strcmp(list->events[i].pmu, list->events[index].pmu))
			return list->events[i].group;
	return -1;
}

/*
 * Events of different PMUs cannot be in one kernel group: a group on a hybrid machine becomes one
 * group for each core PMU. Software events stay with the first.
 */
static void split_by_pmu(struct event_list *list, size_t first)
{
	int next = list->n_groups;

	for (size_t i = first; i < list->n; i++) {
		struct event *event = &list->events[i];
		int group = event->software ? list->n_groups : group_of_pmu(list, first, i);

		event->group = group < 0 ? next++ : group;
	}
	for (size_t i = first + 1; i < list->n; i++) {
		struct event event = list->events[i];
		size_t k = i;

		for (; k > first && list->events[k - 1].group > event.group; k--)
			list->events[k] = list->events[k - 1];
		list->events[k] = event;
	}
	list->n_groups = next > list->n_groups ? next : list->n_groups + 1;
}

/* Modifiers of a group end at a comma. */
static size_t group_modifiers(const char *text, char *letters, size_t size)
{
	size_t n;

	letters[0] = '\0';
	if (*text != ':')
		return 0;
	n = strcspn(text + 1, ",{}");
	snprintf(letters, size, "%.*s", (int)n, text + 1);
	return n + 1;
}

static const char *group_end(const char *text)
{
	size_t len;

	for (;;) {
		if (event_length(text, &len) < 0)
			return NULL;
		text += len;
		if (*text == '}')
			return text;
		if (*text != ',')
			return NULL;
		text++;
	}
}

static int parse_members(struct event_parser *parser, const char *end, const char *modifiers)
{
	for (;;) {
		size_t len = 0;
		int e;

		event_length(parser->at, &len);
		e = parse_event(parser, parser->at, len, modifiers, parser->parsed.n_groups);
		if (e < 0)
			return e;
		parser->at += len;
		if (parser->at == end)
			return 0;
		parser->at++;
	}
}

static int parse_group(struct event_parser *parser)
{
	size_t first = parser->parsed.n, letters;
	const char *end = group_end(++parser->at);
	char modifiers[32];
	int e;

	if (!end)
		return fail(parser, EINVAL, "a '{' has no '}'");
	letters = group_modifiers(end + 1, modifiers, sizeof(modifiers));
	if (letters == 1)
		return fail(parser, EINVAL, "modifiers are missing after '}:'");
	e = parse_members(parser, end, modifiers);
	if (e < 0)
		return e;
	for (size_t i = first; i < parser->parsed.n; i++)
		if (parser->parsed.events[i].tool != TOOL_NONE)
			return fail(
			    parser, EINVAL,
			    "a tool event is not counted by a counter and cannot be in a group");
	parser->at = end + 1 + letters;
	split_by_pmu(&parser->parsed, first);
	return 0;
}

static int parse_list(struct event_parser *parser)
{
	for (;;) {
		size_t len;
		int e;

		parser->at += strspn(parser->at, " ");
		if (*parser->at == '{') {
			e = parse_group(parser);
		} else if (event_length(parser->at, &len) < 0) {
			e = fail(parser, EINVAL,
				 "a '/' has no second one: terms are written PMU/TERM,.../");
		} else {
			e = parse_event(parser, parser->at, len, "", -1);
			parser->at += len;
		}
		if (e < 0)
			return e;
		parser->at += strspn(parser->at, " ");
		if (*parser->at == '\0')
			return 0;
		if (*parser->at++ != ',')
			return fail(parser, EINVAL, "a brace stands where a comma belongs");
	}
}

int event_list_parse(struct event_list *list, const char *text, const struct event_roots *roots,
		     char *err, size_t err_size)
{
	struct event_parser parser = {.text = text, .at = text, .err = err, .err_size = err_size};
	struct event_list *parsed = &parser.parsed;
	struct event *more;
	int e = event_scan_init(&parser.scan, roots);

	parsed->n_groups = list->n_groups;
	if (e == 0)
		e = parse_list(&parser);
	more = e == 0 ? reallocarray(list->events, list->n + parsed->n, sizeof(*more)) : NULL;
	if (more) {
		list->events = more;
		memcpy(more + list->n, parsed->events, parsed->n * sizeof(*more));
		list->n += parsed->n;
		list->n_groups = parsed->n_groups;
		parsed->n = 0;
	} else if (e == 0 || e == -ENOMEM) {
		e = explain(&parser, "", -ENOMEM);
	}
	event_list_release(parsed);
	event_scan_release(&parser.scan);
	return e;
}

bool event_name_known(const char *name, size_t len, const struct event_roots *roots)
{
	struct event_scan scan;
	char *copy = strndup(name, len);
	bool known;

	known = copy && len && event_scan_init(&scan, roots) == 0;
	if (known) {
		known = event_resolve(&scan, copy, "") == 0;
		event_scan_release(&scan);
	}
	free(copy);
	return known;
}
