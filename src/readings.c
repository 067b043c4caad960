/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a run's raw numbers to one reading a metric. */
#include "readings.h"

#include <errno.h>
#include <math.h>

#include "expr.h"
#include "extract.h"

static struct reading null_reading(enum null_reason reason)
{
	return (struct reading){.value = NAN, .reason = reason};
}

static enum null_reason why_not_opened(const struct event *e, int error)
{
	bool permission = e->reason == EVENT_NOT_PERMITTED || error == EACCES || error == EPERM;

	return permission ? NULL_NOT_PERMITTED : NULL_NOT_SUPPORTED;
}

static struct reading counter_reading(const struct metric *m, const struct counter_value *v,
				      bool multiplexed)
{
	struct reading r = {.value = NAN, .enabled = v->enabled, .running = v->running};

	/* A pinned event that found no counter is in an error state, and says so by enabled 0. */
	if (v->running == 0) {
		r.reason = NULL_NOT_COUNTED;
	} else if (v->running < v->enabled && !multiplexed) {
		r.reason = NULL_PARTLY_COUNTED;
	} else {
		r.value = (double)v->value * m->scale;
		if (v->running < v->enabled)
			r.value *= (double)v->enabled / (double)v->running;
	}
	return r;
}

static double tool_value(enum tool_event tool, const struct run_result *result)
{
	const struct run_usage *u = &result->usage;

	switch (tool) {
	case TOOL_DURATION_TIME:
		return (double)result->duration_ns;
	case TOOL_USER_TIME:
		return (double)u->user_ns;
	case TOOL_SYSTEM_TIME:
		return (double)u->system_ns;
	case TOOL_MAX_RSS:
		return (double)u->max_rss;
	case TOOL_MINOR_FAULTS:
		return (double)u->minor_faults;
	case TOOL_MAJOR_FAULTS:
		return (double)u->major_faults;
	case TOOL_SWITCHES:
		return (double)(u->voluntary_switches + u->involuntary_switches);
	case TOOL_VOLUNTARY_SWITCHES:
		return (double)u->voluntary_switches;
	case TOOL_INVOLUNTARY_SWITCHES:
		return (double)u->involuntary_switches;
	case TOOL_BLOCK_READS:
		return (double)u->block_reads;
	case TOOL_BLOCK_WRITES:
		return (double)u->block_writes;
	case TOOL_NONE:
	case TOOL_EVENTS:
		break;
	}
	return NAN;
}

/*
 * A setuid, setgid or unreadable program loses its events in the middle of exec: they read 0, or too little where a script
 * calls one, as if they had run all the time. The CPU time of wait4(2) knows better. A software event tells, because it
 * never lacks a counter. The comparison is loose: events begin at exec and end before the memory is freed. Of a program of
 * three instructions they see a third of the CPU time, of a setuid one a fiftieth.
 */
static bool events_were_dropped(const struct counting *c, const struct counting_group *g,
				const struct record *record, const struct run_result *result,
				const struct counter_value *values)
{
	const uint64_t slack_ns = 20000000;
	uint64_t cpu_ns = result->usage.user_ns + result->usage.system_ns;

	if (g->config.system_wide || result->stragglers)
		return false;
	for (size_t i = 0; i < record->metrics.n; i++) {
		const struct metric *m = &record->metrics.v[i];
		int slot = g->slot_of[i];

		if (m->source != METRIC_COUNTER || slot < 0 || g->slot_errors[slot] ||
		    !c->events.events[m->slot].software)
			continue;
		uint64_t enabled = values[slot].enabled;

		return enabled == 0 || enabled < cpu_ns / 10 ||
		       (cpu_ns > slack_ns && enabled < (cpu_ns - slack_ns) / 2);
	}
	return false;
}

static void evaluate(const struct metric_list *list, bool probed, double *scratch, struct reading *readings)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct metric *m = &list->v[i];
		bool divided = false;

		if (m->source != METRIC_EXPR || m->probed != probed)
			continue;
		if (m->reason) {
			readings[i] = null_reading(NULL_NOT_SUPPORTED);
			for (size_t k = 0; k < expr_n_names(m->expr); k++)
				if (readings[m->operands[k]].reason == NULL_NOT_PERMITTED)
					readings[i].reason = NULL_NOT_PERMITTED;
			scratch[i] = NAN;
			continue;
		}
		scratch[i] = metric_eval(m, scratch, &divided);
		readings[i] = (struct reading){.value = scratch[i]};
		if (!isnan(scratch[i]))
			continue;
		readings[i].reason = divided ? NULL_DIVISION : NULL_OPERAND;
		for (size_t k = 0; k < expr_n_names(m->expr); k++)
			if (readings[m->operands[k]].reason == NULL_OTHER_GROUP)
				readings[i].reason = NULL_OTHER_GROUP;
	}
}

void readings_compute(const struct counting *counting, const struct record *record, size_t group,
		      const struct run_result *result, const struct counter_value *values,
		      const struct probed_run *probed, const struct run_output *output, double *scratch, struct reading *readings)
{
	const struct counting_group *g = &counting->groups[group];
	const struct metric_list *list = &record->metrics;
	bool dropped = !probed && events_were_dropped(counting, g, record, result, values);

	for (size_t i = 0; i < list->n; i++) {
		const struct metric *m = &list->v[i];
		int slot = g->slot_of[i];

		if (m->probed != (probed != NULL)) {
			readings[i] = null_reading(probed ? NULL_PROBED : NULL_BARE);
		} else if (probed && m->reason && m->source != METRIC_EXPR) {
			readings[i] = null_reading(why_not_opened(&counting->events.events[m->slot], 0));
		} else if (m->source == METRIC_SCOPE) {
			readings[i] = reading_of_scope(probed, m, slot);
		} else if (probed && m->source == METRIC_COUNTER) {
			readings[i] = reading_of_whole(probed, slot, m->scale);
		} else if (m->source == METRIC_TOOL) {
			readings[i] = (struct reading){.value = tool_value((enum tool_event)m->slot, result)};
		} else if (m->source == METRIC_COUNTER) {
			if (m->reason || (slot >= 0 && g->slot_errors[slot]))
				readings[i] = null_reading(why_not_opened(
					&counting->events.events[m->slot], slot < 0 ? 0 : g->slot_errors[slot]));
			else if (slot < 0)
				readings[i] = null_reading(NULL_OTHER_GROUP);
			else if (dropped)
				readings[i] = null_reading(NULL_DROPPED);
			else
				readings[i] = counter_reading(m, &values[slot], record->plan.multiplexed);
		} else {
			readings[i] = null_reading(NULL_NO_MATCH);
			if (m->source == METRIC_EXTRACT &&
			    extract_apply(&counting->extracts[m->slot], output, &readings[i].value))
				readings[i].reason = NULL_NONE;
		}
		scratch[i] = readings[i].value;
	}
	evaluate(list, probed != NULL, scratch, readings);
}
