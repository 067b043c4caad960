/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bit fields of a PMU's events, as sysfs describes them: "config:0-7,32-35".
 */
#include "pmu.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int parse_bit(const char **text)
{
	int bit = 0;

	if (!isdigit((unsigned char)**text))
		return -1;
	for (; isdigit((unsigned char)**text); (*text)++) {
		bit = bit * 10 + (**text - '0');
		if (bit > 63)
			return -1;
	}
	return bit;
}

static int parse_bits(const char *text, uint64_t *mask)
{
	*mask = 0;
	for (;;) {
		int first = parse_bit(&text), last = first;

		if (first >= 0 && *text == '-') {
			text++;
			last = parse_bit(&text);
		}
		if (first < 0 || last < first)
			return -EINVAL;
		for (int bit = first; bit <= last; bit++)
			*mask |= UINT64_C(1) << bit;
		if (*text == '\0')
			return 0;
		if (*text++ != ',')
			return -EINVAL;
	}
}

int pmu_format_parse(const char *text, struct pmu_format *format)
{
	static const char *const words[] = {"config", "config1", "config2", "config3"};
	const char *colon = strchr(text, ':');

	if (!colon)
		return -EINVAL;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strlen(words[i]) != (size_t)(colon - text) ||
		    strncmp(text, words[i], (size_t)(colon - text)))
			continue;
		format->word = i;
		return parse_bits(colon + 1, &format->mask);
	}
	return -EINVAL;
}

uint64_t pmu_format_max(const struct pmu_format *format)
{
	int bits = __builtin_popcountll(format->mask);

	return bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static int set_word(struct perf_event_attr *attr, const struct pmu_format *format, uint64_t bits)
{
	switch (format->word) {
	case PMU_CONFIG:
		attr->config = (attr->config & ~format->mask) | bits;
		return 0;
	case PMU_CONFIG1:
		attr->config1 = (attr->config1 & ~format->mask) | bits;
		return 0;
	case PMU_CONFIG2:
		attr->config2 = (attr->config2 & ~format->mask) | bits;
		return 0;
	case PMU_CONFIG3:
#ifdef PERF_ATTR_SIZE_VER8
		attr->config3 = (attr->config3 & ~format->mask) | bits;
		return 0;
#else
		return -ENOTSUP;
#endif
	}
	return -EINVAL;
}

int pmu_format_set(const struct pmu_format *format, struct perf_event_attr *attr, uint64_t value)
{
	uint64_t bits = 0;

	if (value > pmu_format_max(format))
		return -ERANGE;
	for (int bit = 0; bit < 64; bit++) {
		if (!(format->mask >> bit & 1))
			continue;
		bits |= (value & 1) << bit;
		value >>= 1;
	}
	return set_word(attr, format, bits);
}
