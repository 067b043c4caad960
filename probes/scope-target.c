/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a specification to its place in a binary: which files are looked into. */
#include "scope-target.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf-needed.h"
#include "scope-code.h"
#include "scope-find.h"

#if defined(__x86_64__)
#define NATIVE ELF_CODE_X86_64
#elif defined(__aarch64__)
#define NATIVE ELF_CODE_ARM64
#else
#define NATIVE ELF_CODE_NONE
#endif

int scope_fail(const struct scope_search *s, int r, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(s->err, s->err_size, format, ap);
	va_end(ap);
	return r;
}

/* Of a script, the program that reads it: the first word after "#!". */
static bool is_script(const char *path, char *reader, size_t size)
{
	char line[128];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	ssize_t n = fd < 0 ? -1 : read(fd, line, sizeof(line) - 1);

	if (fd >= 0)
		close(fd);
	if (n < 2 || line[0] != '#' || line[1] != '!')
		return false;
	line[n] = '\0';
	char *word = line + 2 + strspn(line + 2, " \t");

	word[strcspn(word, " \t\r\n")] = '\0';
	snprintf(reader, size, "%s", *word ? word : "/bin/sh");
	return true;
}

int scope_open_binary(const struct scope_search *s, const char *path, struct elf_file **f)
{
	char why[300], reader[128];
	struct stat st;

	if (stat(path, &st) || access(path, R_OK)) {
		int r = -errno;

		if (r == -EACCES)
			return scope_fail(s, r,
					  "%s may not be read, so that nothing in it can be found: "
					  "give this user the permission, or run abstat as root",
					  path);
		return scope_fail(s, r, "%s: %s", path, strerror(-r));
	}
	if (is_script(path, reader, sizeof(reader)))
		return scope_fail(s, -ENOTSUP,
				  "%s is a script, which %s runs: scopes are in binaries: name "
				  "the one that does the work, as in %s:FUNC",
				  path, reader, reader);
	*f = elf_file_open_plain(path, why, sizeof(why));
	if (!*f)
		return scope_fail(s, -ENOTSUP, "%s", why);
	if ((*f)->type != ET_EXEC && (*f)->type != ET_DYN)
		return scope_fail(s, -ENOTSUP,
				  "%s is an object file, which is not executed: name the program "
				  "or the library that it is linked into",
				  path);
	if ((*f)->code == NATIVE && NATIVE != ELF_CODE_NONE)
		return 0;
	const char *machine = elf_machine_name((*f)->machine);

	return scope_fail(
	    s, -ENOTSUP,
	    "%s is a program for %s (%u bit): scopes are measured in programs of this "
	    "machine's own kind, on x86-64 and arm64",
	    path, machine ? machine : "another machine", (*f)->bits);
}

static int try_path(const struct scope_search *s, const char *path, bool library, scope_try_fn *try,
		    void *context)
{
	struct elf_file *f = NULL;
	int r = scope_open_binary(s, path, &f);

	if (!r)
		r = try(s, f, library, context);
	elf_file_free(f);
	return r;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* A file that is named without a path: the program, one of its libraries, or one that is here. */
static int try_named(const struct scope_search *s, scope_try_fn *try, void *context)
{
	const char *name = s->spec->binary;
	struct elf_needed needed = {0};
	struct elf_file *program = NULL;
	const char *path = NULL;
	int r = 0;

	if (!strcmp(base_name(s->program), name))
		return try_path(s, s->program, false, try, context);
	r = scope_open_binary(s, s->program, &program);
	if (!r)
		r = elf_needed_init(&needed, program, s->err, s->err_size);
	if (!r)
		path = elf_needed_find(&needed, name);
	if (path)
		r = try_path(s, path, false, try, context);
	else if (!access(name, F_OK))
		r = try_path(s, name, false, try, context);
	else if (!r)
		r = scope_fail(s, -ENOENT,
			       "'%s' is neither %s nor a library that it needs: give a path, as in "
			       "/usr/lib/%s:FUNC, if it is loaded later",
			       name, s->program, name);
	elf_needed_release(&needed);
	elf_file_free(program);
	return r;
}

/* The program, then each of its libraries. */
static int try_all(const struct scope_search *s, scope_try_fn *try, void *context)
{
	struct elf_needed needed = {0};
	struct elf_file *program = NULL;
	int r = scope_open_binary(s, s->program, &program);

	if (!r)
		r = try(s, program, false, context);
	if (r == 1) {
		r = elf_needed_init(&needed, program, s->err, s->err_size);
		if (!r)
			r = 1;
	}
	for (size_t i = 0; i < needed.n && r == 1; i++)
		r = try_path(s, needed.paths[i], true, try, context);
	elf_needed_release(&needed);
	elf_file_free(program);
	return r;
}

int scope_each_file(const struct scope_search *s, scope_try_fn *try, void *context)
{
	const char *binary = s->spec->binary;

	if (!binary)
		return try_all(s, try, context);
	if (strchr(binary, '/'))
		return try_path(s, binary, false, try, context);
	return try_named(s, try, context);
}

int scope_site_at(const struct scope_search *s, const struct elf_file *f, uint64_t address,
		  struct scope_site *site)
{
	size_t n = 0;
	GElf_Phdr header;

	*site = (struct scope_site){0};
	(void)elf_getphdrnum(f->elf, &n);
	for (size_t i = 0; i < n && i < UINT16_MAX; i++) {
		if (!gelf_getphdr(f->elf, (int)i, &header) || header.p_type != PT_LOAD ||
		    address - header.p_vaddr >= header.p_filesz)
			continue;
		site->offset = address - header.p_vaddr + header.p_offset;
		site->first = scope_code_class(f, address);
		return 0;
	}
	return scope_fail(s, -EINVAL,
			  "%s: address 0x%llx is in no part of the file that is loaded: the file "
			  "is damaged",
			  f->path, (unsigned long long)address);
}

int scope_set_file(const struct scope_search *s, const struct elf_file *f)
{
	free(s->target->file);
	s->target->file = realpath(f->path, NULL);
	s->target->pie = f->type == ET_DYN;
	return s->target->file ? 0 : -errno;
}

int scope_target_find(struct scope_target *target, const struct scope_spec *spec,
		      const char *program, char *err, size_t err_size)
{
	const struct scope_search s = {spec, program, target, err, err_size};
	int r = 0;

	*err = '\0';
	*target = (struct scope_target){.kind = spec->kind, .name = strdup(spec->name)};
	if (!target->name)
		r = -ENOMEM;
	else if (spec->kind == SCOPE_KERNEL)
		r = scope_find_kernel(&s);
	else if (spec->kind == SCOPE_MARKERS)
		r = scope_find_markers(&s);
	else if (spec->kind == SCOPE_REGION)
		r = (target->symbol = strdup(spec->symbol)) &&
			    (target->file = realpath(program, NULL))
			? 0
			: -errno;
	else
		r = scope_find_function(&s);
	if (r && !*err)
		scope_fail(&s, r, "'%s' in %s: %s", spec->text, program, strerror(-r));
	if (r)
		scope_target_release(target);
	return r;
}

void scope_target_release(struct scope_target *target)
{
	free(target->name);
	free(target->file);
	free(target->symbol);
	free(target->more);
	free(target->ends);
	free(target->tail_call);
	*target = (struct scope_target){0};
}
