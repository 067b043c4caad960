/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A function of the same name as one in another file. */
#include "scope-sample.h"

static volatile int other;

static KEEP int twice(int n)
{
	return other += 3 * n;
}

KEEP int use_other_twice(int n)
{
	return twice(n) + 1;
}
