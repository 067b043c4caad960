/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Metrics that are computed from others: the built-in ratios, and the user's expressions. */
#include "metric.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

const struct derived_info derived_metrics[] = {
	{"cpus-utilized", "task-clock", "duration_time", "", DIRECTION_NEUTRAL, "CPUs utilized"},
	{"ghz", "cycles", "task-clock", "GHz", DIRECTION_NEUTRAL, "GHz"},
	{"ipc", "instructions", "cycles", "", DIRECTION_HIGHER, "insn per cycle"},
	{"frontend-stalled", "stalled-cycles-frontend", "cycles", "ratio", DIRECTION_LOWER,
	 "frontend cycles idle"},
	{"backend-stalled", "stalled-cycles-backend", "cycles", "ratio", DIRECTION_LOWER,
	 "backend cycles idle"},
	{"branch-miss-rate", "branch-misses", "branches", "ratio", DIRECTION_LOWER,
	 "of all branches"},
	{"cache-miss-rate", "cache-misses", "cache-references", "ratio", DIRECTION_LOWER,
	 "of all cache refs"},
	{"L1-dcache-miss-rate", "L1-dcache-load-misses", "L1-dcache-loads", "ratio",
	 DIRECTION_LOWER, "of all L1-dcache accesses"},
	{"LLC-miss-rate", "LLC-load-misses", "LLC-loads", "ratio", DIRECTION_LOWER,
	 "of all LL-cache accesses"},
	{"dTLB-miss-rate", "dTLB-load-misses", "dTLB-loads", "ratio", DIRECTION_LOWER,
	 "of all dTLB cache accesses"},
	{"iTLB-miss-rate", "iTLB-load-misses", "iTLB-loads", "ratio", DIRECTION_LOWER,
	 "of all iTLB cache accesses"},
};
const size_t n_derived_metrics = ARRAY_SIZE(derived_metrics);

const struct derived_info *derived_find(const char *name)
{
	for (size_t i = 0; name && i < n_derived_metrics; i++)
		if (!strcmp(derived_metrics[i].name, name))
			return &derived_metrics[i];
	return NULL;
}

/* "cpu_atom/cycles/u", "CPU0/cycles:u" and "cycles" taken apart. */
struct name_parts {
	const char *pmu, *base, *modifiers;
	size_t pmu_len, base_len;
};

static struct name_parts take_apart(const char *name)
{
	struct name_parts p = {.pmu = name, .base = name};
	const char *slash = strchr(name, '/');

	if (slash && slash[1]) {
		p.pmu_len = (size_t)(slash - name);
		p.base = slash + 1;
	}
	p.base_len = strcspn(p.base, ":/");
	p.modifiers = p.base + p.base_len;
	if (*p.modifiers)
		p.modifiers++;
	return p;
}

static bool is_base(const struct name_parts *p, const char *base)
{
	return p->base_len == strlen(base) && !memcmp(p->base, base, p->base_len);
}

/* The denominator for the numerator P: on the same PMU or CPU, or else of no PMU, and counted in the same modes. */
static long find_denominator(const struct metric_list *list, const char *base,
			     const struct name_parts *p)
{
	long found = -1;

	for (size_t i = 0; i < list->n; i++) {
		const struct metric *m = &list->v[i];
		struct name_parts q = take_apart(m->name);

		if (!is_base(&q, base) || m->source == METRIC_EXPR || m->source == METRIC_EXTRACT)
			continue;
		if (m->source != METRIC_TOOL && strcmp(q.modifiers, p->modifiers))
			continue;
		if (q.pmu_len == p->pmu_len && !memcmp(q.pmu, p->pmu, q.pmu_len))
			return (long)i;
		if (!q.pmu_len)
			found = (long)i;
	}
	return found;
}

static bool any_name(void *context, const char *name, size_t len)
{
	(void)context;
	(void)name;
	return len > 0;
}

static bool is_named(const struct metric_list *list, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(list->v[i].name, name))
			return true;
	return false;
}

/* The second of a kind is called by its modifiers: "ipc" of user space, then "ipc:k". */
static int add_modifiers(struct metric *m, const char *modifiers)
{
	char *longer;

	if (asprintf(&longer, "%s:%s", m->name, modifiers) < 0)
		return -ENOMEM;
	free(m->name);
	m->name = longer;
	return 0;
}

static int append_ratio(struct metric_list *list, const struct derived_info *d, size_t numerator,
			size_t denominator)
{
	struct name_parts p = take_apart(list->v[numerator].name);
	struct metric *m = metric_append(list);

	if (!m)
		return -ENOMEM;
	const char *a = list->v[numerator].name, *b = list->v[denominator].name;
	char err[64];

	if (asprintf(&m->formula, "'%s' / '%s'", a, b) < 0) {
		m->formula = NULL;
		return -ENOMEM;
	}
	m->expr = expr_parse(m->formula, any_name, NULL, err, sizeof(err));
	m->operands = calloc(2, sizeof(*m->operands));
	m->event = strdup(d->name);
	m->unit = strdup(d->unit);
	m->beside = strdup(a);
	if (asprintf(&m->name, "%.*s%s%s", (int)p.pmu_len, p.pmu, p.pmu_len ? "/" : "", d->name) < 0)
		m->name = NULL;
	if (m->name && is_named(list, list->n - 1, m->name) && add_modifiers(m, p.modifiers))
		return -ENOMEM;
	if (!m->expr || !m->operands || !m->event || !m->unit || !m->beside || !m->name)
		return -ENOMEM;
	m->source = METRIC_EXPR;
	m->direction = d->direction;
	m->cpu = list->v[numerator].cpu;
	m->note = d->note;
	m->operands[0] = (long)numerator;
	m->operands[1] = (long)denominator;
	return 0;
}

int metric_append_derived(struct metric_list *list)
{
	size_t n = list->n;

	for (size_t i = 0; i < n; i++) {
		struct name_parts p = take_apart(list->v[i].name);

		if (list->v[i].source != METRIC_COUNTER || list->v[i].reason)
			continue;
		for (size_t k = 0; k < n_derived_metrics; k++) {
			const struct derived_info *d = &derived_metrics[k];

			if (!is_base(&p, d->numerator))
				continue;
			/* A frequency from user-space cycles alone would be too low. */
			if (!strcmp(d->denominator, "task-clock") && *p.modifiers)
				continue;
			long denominator = find_denominator(list, d->denominator, &p);

			if (denominator < 0 || list->v[denominator].reason)
				continue;
			int r = append_ratio(list, d, i, (size_t)denominator);

			if (r)
				return r;
		}
	}
	return 0;
}

static long find_operand(const struct metric_list *list, const char *name, const char *pmu)
{
	size_t len = pmu ? strlen(pmu) : 0;

	for (size_t i = 0; pmu && i < list->n; i++) {
		const struct metric *m = &list->v[i];

		if (m->event && !strcmp(m->event, name) && !strncmp(m->name, pmu, len) &&
		    m->name[len] == '/')
			return (long)i;
	}
	return metric_find(list, name);
}

/* The sum of two times is a time: less of it is better. */
static int infer_direction(const struct metric_list *list, struct metric *m)
{
	size_t n = expr_n_names(m->expr);
	int *directions = calloc(n + 1, sizeof(*directions));

	if (!directions)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		directions[i] = list->v[m->operands[i]].direction;
	m->direction = (enum direction)expr_direction(m->expr, directions);
	free(directions);
	return 0;
}

/* And it has their unit. */
static int infer_unit(const struct metric_list *list, struct metric *m)
{
	size_t n = expr_n_names(m->expr);
	const char **units = calloc(n + 1, sizeof(*units)), *unit;

	if (!units)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		units[i] = list->v[m->operands[i]].unit;
	unit = expr_unit(m->expr, units);
	m->unit = strdup(unit ? unit : "");
	free(units);
	return m->unit ? 0 : -ENOMEM;
}

int metric_append_expr(struct metric_list *list, const char *name, struct expr *expr, const char *pmu,
		       const char **missing)
{
	size_t n = expr_n_names(expr);
	long *operands = calloc(n + 1, sizeof(*operands));
	struct metric *m = operands ? metric_append(list) : NULL;

	if (!m) {
		free(operands);
		expr_free(expr);
		return -ENOMEM;
	}
	m->expr = expr;
	m->operands = operands;
	m->source = METRIC_EXPR;
	m->event = strdup(name);
	if (!pmu)
		m->name = strdup(name);
	else if (asprintf(&m->name, "%s/%s", pmu, name) < 0)
		m->name = NULL;
	if (!m->event || !m->name)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		operands[i] = find_operand(list, expr_name(expr, i), pmu);
		/* A metric that refers to itself is as good as missing. */
		if (operands[i] < 0 || (size_t)operands[i] == list->n - 1) {
			*missing = expr_name(expr, i);
			return -ENOENT;
		}
		/* No run has both. */
		if (i && list->v[operands[i]].probed != m->probed) {
			*missing = expr_name(expr, i);
			return -EXDEV;
		}
		m->probed = list->v[operands[i]].probed;
	}
	int r = infer_direction(list, m);

	return r ? r : infer_unit(list, m);
}

double metric_eval(const struct metric *m, const double *values, bool *divided)
{
	return expr_eval(m->expr, values, m->operands, divided);
}
