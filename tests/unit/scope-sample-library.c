/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A library with a function that has two versions. */
#include "scope-sample.h"

static volatile int sink;

int old_function(int n);
int new_function(int n);

__asm__(".symver old_function,versioned@OLD_1.0");
__asm__(".symver new_function,versioned@@NEW_2.0");

KEEP int old_function(int n)
{
	return sink += n;
}

KEEP int new_function(int n)
{
	return sink += 3 * n + 1;
}

static KEEP int hidden_away(int n)
{
	return sink * n;
}

KEEP int library_function(int n)
{
	return hidden_away(n) + 1;
}
