/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers in ascending order: addresses and offsets. */
#ifndef ABSTAT_SORTED_NUMBERS_H
#define ABSTAT_SORTED_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void numbers_sort(uint64_t *v, size_t n);

/* Sorts them, and keeps each once. Returns how many that are. */
size_t numbers_sort_unique(uint64_t *v, size_t n);

/* Whether X is one of them. */
bool numbers_have(const uint64_t *v, size_t n, uint64_t x);

#endif
