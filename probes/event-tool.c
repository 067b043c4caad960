/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tool events: what the clock and wait4(2) know of a run, without any counter.
 */
#include "event-source.h"

#include <errno.h>
#include <strings.h>

const struct tool_event_info tool_events[TOOL_EVENTS] = {
    [TOOL_NONE] = {"", "", ""},
    [TOOL_DURATION_TIME] = {"duration_time", "ns", "time from the start to the command's own exit"},
    [TOOL_USER_TIME] = {"user_time", "ns", "CPU time in user mode, of all processes of the run"},
    [TOOL_SYSTEM_TIME] = {"system_time", "ns",
			  "CPU time in the kernel, of all processes of the run"},
    [TOOL_MAX_RSS] = {"max_rss", "bytes", "peak resident memory of the largest process"},
    [TOOL_MINOR_FAULTS] = {"minor_faults", "", "page faults without input or output (rusage)"},
    [TOOL_MAJOR_FAULTS] = {"major_faults", "", "page faults that read from a disk (rusage)"},
    [TOOL_SWITCHES] = {"switches", "", "context switches of both kinds (rusage)"},
    [TOOL_VOLUNTARY_SWITCHES] = {"voluntary_switches", "", "context switches to wait (rusage)"},
    [TOOL_INVOLUNTARY_SWITCHES] = {"involuntary_switches", "",
				   "context switches at the end of a time slice (rusage)"},
    [TOOL_BLOCK_READS] = {"block_reads", "", "input from file systems, in 512-byte units (rusage)"},
    [TOOL_BLOCK_WRITES] = {"block_writes", "",
			   "output to file systems, in 512-byte units (rusage)"},
};

static int resolve(struct event_scan *scan, const char *name)
{
	for (int i = TOOL_NONE + 1; i < TOOL_EVENTS; i++) {
		struct event *event;

		if (strcasecmp(name, tool_events[i].name))
			continue;
		event = event_scan_add(scan, tool_events[i].name, NULL);
		if (!event || event_set_string(&event->unit, tool_events[i].unit))
			return -ENOMEM;
		event->tool = (enum tool_event)i;
		event->software = true;
		return 1;
	}
	return 0;
}

static int enumerate(struct event_scan *scan, event_known_fn *fn, void *context)
{
	int e = 0;

	(void)scan;
	for (int i = TOOL_NONE + 1; i < TOOL_EVENTS && !e; i++)
		e = fn(context, &(struct event_known){tool_events[i].name, NULL, "tool",
						      tool_events[i].help});
	return e;
}

const struct event_source event_source_tool = {"tool", resolve, enumerate};
