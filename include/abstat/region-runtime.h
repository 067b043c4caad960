/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a program comes to measure regions: before main it sees whether it runs under abstat, whether
 * that has asked for any of its regions, and what markers cost by themselves. Part of
 * abstat/region.h.
 *
 * Whatever fails leaves the program as it is. Everything here is weak or static, so that a program,
 * and each of its libraries, has one of it.
 */
#ifndef ABSTAT_REGION_RUNTIME_H
#define ABSTAT_REGION_RUNTIME_H

#include "region-marker.h"

#include "region-enter.h"

#ifdef __cplusplus
extern "C" {
#endif

ABSTAT_REGION_SHARED_ int abstat_region_on;
ABSTAT_REGION_SHARED_ int abstat_region_loaded;
ABSTAT_REGION_SHARED_ int abstat_region_has_key; /* whose end is in this library */
ABSTAT_REGION_SHARED_ struct abstat_region_process *abstat_region_own;
ABSTAT_REGION_SHARED_ struct abstat_region_constants *abstat_region_constants;
#ifdef ABSTAT_REGION_CACHES_
ABSTAT_REGION_SHARED_ uint64_t abstat_region_nobody[2] = {0, 0};
ABSTAT_REGION_SHARED_
    __attribute__((used)) __thread struct abstat_region_thread *abstat_region_cached =
	ABSTAT_REGION_NOBODY_;
#endif

/* The dynamic linker makes this one in the whole program, where it can. */
extern __attribute__((weak,
		      visibility("default"))) struct abstat_region_process *abstat_region_process;
__attribute__((weak, visibility("default"))) struct abstat_region_process *abstat_region_process;

extern char **abstat_region_environment __asm__("environ");
extern unsigned long abstat_region_auxiliary(unsigned long) __asm__("getauxval");

/* The linker's names for the begin and the end of the sites' records. */
extern ABSTAT_REGION_SHARED_ struct abstat_region_place
    abstat_region_first[] __asm__("__start_abstat_region_places");
extern ABSTAT_REGION_SHARED_ struct abstat_region_place
    abstat_region_last[] __asm__("__stop_abstat_region_places");

#if defined(ABSTAT_REGION_CACHES_)
#include "region-fast.h"
#else
__asm__(ABSTAT_REGION_SAVED_("abstat_region_begin_marker", "abstat_region_begin", "")
	    ABSTAT_REGION_SAVED_("abstat_region_end_marker", "abstat_region_end", ""));
#endif

ABSTAT_REGION_INLINE_ int abstat_region_same(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

/* The file's path as abstat gave it to this program; not to one with another user's rights. */
ABSTAT_REGION_INLINE_ const char *abstat_region_path(void)
{
	static const char name[] = "ABSTAT_REGIONS=";
	char **variable = abstat_region_environment;

	if (!variable || abstat_region_auxiliary(23))
		return (const char *)0;
	for (; *variable; variable++) {
		const char *text = *variable;
		uint32_t i = 0;

		while (name[i] && text[i] == name[i])
			i++;
		if (!name[i])
			return text + i;
	}
	return (const char *)0;
}

/* Whether what the file says of itself holds together, so that all that is reached is in it. */
ABSTAT_REGION_INLINE_ int abstat_region_sound(const struct abstat_region_file *file, uint64_t size)
{
	uint64_t tally = sizeof(struct abstat_region_tally) +
			 ((uint64_t)file->n_events + 1) * ABSTAT_REGION_BUCKETS * sizeof(uint32_t);

	if (file->magic != ABSTAT_REGION_MAGIC || file->version != ABSTAT_REGION_VERSION ||
	    file->size != size || file->n_events > ABSTAT_REGION_EVENTS || !file->n_regions ||
	    file->n_regions > ABSTAT_REGION_NAMES || !file->n_slots || file->n_slots > 65536)
		return 0;
	if (file->owners_at < sizeof(*file) || file->owners_at % sizeof(uint32_t) ||
	    file->slots_at % ABSTAT_REGION_ALIGN || file->slot_size % ABSTAT_REGION_ALIGN ||
	    file->slots_at > size || file->owners_at > file->slots_at ||
	    file->slots_at - file->owners_at < file->n_slots * sizeof(uint32_t))
		return 0;
	for (uint32_t i = 0; i < file->n_regions; i++)
		if (file->names[i][ABSTAT_REGION_NAME_SIZE - 1])
			return 0;
	return file->tally_size == tally &&
	       file->slot_size >= sizeof(struct abstat_region_slot) + file->n_regions * tally &&
	       (size - file->slots_at) / file->n_slots >= file->slot_size;
}

/*
 * Opens the file and maps its head. It is only looked at before it is known to be a plain file of
 * this user's, which nobody can make shorter: opening a device may do something, and a page that is
 * gone kills who reads it.
 */
ABSTAT_REGION_INLINE_ int abstat_region_open(struct abstat_region_process *process)
{
	struct abstat_region_stat found;
	long user = abstat_region_call(ABSTAT_REGION_GETEUID_, 0, 0, 0);
	long fd = abstat_region_call6(ABSTAT_REGION_OPENAT_, -100, (long)process->path,
				      ABSTAT_REGION_LOOK_, 0, 0, 0);
	long seals;

	if (fd < 0)
		return 0;
	seals = abstat_region_look((int)fd, &found);
	abstat_region_call(ABSTAT_REGION_CLOSE_, fd, 0, 0);
	if (seals || (found.mode & 0170000) != 0100000 || found.user != (uint32_t)user ||
	    found.size < ABSTAT_REGION_ALIGN)
		return 0;
	process->inode = found.inode;
	process->device[0] = found.device[0];
	process->device[1] = found.device[1];
	fd = abstat_region_call6(ABSTAT_REGION_OPENAT_, -100, (long)process->path,
				 ABSTAT_REGION_OPEN_, 0, 0, 0);
	if (fd < 0)
		return 0;
	fd = abstat_region_move_up((int)fd);
	seals = abstat_region_call(ABSTAT_REGION_FCNTL_, fd, ABSTAT_REGION_GET_SEALS_, 0);
	if (fd >= 0 && seals > 0 && (seals & ABSTAT_REGION_SEAL_SHRINK_) &&
	    abstat_region_is_file(process, fd)) {
		process->fd = (int32_t)fd;
		process->file = (struct abstat_region_file *)abstat_region_map(
		    ABSTAT_REGION_ALIGN, ABSTAT_REGION_MAP_SHARED_, (int)fd, 0, 1);
		if (process->file && abstat_region_sound(process->file, found.size))
			return 1;
		if (process->file)
			abstat_region_call(ABSTAT_REGION_MUNMAP_, (long)process->file,
					   ABSTAT_REGION_ALIGN, 0);
	}
	abstat_region_call(ABSTAT_REGION_CLOSE_, fd, 0, 0);
	return 0;
}

/* The program's part in a measurement: by a library of it before this one, or made here. */
ABSTAT_REGION_FUNCTION_ struct abstat_region_process *abstat_region_join(const char *path);
ABSTAT_REGION_FUNCTION_ struct abstat_region_process *abstat_region_join(const char *path)
{
	uint64_t size = sizeof(struct abstat_region_process) + sizeof(struct abstat_region_thread);
	struct abstat_region_process *process = abstat_region_process;
	uint32_t i = 0;

	if (process)
		return process->file ? process : (struct abstat_region_process *)0;
	process = (struct abstat_region_process *)abstat_region_map(
	    size, ABSTAT_REGION_MAP_ANONYMOUS_, -1, 0, 1);
	if (!process)
		return process;
	while (path[i] && i < sizeof(process->path) - 1) {
		process->path[i] = path[i];
		i++;
	}
	process->page_size = (uint32_t)abstat_region_auxiliary(6);
	if (path[i] || process->path[0] != '/' || !abstat_region_open(process)) {
		abstat_region_call(ABSTAT_REGION_MUNMAP_, (long)process, (long)size, 0);
		return (struct abstat_region_process *)0;
	}
	process->dead = (struct abstat_region_thread *)(void *)(process + 1);
	process->dead->state = ABSTAT_REGION_DEAD_;
	if (ABSTAT_REGION_HAVE_KEYS_ &&
	    !abstat_region_key_create(&process->key, abstat_region_leave)) {
		process->has_key = 1;
		abstat_region_has_key = 1;
	}
	abstat_region_process = process;
	return process;
}

/*
 * Gives every site of this program or library the region that it is of. Those of the calibration,
 * whose names are no identifiers, have tallies of their own. Returns a bit for each other region
 * that was asked for and is here.
 */
ABSTAT_REGION_FUNCTION_ uint64_t abstat_region_resolve(const struct abstat_region_file *file);
ABSTAT_REGION_FUNCTION_ uint64_t abstat_region_resolve(const struct abstat_region_file *file)
{
	uint64_t present = 0;

	for (struct abstat_region_place *p = abstat_region_first; p < abstat_region_last; p++) {
		const char *name = (const char *)&p->name + p->name;
		uint32_t found = 0;

		if (*name == '.')
			found = (uint32_t)(name[1] - '0');
		else
			while (found < file->n_regions &&
			       !abstat_region_same(file->names[found], name))
				found++;
		if (*name != '.' && found == file->n_regions)
			continue;
		p->index = found;
		p->bit = UINT64_C(1) << found;
		p->tally = sizeof(struct abstat_region_slot) + found * file->tally_size;
		if (*name != '.')
			present |= p->bit;
	}
	return present;
}

#define ABSTAT_REGION_BARE_(text, edge) ABSTAT_REGION_SITE_("", ABSTAT_REGION_RECORD_(text), edge)

enum { ABSTAT_REGION_SAMPLES_ = 15 };

/* The middle of SAMPLES, which are sorted. */
ABSTAT_REGION_INLINE_ uint64_t abstat_region_median(uint64_t *samples, uint64_t *spread)
{
	for (uint32_t i = 1; i < ABSTAT_REGION_SAMPLES_; i++)
		for (uint32_t j = i; j && (int64_t)(samples[j] - samples[j - 1]) < 0; j--) {
			uint64_t swapped = samples[j];

			samples[j] = samples[j - 1];
			samples[j - 1] = swapped;
		}
	*spread = samples[ABSTAT_REGION_SAMPLES_ * 3 / 4] - samples[ABSTAT_REGION_SAMPLES_ / 4];
	return samples[ABSTAT_REGION_SAMPLES_ / 2];
}

/* One call of a region that has DEPTH others in it, each in the one before. */
ABSTAT_REGION_FUNCTION_ void abstat_region_rehearse(uint32_t depth);
ABSTAT_REGION_FUNCTION_ void abstat_region_rehearse(uint32_t depth)
{
	if (depth == 0) {
		ABSTAT_REGION_BARE_(".0", "begin");
		ABSTAT_REGION_BARE_(".0", "end");
	} else if (depth == 1) {
		ABSTAT_REGION_BARE_(".0", "begin");
		ABSTAT_REGION_BARE_(".1", "begin");
		ABSTAT_REGION_BARE_(".1", "end");
		ABSTAT_REGION_BARE_(".0", "end");
	} else {
		ABSTAT_REGION_BARE_(".0", "begin");
		ABSTAT_REGION_BARE_(".1", "begin");
		ABSTAT_REGION_BARE_(".2", "begin");
		ABSTAT_REGION_BARE_(".2", "end");
		ABSTAT_REGION_BARE_(".1", "end");
		ABSTAT_REGION_BARE_(".0", "end");
	}
}

/*
 * Rehearses in a slot of its own, with the constants that are known so far, and adds to each of
 * CONSTANTS what the region still reads.
 */
ABSTAT_REGION_FUNCTION_ void abstat_region_learn(struct abstat_region_thread *t, uint32_t depth,
						 uint64_t *constants, uint64_t *spread);
ABSTAT_REGION_FUNCTION_ void abstat_region_learn(struct abstat_region_thread *t, uint32_t depth,
						 uint64_t *constants, uint64_t *spread)
{
	uint64_t samples[ABSTAT_REGION_COSTS][ABSTAT_REGION_SAMPLES_];
	volatile struct abstat_region_tally *tally =
	    (struct abstat_region_tally *)(void *)(t->slot + sizeof(struct abstat_region_slot));

	for (int32_t round = -2; round < ABSTAT_REGION_SAMPLES_; round++) {
		uint64_t before[ABSTAT_REGION_COSTS];

		for (uint32_t i = 0; i <= t->n; i++)
			before[i] = tally->sum[i];
		abstat_region_rehearse(depth);
		for (uint32_t i = 0; i <= t->n && round >= 0; i++)
			samples[i][round] = tally->sum[i] - before[i];
	}
	for (uint32_t i = 0; i <= t->n; i++)
		constants[i] = abstat_region_median(samples[i], &spread[i]);
}

/* Both for counters that are read in user space, if T can, and for read(2). False: not to be had.
 */
ABSTAT_REGION_FUNCTION_ int abstat_region_calibrate(struct abstat_region_process *process,
						    struct abstat_region_thread *t);
ABSTAT_REGION_FUNCTION_ int abstat_region_calibrate(struct abstat_region_process *process,
						    struct abstat_region_thread *t)
{
	uint64_t size = sizeof(struct abstat_region_slot) + 3 * process->file->tally_size;
	uint64_t ignored[ABSTAT_REGION_COSTS];
	struct abstat_region_frame *end = t->end;
	uint32_t user = t->user;
	char *slot = t->slot;

	abstat_region_constants = (struct abstat_region_constants *)abstat_region_map(
	    2 * sizeof(*abstat_region_constants), ABSTAT_REGION_MAP_ANONYMOUS_, -1, 0, 1);
	if (!abstat_region_constants)
		return 0;
	if (t->state != ABSTAT_REGION_READY_)
		return 1;
	abstat_region_on = 1;
	t->slot = (char *)abstat_region_map(size, ABSTAT_REGION_MAP_ANONYMOUS_, -1, 0, 1);
	if (t->slot) {
		for (uint32_t mode = 0; mode <= user; mode++) {
			struct abstat_region_constants *c = &abstat_region_constants[mode];

			t->user = mode;
			t->end = mode ? end : (struct abstat_region_frame *)0;
			abstat_region_learn(t, 0, c->inside, c->spread);
#ifdef ABSTAT_REGION_CACHES_
			abstat_region_adopt(t);
#endif
			abstat_region_learn(t, 1, c->around, ignored);
			abstat_region_learn(t, 2, c->nests, ignored);
		}
		abstat_region_call(ABSTAT_REGION_MUNMAP_, (long)t->slot, (long)size, 0);
	}
	t->slot = slot;
	t->user = user;
	t->end = end;
	abstat_region_tell_constants(t);
	return 1;
}

/*
 * Before main, or when a library is loaded. A library that is loaded within a region of the thread
 * is calibrated there.
 */
ABSTAT_REGION_FUNCTION_ __attribute__((constructor(101))) void abstat_region_load(void);
ABSTAT_REGION_FUNCTION_ __attribute__((constructor(101))) void abstat_region_load(void)
{
	struct abstat_region_process *process;
	uint64_t present;
	const char *path;

	if (abstat_region_loaded)
		return;
	abstat_region_loaded = 1;
	path = abstat_region_path();
	process = path ? abstat_region_join(path) : (struct abstat_region_process *)0;
	present = process ? abstat_region_resolve(process->file) : 0;
	if (!present)
		return;
	abstat_region_own = process;
	__atomic_fetch_or(&process->file->present, present, __ATOMIC_RELAXED);
	__atomic_fetch_add(&process->file->programs, 1, __ATOMIC_RELAXED);
	abstat_region_on = abstat_region_calibrate(process, abstat_region_present(process));
}

/* At the end, or when a library is unloaded: threads that end later cannot call it. */
ABSTAT_REGION_FUNCTION_ __attribute__((destructor(101))) void abstat_region_unload(void);
ABSTAT_REGION_FUNCTION_ __attribute__((destructor(101))) void abstat_region_unload(void)
{
	if (!abstat_region_has_key)
		return;
	abstat_region_has_key = 0;
	/* The key may become another's. */
	abstat_region_process->single = abstat_region_process->dead;
	abstat_region_process->has_key = 0;
	abstat_region_key_delete(abstat_region_process->key);
}

#ifdef __cplusplus
}
#endif

#endif
