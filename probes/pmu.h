/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The PMUs of a machine, as sysfs lists them under bus/event_source/devices.
 */
#ifndef ABSTAT_PMU_H
#define ABSTAT_PMU_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* With the sysfs root and a PMU's name, the directory of that PMU. */
#define PMU_PATH "%s/bus/event_source/devices/%s"

struct pmu {
	char *name;
	uint32_t type;
	bool core;   /* counts what a CPU executes */
	bool uncore; /* counts for a whole package or device: system-wide only */
	int *cpus;   /* core: the CPUs that have it; uncore: one CPU for each instance; NULL: any */
	size_t n_cpus;
};

struct pmu_list {
	struct pmu *pmus; /* sorted by name, cpu_core first */
	size_t n;
	size_t n_core;
};

/* Reads the PMUs under SYSFS; none is not an error. Returns 0 or -ENOMEM. */
int pmu_list_read(struct pmu_list *list, const char *sysfs);
void pmu_list_release(struct pmu_list *list);

const struct pmu *pmu_find(const struct pmu_list *list, const char *name);
const struct pmu *pmu_find_type(const struct pmu_list *list, uint32_t type);
/* The I-th core PMU, or NULL. */
const struct pmu *pmu_core(const struct pmu_list *list, size_t i);

/* One of the bit fields that the PMU's format directory names. */
struct pmu_format {
	enum { PMU_CONFIG, PMU_CONFIG1, PMU_CONFIG2, PMU_CONFIG3 } word;
	uint64_t mask;
};

/* Parses "config1:0-7,32-35". Returns 0 or -EINVAL. */
int pmu_format_parse(const char *text, struct pmu_format *format);

/* The largest value that the field holds. */
uint64_t pmu_format_max(const struct pmu_format *format);

/*
 * Puts VALUE into the field's bits of ATTR, lowest first. Returns 0, -ERANGE if it is too big, or
 * -ENOTSUP if struct perf_event_attr had no such word when abstat was built.
 */
int pmu_format_set(const struct pmu_format *format, struct perf_event_attr *attr, uint64_t value);

#endif
