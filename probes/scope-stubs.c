/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Targets that are stubs, and the program that calls those. The stubs themselves are assembly. */
#include "scope-stubs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { IDLE = 64, IDLE_SIZE = 16, MOST_CALLED = 32 };

/* The classes that have stubs; the kernel's functions are called by system calls. */
enum { CLASSES = SCOPE_CLASS_KERNEL };

#if defined(__x86_64__) || defined(__aarch64__)
#define HAVE_STUBS true
#else
#define HAVE_STUBS false
#endif

/* The bytes of a nop, which is what an idle stub begins with. */
#if defined(__aarch64__)
enum { NOP_SIZE = 4 };
#else
enum { NOP_SIZE = 1 };
#endif

/* The first byte of a stub, and that of its return instruction. */
struct stub {
	const char *begin, *end;
};

/* Of each class, the stubs that end at their return, and those that end at another place. */
extern const struct stub scope_stub_table[CLASSES][2][SCOPE_STUBS]
    __attribute__((visibility("hidden")));
extern const char scope_stub_idle_0[] __attribute__((visibility("hidden")));

unsigned scope_stub_length(enum scope_class first)
{
	return first == SCOPE_CLASS_PUSH || first == SCOPE_CLASS_STACK ? 3 : 2;
}

/* Where in this process's executable what is at ADDRESS comes from. */
static int locate(const void *address, uint64_t *offset)
{
	uintptr_t at = (uintptr_t)address;
	FILE *maps = fopen("/proc/self/maps", "re");
	char *line = NULL;
	size_t room = 0;
	bool found = false;

	while (maps && !found && getline(&line, &room, maps) > 0) {
		uint64_t start, end, from;

		found = sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64, &start, &end, &from) ==
			    3 &&
			at >= start && at < end;
		if (found)
			*offset = at - start + from;
	}
	free(line);
	if (maps)
		fclose(maps);
	return found ? 0 : -ENOENT;
}

static const struct stub *stub_of(enum scope_class first, enum scope_stub stub,
				  enum scope_ending ending)
{
	return &scope_stub_table[first][ending == SCOPE_ENDING_PLACE][stub];
}

static int take_place(struct scope_target *target, const char *begin, const char *end)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	int r = n < 0 ? -errno : locate(begin, &target->begin.offset);

	if (r)
		return r;
	path[n] = '\0';
	/* An executable that was replaced is "... (deleted)". */
	if (access(path, R_OK))
		return -errno;
	target->name = strdup("stub");
	target->symbol = strdup("stub");
	target->file = strdup(path);
	target->ends = calloc(1, sizeof(*target->ends));
	if (!target->name || !target->symbol || !target->file || !target->ends)
		return -ENOMEM;
	target->ends[0].offset = target->begin.offset + (uint64_t)(end - begin);
	target->ends[0].first = SCOPE_CLASS_EMULATED;
	target->n_ends = 1;
	return 0;
}

int scope_stub_target(struct scope_target *target, enum scope_class first, enum scope_stub stub,
		      enum scope_ending ending)
{
	int r = HAVE_STUBS && (int)first < CLASSES ? 0 : -ENOTSUP;
	const struct stub *place = r ? NULL : stub_of(first, stub, ending);

	*target = (struct scope_target){.kind = SCOPE_FUNCTION,
					.at_return = ending != SCOPE_ENDING_PLACE};
	if (place)
		r = take_place(target, place->begin, place->end);
	target->begin.first = first;
	/* As where the return instructions are not known. */
	if (ending == SCOPE_ENDING_RETURN)
		target->n_ends = 0;
	if (r)
		scope_target_release(target);
	return r;
}

int scope_stub_idle(struct scope_target *target, unsigned i)
{
	const char *begin = scope_stub_idle_0 + (size_t)i * IDLE_SIZE;
	int r = HAVE_STUBS && i < IDLE ? 0 : -ENOENT;

	*target = (struct scope_target){.kind = SCOPE_FUNCTION, .at_return = true};
	if (!r)
		r = take_place(target, begin, begin + NOP_SIZE);
	target->begin.first = SCOPE_CLASS_NOP;
	if (r)
		scope_target_release(target);
	return r;
}

typedef void stub_fn(void);

/* "CLASS:STUB:ENDING" */
static stub_fn *find(const char *text)
{
	unsigned first, stub, ending;

	if (!HAVE_STUBS || sscanf(text, "%u:%u:%u", &first, &stub, &ending) != 3 ||
	    first >= CLASSES || stub >= SCOPE_STUBS || ending >= SCOPE_ENDINGS)
		return NULL;
	return (stub_fn *)(uintptr_t)stub_of(first, stub, (enum scope_ending)ending)->begin;
}

int scope_stubs_main(int argc, char **argv)
{
	stub_fn *called[MOST_CALLED];
	unsigned long rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
	int n = 0;

	for (; n < argc - 3 && n < MOST_CALLED; n++) {
		called[n] = find(argv[3 + n]);
		if (!called[n])
			return 1;
	}
	for (unsigned long i = 0; i < rounds; i++)
		for (int k = 0; k < n; k++)
			called[k]();
	return 0;
}
