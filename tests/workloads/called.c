/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A library that is opened by `calls library`.
 */
int in_library(int x);

int in_library(int x)
{
	__asm__ volatile("" : "+r"(x));
	return x + 1;
}
