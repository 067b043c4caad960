/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of the sample share. */
#ifndef ABSTAT_SCOPE_SAMPLE_H
#define ABSTAT_SCOPE_SAMPLE_H

#ifdef __clang__
#define KEEP __attribute__((noinline))
#else
#define KEEP __attribute__((noipa))
#endif

int plain(int n);
int use_twice(int n);
int use_other_twice(int n);
int tail_call(int n);
int two_returns(int n);
int chosen(int n);
int library_function(int n);

#endif
