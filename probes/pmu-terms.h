/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists of terms, as they stand between the slashes of an event and in sysfs:
 * "event=0x3c,umask=1,inv".
 */
#ifndef ABSTAT_PMU_TERMS_H
#define ABSTAT_PMU_TERMS_H

#include <stddef.h>
#include <stdint.h>

struct pmu_term {
	char *name;
	char *value; /* NULL: none given */
};

struct pmu_terms {
	struct pmu_term *terms;
	size_t n;
};

/* Returns 0, -EINVAL (an empty term, name or value) or -ENOMEM. The empty list is good. */
int pmu_terms_parse(struct pmu_terms *terms, const char *text);
void pmu_terms_release(struct pmu_terms *terms);

const struct pmu_term *pmu_terms_find(const struct pmu_terms *terms, const char *name);

/* Decimal, or hexadecimal after 0x. Returns 0 or -EINVAL. */
int pmu_term_number(const char *text, uint64_t *value);

#endif
