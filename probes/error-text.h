/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The message of a failure that an errno says enough of. */
#ifndef ABSTAT_ERROR_TEXT_H
#define ABSTAT_ERROR_TEXT_H

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Writes "WHAT: why" into ERR, where ERROR is -errno; and returns that. */
static inline int error_text(int error, const char *what, char *err, size_t err_size)
{
	snprintf(err, err_size, "%s: %s", what, strerror(-error));
	return error;
}

#endif
