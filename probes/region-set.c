/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file that a run's programs find: what is in it before the run, and behind which path.
 */
#include "region-set.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "error-text.h"
#include "event.h"
#include "region-merge.h"

/* Threads at once. More than these are counted as not followed. */
#define MAX_SLOTS 1024
#define MIN_SLOTS 16
/* Of addresses, not of memory: what nobody writes takes none. */
#define MAX_FILE_SIZE (UINT64_C(4) << 30)
/* The program's own low descriptors are not in the way of tests that look at them. */
#define FIRST_FD 100

struct region_set {
	const struct region_config *config;
	struct abstat_region_file head; /* as each run finds it */
	size_t *event_of;               /* [head.n_events]: which of the config's */
	int fd;                         /* the same number for each run; -1: none yet */
	char variable[64];
};

static uint64_t round_up(uint64_t n)
{
	return (n + ABSTAT_REGION_ALIGN - 1) / ABSTAT_REGION_ALIGN * ABSTAT_REGION_ALIGN;
}

/*
 * The attribute of an event as programs open it. USER: to be read in user space, which arm64 wants
 * to be asked for; x86 lets every counter be read.
 */
static struct perf_event_attr attr_of(const struct event *event, bool leader, bool user)
{
	struct perf_event_attr attr = event->attr;

	attr.size = sizeof(attr);
	attr.read_format = PERF_FORMAT_GROUP;
	attr.disabled = 0;
	attr.inherit = 0;
	attr.enable_on_exec = 0;
	attr.pinned = leader && !event->software;
#if defined(__aarch64__)
	if (user && !event->software)
		attr.config1 |= 2;
#else
	(void)user;
#endif
	return attr;
}

static int open_event(const struct event *event, int group)
{
	for (int plain = 0; plain < 2; plain++) {
		struct perf_event_attr attr = attr_of(event, group < 0, !plain);
		long fd = syscall(SYS_perf_event_open, &attr, 0, -1, group, PERF_FLAG_FD_CLOEXEC);

		if (fd >= 0 || plain)
			return fd < 0 ? -errno : (int)fd;
	}
	return -EINVAL;
}

/*
 * Adds the config's events to the head, hardware first, as their group is pinned. Those that cannot
 * join the group have an error.
 */
static void add_events(struct region_set *set, int *slot_errors)
{
	const struct region_config *c = set->config;
	int fds[ABSTAT_REGION_EVENTS];
	uint32_t n = 0;

	for (int software = 0; software < 2; software++)
		for (size_t i = 0; i < c->n_events; i++) {
			const struct event *event = c->events[i];
			int fd;

			if (event->software != software || (c->scoped && !c->scoped[i]))
				continue;
			fd = open_event(event, n ? fds[0] : -1);
			slot_errors[i] = fd < 0 ? -fd : 0;
			if (fd < 0)
				continue;
			for (int plain = 0; plain < 2; plain++) {
				struct perf_event_attr attr = attr_of(event, n == 0, !plain);

				memcpy(set->head.attrs[n][plain], &attr, sizeof(attr));
			}
			fds[n] = fd;
			set->event_of[n++] = i;
		}
	for (uint32_t i = n; i-- > 0;)
		close(fds[i]);
	set->head.n_events = n;
}

/* Where the slots are, and how many there are. */
static int lay_out(struct region_set *set, char *err, size_t err_size)
{
	struct abstat_region_file *head = &set->head;
	struct rlimit limit = {.rlim_cur = RLIM_INFINITY};
	uint64_t room = MAX_FILE_SIZE;
	uint64_t n;

	head->owners_at = (sizeof(*head) + 63) / 64 * 64;
	head->tally_size =
	    sizeof(struct abstat_region_tally) +
	    (head->n_events + 1) * (uint64_t)ABSTAT_REGION_BUCKETS * sizeof(uint32_t);
	head->slot_size =
	    round_up(sizeof(struct abstat_region_slot) + head->n_regions * head->tally_size);
	head->slots_at = round_up(head->owners_at + MAX_SLOTS * sizeof(uint32_t));
	getrlimit(RLIMIT_FSIZE, &limit);
	if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < room)
		room = limit.rlim_cur;
	n = room < head->slots_at ? 0 : (room - head->slots_at) / head->slot_size;
	if (n < MIN_SLOTS && room < MAX_FILE_SIZE) {
		snprintf(
		    err, err_size,
		    "the limit of a file's size (ulimit -f) leaves no room for the regions' "
		    "counts: it takes %llu MiB, of which little is used",
		    (unsigned long long)((head->slots_at + MIN_SLOTS * head->slot_size) >> 20) + 1);
		return -EFBIG;
	}
	n = n < MIN_SLOTS ? MIN_SLOTS : n;
	head->n_slots = (uint32_t)(n < MAX_SLOTS ? n : MAX_SLOTS);
	head->size = head->slots_at + head->n_slots * head->slot_size;
	return 0;
}

static int check_config(const struct region_config *c, char *err, size_t err_size)
{
	if (c->n_names == 0 || c->n_names > ABSTAT_REGION_NAMES) {
		snprintf(err, err_size, "there can be %d regions at most", ABSTAT_REGION_NAMES);
		return -EINVAL;
	}
	if (c->n_events > ABSTAT_REGION_EVENTS) {
		snprintf(err, err_size, "there can be %d events with regions at most",
			 ABSTAT_REGION_EVENTS);
		return -EINVAL;
	}
	for (size_t i = 0; i < c->n_names; i++)
		if (!c->names[i][0] || strlen(c->names[i]) >= ABSTAT_REGION_NAME_SIZE) {
			snprintf(err, err_size,
				 "the region's name '%.80s' has not 1 to %d characters",
				 c->names[i], ABSTAT_REGION_NAME_SIZE - 1);
			return -EINVAL;
		}
	return 0;
}

static int prepare(struct region_set *set, int *slot_errors, char *err, size_t err_size)
{
	const struct region_config *c = set->config;
	int rc;

	set->event_of = calloc(c->n_events + 1, sizeof(*set->event_of));
	if (!set->event_of)
		return error_text(-ENOMEM, "regions", err, err_size);
	set->head.magic = ABSTAT_REGION_MAGIC;
	set->head.version = ABSTAT_REGION_VERSION;
	set->head.n_regions = (uint32_t)c->n_names;
	for (size_t i = 0; i < c->n_names; i++)
		snprintf(set->head.names[i], sizeof(set->head.names[i]), "%s", c->names[i]);
	add_events(set, slot_errors);
	rc = lay_out(set, err, err_size);
	/* The first file fixes the path. */
	rc = rc ? rc : region_set_begin(set, err, err_size);
	if (rc)
		return rc;
	snprintf(set->variable, sizeof(set->variable), "ABSTAT_REGIONS=/proc/%d/fd/%d",
		 (int)getpid(), set->fd);
	if (access(strchr(set->variable, '/'), R_OK | W_OK)) {
		snprintf(
		    err, err_size,
		    "programs cannot open %s, through which regions are counted (%s): /proc must "
		    "be mounted, and abstat must not run with file capabilities",
		    strchr(set->variable, '/'), strerror(errno));
		return -EACCES;
	}
	return 0;
}

int region_set_open(struct region_set **set, const struct region_config *config, int *slot_errors,
		    char *err, size_t err_size)
{
	struct region_set *s;
	int rc = check_config(config, err, err_size);

	*set = NULL;
	if (rc)
		return rc;
	s = calloc(1, sizeof(*s));
	if (!s)
		return error_text(-ENOMEM, "regions", err, err_size);
	s->config = config;
	s->fd = -1;
	rc = prepare(s, slot_errors, err, err_size);
	if (rc) {
		region_set_free(s);
		return rc;
	}
	*set = s;
	return 0;
}

const char *region_set_variable(const struct region_set *set)
{
	return set->variable;
}

/* A file that cannot become shorter, so that no program can be killed by a page that is gone. */
static int new_file(const struct region_set *set)
{
	int fd = memfd_create("abstat-regions", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	int rc = 0;

	if (fd < 0)
		return -errno;
	if (ftruncate(fd, (off_t)set->head.size) || fchmod(fd, 0600) ||
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
		rc = -errno;
	else if (pwrite(fd, &set->head, sizeof(set->head), 0) != (ssize_t)sizeof(set->head))
		rc = -EIO;
	if (!rc)
		return fd;
	close(fd);
	return rc;
}

int region_set_begin(struct region_set *set, char *err, size_t err_size)
{
	int fd = new_file(set);
	int moved;

	if (fd < 0)
		return error_text(fd, "cannot make the memory that regions are counted in", err,
			    err_size);
	if (set->fd < 0)
		moved = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_FD);
	else
		moved = dup3(fd, set->fd, O_CLOEXEC);
	if (moved < 0)
		moved = -errno;
	close(fd);
	if (moved == -EINVAL || moved == -EMFILE) {
		snprintf(err, err_size,
			 "the limit of open descriptors (ulimit -n) leaves none for the memory that "
			 "regions are counted in: it takes number %d or a higher one",
			 FIRST_FD);
		return moved;
	}
	if (moved < 0)
		return error_text(moved, "cannot make the memory that regions are counted in", err,
			    err_size);
	set->fd = moved;
	return 0;
}

int region_set_end(struct region_set *set, struct scope_result *result,
		   struct region_programs *programs, char *err, size_t err_size)
{
	const struct region_merge merge = {
	    .fd = set->fd,
	    .head = &set->head,
	    .event_of = set->event_of,
	    .n_events = set->config->n_events,
	    .result = result,
	    .rows = set->config->rows,
	    .programs = programs,
	};
	int rc = region_merge(&merge);

	return rc ? error_text(rc, "cannot read what the regions counted", err, err_size) : 0;
}

void region_set_free(struct region_set *set)
{
	if (!set)
		return;
	if (set->fd >= 0)
		close(set->fd);
	free(set->event_of);
	free(set);
}
