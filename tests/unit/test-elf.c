/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What differs between two binaries: builds of one program, each with one change, and 200 with one
 * changed instruction. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "code-insn.h"
#include "elf-diff.h"
#include "elf-listing.h"

struct comparison {
	struct elf_file *old, *new;
	struct elf_pair pair;
	struct elf_report report;
};

static void compare_files(struct comparison *c, struct elf_file *old, struct elf_file *new)
{
	static const struct elf_diff_options options = {0};
	char err[300] = "";

	assert_non_null(old);
	assert_non_null(new);
	c->old = old;
	c->new = new;
	assert_int_equal(elf_pair_init(&c->pair, old, new), 0);
	assert_int_equal(elf_report_make(&c->report, &c->pair, &options, err, sizeof(err)), 0);
}

static void compare(struct comparison *c, const char *old, const char *new)
{
	char err[300] = "";

	compare_files(c, elf_file_open(old, err, sizeof(err)),
		      elf_file_open(new, err, sizeof(err)));
	assert_string_equal(err, "");
}

static void release(struct comparison *c)
{
	elf_report_release(&c->report);
	elf_pair_release(&c->pair);
	elf_file_free(c->old);
	elf_file_free(c->new);
}

static void print_changes(const struct elf_report *r)
{
	for (size_t i = 0; i < r->n_functions; i++)
		print_error("changed: %s\n", r->functions[i].name);
}

/* No function may be listed; whether anything else differs is DIFFER. */
static void check_same_code(const char *old, const char *new, bool differ)
{
	struct comparison c;

	compare(&c, old, new);
	print_changes(&c.report);
	assert_int_equal(c.report.n_functions, 0);
	assert_true(c.report.code_same);
	assert_int_equal(c.report.differ, differ);
	release(&c);
}

static void test_itself(void **state)
{
	(void)state;
	check_same_code(SAMPLE, SAMPLE, false);
}

static void test_stripped(void **state)
{
	(void)state;
	check_same_code(SAMPLE, SAMPLE_STRIPPED, false);
	check_same_code(SAMPLE_STRIPPED, SAMPLE, false);
}

static void test_reordered(void **state)
{
	(void)state;
	check_same_code(SAMPLE, SAMPLE_REORDERED, true);
	check_same_code(SAMPLE_REORDERED, SAMPLE, true);
	check_same_code(SAMPLE, SAMPLE_MOVED, true);
}

static bool is_understood(void)
{
	char err[300];
	struct elf_file *f = elf_file_open(SAMPLE, err, sizeof(err));

	assert_non_null(f);
	bool known = f->code != ELF_CODE_NONE;

	elf_file_free(f);
	return known;
}

/* The sample of KIND ("pie", "fixed", "object") with CHANGE ("", "-moved", ...). */
static const char *sample_of(const char *kind, const char *change, char path[PATH_MAX])
{
	snprintf(path, PATH_MAX, "%s%s%s%s", CHANGES, kind, change,
		 strcmp(kind, "object") != 0 ? "" : ".o");
	return path;
}

static void check_change(const char *kind, const char *change, const char *function)
{
	char old[PATH_MAX], new[PATH_MAX];
	struct comparison c;

	compare(&c, sample_of(kind, "", old), sample_of(kind, change, new));
	if (c.report.n_functions != 1 || strcmp(c.report.functions[0].name, function) != 0) {
		print_error("%s%s:\n", kind, change);
		print_changes(&c.report);
	}
	assert_int_equal(c.report.n_functions, 1);
	assert_string_equal(c.report.functions[0].name, function);
	assert_true(c.report.differ);
	assert_false(c.report.code_same);
	release(&c);
}

/* One change of the source is one changed function, and data that moved are none. */
static void check_changes(const char *kind)
{
	static const char *const changes[][2] = {
	    {"-prefetch", "walk"}, {"-offset", "walk"}, {"-immediate", "limit"},
	    {"-call", "call"},     {"-order", "order"}, {"-condition", "condition"},
	    {"-places", "places"}, {"-text", "text"},   {"-constant", "constant"},
	    {"-thread", "thread"},
	};
	char old[PATH_MAX], new[PATH_MAX];

	for (size_t i = 0; i < sizeof(changes) / sizeof(*changes) && is_understood(); i++)
		check_change(kind, changes[i][0], changes[i][1]);
	check_same_code(sample_of(kind, "", old), sample_of(kind, "", new), false);
	if (is_understood())
		check_same_code(sample_of(kind, "", old), sample_of(kind, "-moved", new), true);
}

static void test_changes(void **state)
{
	(void)state;
	check_changes("pie");
}

static void test_changes_fixed(void **state)
{
	(void)state;
	check_changes("fixed");
}

static void test_changes_object(void **state)
{
	(void)state;
	check_changes("object");
}

/* The functions that use a table are listed where what they read of it changed, whatever is around
 * it, and at the same place, too. */
static void check_tables(const char *change, const char *const *functions)
{
	static const char *const moves[] = {"", "-moved"};

	for (size_t i = 0; i < 2; i++) {
		char old[PATH_MAX], new[PATH_MAX];
		struct comparison c;
		size_t n = 0;

		snprintf(old, sizeof(old), "%s%s", TABLES, moves[i]);
		snprintf(new, sizeof(new), "%s%s", TABLES, change);
		compare(&c, old, new);
		while (functions[n])
			n++;
		if (c.report.n_functions != n)
			print_error("%s%s:\n", change, moves[i]);
		if (c.report.n_functions != n)
			print_changes(&c.report);
		assert_int_equal(c.report.n_functions, n);
		for (size_t k = 0; k < n; k++)
			assert_string_equal(c.report.functions[k].name, functions[k]);
		release(&c);
	}
}

static void test_tables(void **state)
{
	static const char *const none[] = {NULL}, *const guarded[] = {"guarded", NULL},
				 *const jumps[] = {"jumps", NULL},
				 *const biased[] = {"biased", "biased_by_register", NULL},
				 *const texts[] = {"biased", "biased_by_register", "guarded",
						   "offsets", NULL};

	(void)state;
	if (!*TABLES)
		skip();
	check_tables("", none);
	check_tables("-moved", none);
	/* What is in a named array is no change of the code. */
	check_tables("-named", none);
	check_tables("-first", biased);
	check_tables("-last", biased);
	check_tables("-order", biased);
	check_tables("-guarded", guarded);
	check_tables("-jumps", jumps);
	check_tables("-texts", texts);
}

static void test_prefetch(void **state)
{
	char old[PATH_MAX], new[PATH_MAX];
	struct comparison c;
	struct elf_listing l;
	char err[300];
	size_t alone = 0;

	(void)state;
	if (!is_understood())
		skip();
	compare(&c, sample_of("pie", "", old), sample_of("pie", "-prefetch", new));
	assert_int_equal(c.report.functions[0].mix[ELF_NEW].of[INSN_PREFETCH] -
			     c.report.functions[0].mix[ELF_OLD].of[INSN_PREFETCH],
			 1);
	assert_int_equal(elf_listing_make(&l, &c.pair, "walk", err, sizeof(err)), 0);
	for (size_t i = 0; i < l.n; i++)
		alone += !l.rows[i].has[ELF_OLD] && strstr(l.rows[i].text[ELF_NEW], "pr");
	assert_int_equal(alone, 1);
	elf_listing_release(&l);
	assert_int_equal(elf_listing_make(&l, &c.pair, "nothing", err, sizeof(err)), -2);
	assert_non_null(strstr(err, "a function called 'nothing'"));
	release(&c);
}

/* The bytes in symbols and outside of them are what is loaded. */
static void test_totals(void **state)
{
	char old[PATH_MAX], new[PATH_MAX];
	struct comparison c;
	uint64_t in_symbols = 0, changes = 0;

	(void)state;
	compare(&c, sample_of("pie", "", old), sample_of("pie", "-prefetch", new));
	for (size_t i = 0; i < c.report.n_sections; i++) {
		assert_true(c.report.sections[i].in_symbols[ELF_NEW] <=
			    c.report.sections[i].size[ELF_NEW]);
		in_symbols += c.report.sections[i].in_symbols[ELF_NEW];
	}
	assert_int_equal(in_symbols, c.report.symbol_totals.bytes[ELF_NEW]);
	const struct elf_sizes *s = &c.report.sizes[ELF_NEW];
	const struct elf_symbol_totals *t = &c.report.symbol_totals;

	assert_int_equal(t->bytes[ELF_NEW] + t->outside[ELF_NEW], s->text + s->data + s->bss);
	for (size_t i = 0; i < c.report.n_symbols; i++)
		changes += c.report.symbols[i].size[ELF_NEW] - c.report.symbols[i].size[ELF_OLD];
	assert_int_equal(changes, t->bytes[ELF_NEW] - t->bytes[ELF_OLD]);
	release(&c);
}

static unsigned char *read_file(const char *path, size_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;

	assert_true(fd >= 0 && fstat(fd, &st) == 0);
	unsigned char *data = malloc((size_t)st.st_size);

	assert_int_equal(read(fd, data, (size_t)st.st_size), st.st_size);
	close(fd);
	*size = (size_t)st.st_size;
	return data;
}

static struct elf_file *from_memory(const unsigned char *data, size_t size, char *err,
				    size_t err_size)
{
	int fd = memfd_create("elf", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, size), (ssize_t)size);
	struct elf_file *f = elf_file_read(fd, "MUTANT", err, err_size);

	close(fd);
	return f;
}

/* A place in the file's bytes that holds an instruction of a function, and the function. */
struct place {
	const char *function;
	size_t at, length, next_length;
};

static size_t find_places(const struct elf_file *f, const unsigned char *image, size_t image_size,
			  struct place *places, size_t most)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n_addressed; i++) {
		const struct elf_symbol *s = &f->symbols[i];
		uint64_t size = 0;
		const uint8_t *p = s->code ? elf_bytes_at(f, s->start, &size) : NULL;
		/* The image has the section as it is. */
		const unsigned char *found =
		    p && s->size >= 8 ? memmem(image, image_size, p, s->size) : NULL;

		/* Functions that are the beginning of others cannot be told from them. */
		if (found &&
		    memmem(found + 1, image_size - (size_t)(found + 1 - image), p, s->size))
			continue;

		for (size_t at = 0, length; found && at < s->size && n < most; at += length) {
			struct code_insn insn, next = {0};

			code_decode(f->code, p + at, s->size - at, s->start + at, &insn);
			length = insn.length;
			if (at + length < s->size)
				code_decode(f->code, p + at + length, s->size - at - length,
					    s->start + at + length, &next);
			if (!insn.nop && !insn.unknown &&
			    !(insn.n_masked == 1 && insn.masked[0] == 0xcc))
				places[n++] =
				    (struct place){s->name, (size_t)(found - image) + at, length,
						   next.nop || next.unknown ? 0 : next.length};
		}
	}
	return n;
}

/* Changes a bit, or swaps two instructions; false: that would change nothing. */
static bool mutate(unsigned char *image, const struct place *p, unsigned kind)
{
	unsigned char kept[2 * CODE_MAX_LENGTH];
	size_t both = p->length + p->next_length;

	if (kind % 3 || !p->next_length) {
		image[p->at + (size_t)rand() % p->length] ^= (unsigned char)(1 << rand() % 8);
		return true;
	}
	memcpy(kept, image + p->at, both);
	memcpy(image + p->at, kept + p->length, p->next_length);
	memcpy(image + p->at + p->next_length, kept, p->length);
	return memcmp(kept, image + p->at, both) != 0;
}

/* 200 single mutations are all found, and in the function where they are. */
static void check_mutations(const char *path)
{
	enum { MUTATIONS = 200, MOST_PLACES = 100000 };
	char err[300] = "";
	size_t size;
	unsigned char *image = read_file(path, &size), *mutant = malloc(size);
	struct place *places = calloc(MOST_PLACES, sizeof(*places));
	struct elf_file *f = elf_file_open(path, err, sizeof(err));

	assert_non_null(f);
	size_t n = find_places(f, image, size, places, MOST_PLACES);

	assert_true(n > 50);
	for (unsigned done = 0; done < MUTATIONS;) {
		const struct place *p = &places[(size_t)rand() % n];
		struct comparison c;

		memcpy(mutant, image, size);
		if (!mutate(mutant, p, done))
			continue;
		compare_files(&c, elf_file_open(path, err, sizeof(err)),
			      from_memory(mutant, size, err, sizeof(err)));
		if (c.report.n_functions != 1 || strcmp(c.report.functions[0].name, p->function))
			print_error("mutation %u in %s at %#zx\n", done, p->function, p->at);
		assert_int_equal(c.report.n_functions, 1);
		assert_string_equal(c.report.functions[0].name, p->function);
		release(&c);
		done++;
	}
	elf_file_free(f);
	free(places);
	free(mutant);
	free(image);
}

static void test_mutations(void **state)
{
	char path[PATH_MAX];

	(void)state;
	if (!is_understood())
		skip();
	srand(1);
	check_mutations(SAMPLE);
	check_mutations(SAMPLE_REORDERED);
	check_mutations(sample_of("fixed", "", path));
	check_mutations(SAMPLE_LIBRARY);
	if (*TABLES)
		check_mutations(TABLES);
}

static void test_library(void **state)
{
	(void)state;
	check_same_code(SAMPLE_LIBRARY, SAMPLE_LIBRARY, false);
}

/* Files cut short, and with bytes that are not theirs: a message, or a report, but no more. */
static void test_damaged(void **state)
{
	char err[300] = "";
	size_t size;
	unsigned char *image = read_file(SAMPLE, &size), *mutant = malloc(size);

	(void)state;
	srand(2);
	for (unsigned i = 0; i < 300; i++) {
		size_t cut = i % 2 ? size : (size_t)rand() % size;

		memcpy(mutant, image, size);
		for (unsigned k = 0; i % 2 && k < 20; k++)
			mutant[k % 2 ? (size_t)rand() % size
				     : (size_t)rand() % 64 + (k % 4 ? 0 : size - 2000)] ^=
			    (unsigned char)rand();
		*err = '\0';
		struct elf_file *f = from_memory(mutant, cut, err, sizeof(err));

		if (!f) {
			assert_true(strstr(err, "MUTANT: ") == err);
			continue;
		}
		struct comparison c;

		compare_files(&c, elf_file_open(SAMPLE, err, sizeof(err)), f);
		release(&c);
	}
	free(mutant);
	free(image);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_itself),        cmocka_unit_test(test_stripped),
	    cmocka_unit_test(test_reordered),     cmocka_unit_test(test_changes),
	    cmocka_unit_test(test_changes_fixed), cmocka_unit_test(test_changes_object),
	    cmocka_unit_test(test_tables),        cmocka_unit_test(test_prefetch),
	    cmocka_unit_test(test_totals),        cmocka_unit_test(test_mutations),
	    cmocka_unit_test(test_library),       cmocka_unit_test(test_damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
