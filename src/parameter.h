/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * {NAME} in templates: a shell-like text in which parameters are filled in.
 */
#ifndef ABSTAT_PARAMETER_H
#define ABSTAT_PARAMETER_H

#include <stdbool.h>
#include <stddef.h>

#include "variant.h"

/*
 * TEXT with every {NAME} of the parameters replaced by that parameter's value number CHOICE[i],
 * malloc'd; NULL: out of memory.
 * "${NAME}" is the shell's and stays. USED (may be NULL) gets true for each parameter that occurs.
 */
char *parameter_fill(const char *text, const struct parameter *parameters, size_t n,
		     const size_t *choice, bool *used);

/*
 * The first {NAME} of TEXT, outside quotes, that no parameter and not {block} explains: a pointer
 * to its brace and its length, or NULL. What is quoted may be meant for awk.
 */
const char *parameter_unknown(const char *text, const struct parameter *parameters, size_t n,
			      size_t *len);

#endif
