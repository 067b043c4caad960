/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events by the names of libpfm4: [PMU::]EVENT[:UNIT_MASK...][:MODIFIER[=VALUE]...].
 */
#include "event-source.h"

#include <errno.h>
#include <perfmon/pfmlib_perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "nearest-name.h"

static bool pmu_info(pfm_pmu_t id, pfm_pmu_info_t *info)
{
	*info = (pfm_pmu_info_t){.size = sizeof(*info)};
	return pfm_get_pmu_info(id, info) == PFM_SUCCESS;
}

static bool event_info(int index, pfm_event_info_t *info)
{
	*info = (pfm_event_info_t){.size = sizeof(*info)};
	return pfm_get_event_info(index, PFM_OS_PERF_EVENT_EXT, info) == PFM_SUCCESS;
}

/* True if attribute I of the event is a unit mask; then INFO describes it. */
static bool mask_info(const pfm_event_info_t *event, int i, pfm_event_attr_info_t *info)
{
	*info = (pfm_event_attr_info_t){.size = sizeof(*info)};
	return pfm_get_event_attr_info(event->idx, i, PFM_OS_PERF_EVENT_EXT, info) == PFM_SUCCESS &&
	       info->type == PFM_ATTR_UMASK;
}

static int encode(const char *name, struct perf_event_attr *attr)
{
	pfm_perf_encode_arg_t arg = {.attr = attr, .size = sizeof(arg)};

	*attr = (struct perf_event_attr){0};
	return pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &arg);
}

static const struct pmu *pmu_of(const struct event_scan *scan, const struct perf_event_attr *attr)
{
	bool generic = attr->type == PERF_TYPE_HARDWARE || attr->type == PERF_TYPE_HW_CACHE ||
		       attr->type == PERF_TYPE_RAW;

	return generic ? pmu_core(&scan->pmus, 0) : pmu_find_type(&scan->pmus, attr->type);
}

static int add_encoded(struct event_scan *scan, const char *name,
		       const struct perf_event_attr *encoded)
{
	const struct pmu *pmu = pmu_of(scan, encoded);
	struct event *event = event_scan_add(scan, name, pmu);

	if (!event)
		return -ENOMEM;
	event->attr = (struct perf_event_attr){
	    .type = encoded->type,
	    .config = encoded->config,
	    .config1 = encoded->config1,
	    .config2 = encoded->config2,
	    .bp_type = encoded->bp_type,
	    .exclude_user = encoded->exclude_user,
	    .exclude_kernel = encoded->exclude_kernel,
	    /* libpfm4 leaves guests out unless told; perf's own names here do not. */
	    .exclude_host = strcasestr(name, ":mg") ? encoded->exclude_host : 0,
	    .exclude_guest = strcasestr(name, ":mh") ? encoded->exclude_guest : 0,
	    .precise_ip = encoded->precise_ip,
	};
	event->attr.exclude_hv = encoded->exclude_kernel;
	event->pinned = encoded->pinned;
	event->software = encoded->type == PERF_TYPE_SOFTWARE ||
			  encoded->type == PERF_TYPE_TRACEPOINT ||
			  encoded->type == PERF_TYPE_BREAKPOINT;
	return 1;
}

static bool pmu_has(const pfm_pmu_info_t *pmu, const char *name, struct nearest_names *nearest)
{
	for (int i = pmu->first_event; i != -1; i = pfm_get_event_next(i)) {
		pfm_event_info_t info;

		if (!event_info(i, &info))
			continue;
		if (strlen(info.name) == nearest->len &&
		    !strncasecmp(info.name, name, nearest->len))
			return true;
		nearest_names_consider(nearest, info.name, info.name);
	}
	return false;
}

static int no_such_event(struct event_scan *scan, const char *name, const pfm_pmu_info_t *pmu,
			 const struct nearest_names *nearest)
{
	char names[256];

	nearest_names_text(nearest, names, sizeof(names));
	return event_scan_fail(scan, ENOENT,
			       "'%s': libpfm4 knows no such event of the PMU %s (%s)%s%s", name,
			       pmu->name, pmu->desc, *names ? "; did you mean: " : "", names);
}

/*
 * A full name of an event that libpfm4 knows for another machine than this: a good name, which
 * cannot be counted here. Returns 1, 0 or -errno.
 */
static int resolve_foreign(struct event_scan *scan, const char *name)
{
	const char *colons = strstr(name, "::");
	struct nearest_names nearest = {0};
	struct event *event;
	pfm_pmu_info_t pmu;
	pfm_pmu_t id;

	if (!colons)
		return 0;
	pfm_for_all_pmus(id)
	{
		if (!pmu_info(id, &pmu) || strlen(pmu.name) != (size_t)(colons - name) ||
		    strncasecmp(pmu.name, name, (size_t)(colons - name)))
			continue;
		nearest.name = colons + 2;
		nearest.len = strcspn(colons + 2, ":");
		if (nearest.len >= NEAREST_LONGEST || !pmu_has(&pmu, colons + 2, &nearest))
			return no_such_event(scan, name, &pmu, &nearest);
		if (pmu.is_present)
			return 0;
		event = event_scan_add(scan, name, NULL);
		if (!event)
			return -ENOMEM;
		event->attr.type = PERF_TYPE_RAW;
		event->reason = scan->pmus.n_core ? EVENT_NOT_SUPPORTED : EVENT_NO_PMU;
		event->error = ENOENT;
		return 1;
	}
	return 0;
}

/* Some events count nothing without a unit mask: name those that there are. */
static int needs_mask(struct event_scan *scan, const char *name)
{
	char masks[256] = "";
	pfm_event_info_t info;

	if (event_info(pfm_find_event(name), &info)) {
		size_t used = 0;
		int i;

		pfm_for_each_event_attr(i, &info)
		{
			pfm_event_attr_info_t attr = {.size = sizeof(attr)};

			if (used < sizeof(masks) && mask_info(&info, i, &attr))
				used += (size_t)snprintf(masks + used, sizeof(masks) - used, "%s%s",
							 used ? ", " : "", attr.name);
		}
	}
	return event_scan_fail(scan, ENOENT, "'%s': wrong or missing unit mask; libpfm4 knows: %s",
			       name, *masks ? masks : "none");
}

static int resolve(struct event_scan *scan, const char *name)
{
	struct perf_event_attr attr;
	int found, e;

	if (pfm_initialize() != PFM_SUCCESS)
		return 0;
	e = encode(name, &attr);
	if (e == PFM_SUCCESS)
		return add_encoded(scan, name, &attr);
	found = resolve_foreign(scan, name);
	if (found)
		return found;
	switch (e) {
	case PFM_ERR_UMASK:
		return needs_mask(scan, name);
	case PFM_ERR_ATTR:
	case PFM_ERR_ATTR_VAL:
	case PFM_ERR_ATTR_SET:
	case PFM_ERR_FEATCOMB:
		return event_scan_fail(scan, ENOENT, "'%s': %s (libpfm4)", name, pfm_strerror(e));
	default:
		return 0;
	}
}

/* Names that do not encode by themselves (most events with unit masks, some masks) are no use to a
 * reader. */
static int list_name(char *name, const char *help, event_known_fn *fn, void *context)
{
	struct perf_event_attr attr;

	if (encode(name, &attr) != PFM_SUCCESS)
		return 0;
	return fn(context, &(struct event_known){name, NULL, "libpfm4", help ? help : ""});
}

static int list_event(const pfm_pmu_info_t *pmu, const pfm_event_info_t *info, event_known_fn *fn,
		      void *context)
{
	char *name, *masked;
	int e, i;

	if (asprintf(&name, "%s::%s", pmu->name, info->name) < 0)
		return -ENOMEM;
	e = list_name(name, info->desc, fn, context);
	pfm_for_each_event_attr(i, info)
	{
		pfm_event_attr_info_t attr;

		if (e || !mask_info(info, i, &attr))
			continue;
		if (asprintf(&masked, "%s:%s", name, attr.name) < 0) {
			e = -ENOMEM;
			break;
		}
		e = list_name(masked, attr.desc, fn, context);
		free(masked);
	}
	free(name);
	return e;
}

static int enumerate(struct event_scan *scan, event_known_fn *fn, void *context)
{
	pfm_pmu_info_t pmu;
	pfm_pmu_t id;

	(void)scan;
	if (pfm_initialize() != PFM_SUCCESS)
		return 0;
	pfm_for_all_pmus(id)
	{
		/* The PMUs perf and perf_raw give perf's own names again. */
		if (id == PFM_PMU_PERF_EVENT || id == PFM_PMU_PERF_EVENT_RAW ||
		    !pmu_info(id, &pmu) || !pmu.is_present)
			continue;
		for (int i = pmu.first_event; i != -1; i = pfm_get_event_next(i)) {
			pfm_event_info_t info;
			int e = event_info(i, &info) ? list_event(&pmu, &info, fn, context) : 0;

			if (e)
				return e;
		}
	}
	return 0;
}

const struct event_source event_source_pfm = {"libpfm4", resolve, enumerate};
