/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Raw events: r followed by hexadecimal digits, the number that the PMU's manual gives.
 */
#include "event-source.h"

#include <ctype.h>
#include <string.h>
#include <stdlib.h>

static int resolve(struct event_scan *scan, const char *name)
{
	const char *digits = name + 1;
	size_t n;

	if (name[0] != 'r')
		return 0;
	if (digits[0] == '0' && digits[1] == 'x')
		digits += 2;
	n = strspn(digits, "0123456789abcdefABCDEF");
	if (n == 0 || n > 16 || digits[n] != '\0')
		return 0;
	return event_scan_add_generic(scan, name, PERF_TYPE_RAW, strtoull(digits, NULL, 16));
}

const struct event_source event_source_raw = {"raw", resolve, NULL};
