/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of metrics, and the table of which way is good, by name. */
#include "metric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "expr.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static const struct {
	const char *event;
	enum direction direction;
} directions[] = {
	{"cycles", DIRECTION_LOWER},
	{"cpu-cycles", DIRECTION_LOWER},
	{"ref-cycles", DIRECTION_LOWER},
	{"instructions", DIRECTION_LOWER},
	{"cache-misses", DIRECTION_LOWER},
	{"branch-misses", DIRECTION_LOWER},
	{"stalled-cycles-frontend", DIRECTION_LOWER},
	{"idle-cycles-frontend", DIRECTION_LOWER},
	{"stalled-cycles-backend", DIRECTION_LOWER},
	{"idle-cycles-backend", DIRECTION_LOWER},
	{"task-clock", DIRECTION_LOWER},
	{"cpu-clock", DIRECTION_LOWER},
	{"page-faults", DIRECTION_LOWER},
	{"faults", DIRECTION_LOWER},
	{"minor-faults", DIRECTION_LOWER},
	{"major-faults", DIRECTION_LOWER},
	{"alignment-faults", DIRECTION_LOWER},
	{"emulation-faults", DIRECTION_LOWER},
	{"context-switches", DIRECTION_LOWER},
	{"cs", DIRECTION_LOWER},
	{"cpu-migrations", DIRECTION_LOWER},
	{"migrations", DIRECTION_LOWER},
	{"duration_time", DIRECTION_LOWER},
	{"user_time", DIRECTION_LOWER},
	{"system_time", DIRECTION_LOWER},
	{"max_rss", DIRECTION_LOWER},
	{"minor_faults", DIRECTION_LOWER},
	{"major_faults", DIRECTION_LOWER},
	{"switches", DIRECTION_LOWER},
	{"voluntary_switches", DIRECTION_LOWER},
	{"involuntary_switches", DIRECTION_LOWER},
	{"block_reads", DIRECTION_LOWER},
	{"block_writes", DIRECTION_LOWER},
};

static bool ends_with(const char *text, size_t len, const char *suffix)
{
	size_t n = strlen(suffix);

	return len >= n && memcmp(text + len - n, suffix, n) == 0;
}

enum direction metric_direction_of(const char *event)
{
	/* "cpu_core/cycles/u" and "CPU3/cycles:u" are about "cycles". */
	const char *slash = strchr(event, '/');

	if (slash && slash[1])
		event = slash + 1;
	size_t len = strcspn(event, ":/");

	for (size_t i = 0; i < ARRAY_SIZE(directions); i++)
		if (strlen(directions[i].event) == len && !memcmp(event, directions[i].event, len))
			return directions[i].direction;
	return ends_with(event, len, "-misses") ? DIRECTION_LOWER : DIRECTION_NEUTRAL;
}

static const char *const part_words[SCOPE_PARTS] = {
	[PART_NONE] = "",
	[PART_CALLS] = "calls",
	[PART_LOST] = "lost",
	[PART_NOT_COUNTED] = "not-counted",
	[PART_UNFOLLOWED] = "unfollowed",
	[PART_MISSED] = "missed",
	[PART_UNRETURNED] = "unreturned",
	[PART_INTERRUPTED] = "interrupted",
	[PART_MEAN] = "mean",
	[PART_P50] = "p50",
	[PART_P99] = "p99",
	[PART_TOTAL] = "total",
	[PART_SELF] = "self",
	[PART_SHARE] = "share",
	[PART_OVERHEAD] = "overhead",
	[PART_OVERHEAD_SE] = "overhead-se",
	[PART_PROBED] = "probed",
};

const char *scope_part_word(enum scope_part part)
{
	return part < SCOPE_PARTS ? part_words[part] : "";
}

enum scope_part scope_part_find(const char *word, size_t len)
{
	for (int i = PART_NONE + 1; i < SCOPE_PARTS; i++)
		if (strlen(part_words[i]) == len && !memcmp(part_words[i], word, len))
			return (enum scope_part)i;
	return PART_NONE;
}

long metric_find_counted(const struct metric_list *list, const char *name)
{
	for (size_t i = 0; i < list->n; i++)
		if (strcmp(list->v[i].name, name) == 0)
			return (long)i;
	return -1;
}

long metric_find(const struct metric_list *list, const char *name)
{
	long counted = metric_find_counted(list, name);

	if (counted >= 0)
		return counted;
	for (size_t i = 0; i < list->n; i++)
		if (list->v[i].event && strcmp(list->v[i].event, name) == 0)
			return (long)i;
	return -1;
}

struct metric *metric_append(struct metric_list *list)
{
	struct metric *grown = reallocarray(list->v, list->n + 1, sizeof(*grown));

	if (!grown)
		return NULL;
	list->v = grown;
	list->v[list->n] = (struct metric){.group = -1, .slot = -1, .cpu = -1, .number = -1, .scale = 1, .shown = true, .margin = NAN};
	return &list->v[list->n++];
}

static void metric_release(struct metric *m)
{
	free(m->name);
	free(m->event);
	free(m->unit);
	free(m->formula);
	free(m->reason);
	free(m->scope);
	free(m->of);
	free(m->beside);
	free(m->operands);
	expr_free(m->expr);
}

void metric_list_remove(struct metric_list *list, size_t index)
{
	metric_release(&list->v[index]);
	list->n--;
	memmove(&list->v[index], &list->v[index + 1], (list->n - index) * sizeof(*list->v));
}

void metric_list_release(struct metric_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		metric_release(&list->v[i]);
	free(list->v);
	*list = (struct metric_list){0};
}
