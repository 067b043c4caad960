/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Definitions of metrics: NAME[UNIT,higher|lower]=... */
#include "expr.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metric.h"

static bool direction_word(const char *s, size_t len, int *direction)
{
	bool higher = len == 6 && !memcmp(s, "higher", 6);

	if (!higher && !(len == 5 && !memcmp(s, "lower", 5)))
		return false;
	*direction = higher ? DIRECTION_HIGHER : DIRECTION_LOWER;
	return true;
}

/* The inside of "[UNIT,higher|lower]": either part may be left out. */
static bool split_brackets(const char *s, size_t len, const char **unit, size_t *unit_len,
			   int *direction)
{
	const char *comma = memrchr(s, ',', len);

	*unit = s;
	*unit_len = len;
	if (!comma) {
		if (direction_word(s, len, direction))
			*unit_len = 0;
		return true;
	}
	*unit_len = (size_t)(comma - s);
	return direction_word(comma + 1, len - *unit_len - 1, direction);
}

int expr_split_definition(const char *text, char **name, char **unit, int *direction,
			  const char **rest, char *err, size_t err_size)
{
	size_t name_len = strcspn(text, "[="), unit_len = 0, skipped = strspn(text, " \t");
	const char *after = text + name_len, *unit_at = "";

	*name = *unit = NULL;
	*direction = DIRECTION_NEUTRAL;
	if (*after == '[') {
		const char *close = strchr(after, ']');

		if (!close || !split_brackets(after + 1, (size_t)(close - after) - 1, &unit_at,
					      &unit_len, direction)) {
			snprintf(
			    err, err_size,
			    "'%s': expected [UNIT], [UNIT,higher] or [UNIT,lower] after the name",
			    text);
			return -EINVAL;
		}
		after = close + 1;
	}
	while (name_len > skipped && isspace((unsigned char)text[name_len - 1]))
		name_len--;
	if (*after != '=' || !after[1] || name_len <= skipped) {
		snprintf(err, err_size,
			 "'%s': expected NAME=..., NAME[UNIT]=... or NAME[UNIT,higher|lower]=...",
			 text);
		return -EINVAL;
	}
	for (size_t i = skipped; i < name_len; i++) {
		if (iscntrl((unsigned char)text[i])) {
			snprintf(err, err_size, "a metric's name cannot hold control characters");
			return -EINVAL;
		}
	}
	*name = strndup(text + skipped, name_len - skipped);
	*unit = strndup(unit_at, unit_len);
	*rest = after + 1;
	if (*name && *unit)
		return 0;
	free(*name);
	free(*unit);
	*name = *unit = NULL;
	snprintf(err, err_size, "out of memory");
	return -ENOMEM;
}
