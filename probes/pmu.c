/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the list of PMUs from sysfs, and says which of them count what a CPU executes.
 */
#include "pmu.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file-text.h"
#include "machine.h"

static int read_cpus(struct pmu *pmu, const char *sysfs, const char *file)
{
	char *text = file_text(PMU_PATH "/%s", sysfs, pmu->name, file);
	int e = text ? machine_parse_cpu_list(text, &pmu->cpus, &pmu->n_cpus) : -ENOENT;

	free(text);
	/* An empty mask is that of a PMU all of whose CPUs are offline. */
	return e == -EINVAL ? 0 : e;
}

/*
 * A CPU's own PMU is called cpu (cpum_cf on s390), or has a file `cpus` if there are several kinds
 * of CPUs and on arm64. One that counts for more than a CPU has a file `cpumask`.
 */
static int read_pmu(struct pmu *pmu, const char *sysfs, const char *name)
{
	int64_t type = file_number(-1, PMU_PATH "/type", sysfs, name);
	int e;

	if (type < 0 || type > UINT32_MAX)
		return -ENOENT;
	*pmu = (struct pmu){.name = strdup(name), .type = (uint32_t)type};
	if (!pmu->name)
		return -ENOMEM;
	e = read_cpus(pmu, sysfs, "cpus");
	pmu->core = e == 0 || !strcmp(name, "cpu") || !strcmp(name, "cpum_cf");
	if (e == -ENOENT && !pmu->core) {
		e = read_cpus(pmu, sysfs, "cpumask");
		pmu->uncore = e == 0;
	}
	return e == -ENOMEM ? e : 0;
}

static void release_pmu(struct pmu *pmu)
{
	free(pmu->name);
	free(pmu->cpus);
}

/* By name, but a reader expects Intel's larger cores before the smaller ones. */
static int compare_pmus(const void *a, const void *b)
{
	const char *x = ((const struct pmu *)a)->name, *y = ((const struct pmu *)b)->name;
	int first = (strcmp(y, "cpu_core") == 0) - (strcmp(x, "cpu_core") == 0);

	return first ? first : strcmp(x, y);
}

static int append(struct pmu_list *list, const char *sysfs, const char *name)
{
	struct pmu *more, pmu = {0};
	int e = read_pmu(&pmu, sysfs, name);

	if (e == -ENOENT)
		return 0;
	more = e == 0 ? reallocarray(list->pmus, list->n + 1, sizeof(*more)) : NULL;
	if (!more) {
		release_pmu(&pmu);
		return -ENOMEM;
	}
	list->pmus = more;
	more[list->n++] = pmu;
	list->n_core += pmu.core;
	return 0;
}

int pmu_list_read(struct pmu_list *list, const char *sysfs)
{
	char path[PATH_MAX];
	struct dirent *entry;
	int e = 0;
	DIR *dir;

	*list = (struct pmu_list){0};
	if (snprintf(path, sizeof(path), PMU_PATH, sysfs, "") >= (int)sizeof(path))
		return 0;
	dir = opendir(path);
	if (!dir)
		return 0;
	while (e == 0 && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			e = append(list, sysfs, entry->d_name);
	closedir(dir);
	if (e < 0)
		pmu_list_release(list);
	else if (list->n)
		qsort(list->pmus, list->n, sizeof(*list->pmus), compare_pmus);
	return e;
}

void pmu_list_release(struct pmu_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		release_pmu(&list->pmus[i]);
	free(list->pmus);
	*list = (struct pmu_list){0};
}

const struct pmu *pmu_find(const struct pmu_list *list, const char *name)
{
	for (size_t i = 0; i < list->n; i++)
		if (!strcmp(list->pmus[i].name, name))
			return &list->pmus[i];
	return NULL;
}

const struct pmu *pmu_find_type(const struct pmu_list *list, uint32_t type)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->pmus[i].type == type)
			return &list->pmus[i];
	return NULL;
}

const struct pmu *pmu_core(const struct pmu_list *list, size_t i)
{
	for (size_t k = 0; k < list->n; k++)
		if (list->pmus[k].core && i-- == 0)
			return &list->pmus[k];
	return NULL;
}
