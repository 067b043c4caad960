/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hardware breakpoints: mem:ADDRESS[/LENGTH][:ACCESS], with the access r, w, rw or x.
 */
#include "event-source.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <stdlib.h>
#include <string.h>

static int access_type(const char *text)
{
	int type = 0;

	if (!*text)
		return -1;
	for (; *text; text++) {
		int bit = *text == 'r'   ? HW_BREAKPOINT_R
			  : *text == 'w' ? HW_BREAKPOINT_W
			  : *text == 'x' ? HW_BREAKPOINT_X
					 : -1;

		if (bit < 0 || (type & bit))
			return -1;
		type |= bit;
	}
	return type;
}

static int resolve(struct event_scan *scan, const char *name)
{
	int type = HW_BREAKPOINT_R | HW_BREAKPOINT_W;
	unsigned long long address, length = 0;
	struct event *event;
	char *end;

	if (strncmp(name, "mem:", 4))
		return 0;
	errno = 0;
	address = strtoull(name + 4, &end, 0);
	if (errno || end == name + 4 || name[4] == '-' || name[4] == '+')
		return event_scan_fail(scan, EINVAL, "'%s': an address must follow 'mem:'", name);
	if (*end == '/') {
		char *digits = end + 1;

		length = strtoull(digits, &end, 0);
		if (end == digits || length < 1 || length > 8)
			return event_scan_fail(scan, EINVAL, "'%s': a length is 1 to 8 bytes",
					       name);
	}
	if (*end == ':')
		type = access_type(end + 1);
	else if (*end)
		type = -1;
	if (type < 0)
		return event_scan_fail(
		    scan, EINVAL,
		    "'%s': a breakpoint is mem:ADDRESS[/LENGTH][:ACCESS], ACCESS of r, w and x",
		    name);
	if (length == 0)
		length = type == HW_BREAKPOINT_X ? sizeof(long) : HW_BREAKPOINT_LEN_4;
	event = event_scan_add(scan, name, NULL);
	if (!event || event_set_string(&event->pmu, "breakpoint"))
		return -ENOMEM;
	event->attr.type = PERF_TYPE_BREAKPOINT;
	event->attr.bp_type = (uint32_t)type;
	event->attr.bp_addr = address;
	event->attr.bp_len = length;
	event->software = true;
	return 1;
}

const struct event_source event_source_breakpoint = {"breakpoint", resolve, NULL};
