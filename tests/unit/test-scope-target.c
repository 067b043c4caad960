/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scopes found in programs that are built for it, and every refusal with its message.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "demangle.h"
#include "elf-file.h"
#include "scope-find.h"
#include "scope-target.h"
#include "scope-trial.h"

static int find(struct scope_target *target, const char *program, const char *text, char *err,
		size_t err_size)
{
	struct scope_spec spec;

	if (scope_spec_parse(&spec, text, err, err_size))
		fail_msg("%s", err);
	int r = scope_target_find(target, &spec, program, err, err_size);

	scope_spec_release(&spec);
	return r;
}

static void must_find(struct scope_target *target, const char *program, const char *text)
{
	char err[2048] = "";

	if (find(target, program, text, err, sizeof(err)))
		fail_msg("%s in %s: %s", text, program, err);
}

/* The message has every PART, which end with NULL, in this order. */
static void must_refuse(const char *program, const char *text, int wanted, ...)
{
	struct scope_target target;
	char err[2048] = "";
	const char *at = err, *part;
	int r = find(&target, program, text, err, sizeof(err));
	va_list ap;

	if (r != wanted)
		fail_msg("%s in %s: %d: %s", text, program, r, err);
	va_start(ap, wanted);
	while ((part = va_arg(ap, const char *))) {
		at = strstr(at, part);
		if (!at)
			fail_msg("%s in %s: no '%s' in: %s", text, program, part, err);
	}
	va_end(ap);
	assert_null(target.name);
}

/* The address of a global function, by a reader of its own. */
static uint64_t address_of(const char *program, const char *name, uint64_t *size)
{
	char err[300];
	struct elf_file *f = elf_file_open(program, err, sizeof(err));
	uint64_t address = 0;

	assert_non_null(f);
	for (size_t i = 0; i < f->n_symbols; i++)
		for (size_t k = 0; k < f->symbols[i].n_names; k++)
			if (!strcmp(f->names[f->symbols[i].first_name + k], name)) {
				address = f->symbols[i].start;
				*size = f->symbols[i].size;
			}
	elf_file_free(f);
	assert_true(address);
	return address;
}

/* The bytes at a place of the file. */
static void read_at(const char *path, uint64_t offset, void *to, size_t n)
{
	FILE *f = fopen(path, "re");

	assert_non_null(f);
	assert_int_equal(fseek(f, (long)offset, SEEK_SET), 0);
	assert_int_equal(fread(to, 1, n, f), n);
	fclose(f);
}

static void is_return(const char *path, uint64_t offset)
{
	uint8_t code[4];

	read_at(path, offset, code, sizeof(code));
#ifdef __x86_64__
	assert_true(code[0] == 0xc3 || (code[0] == 0xf3 && code[1] == 0xc3));
#else
	assert_memory_equal(code, "\xc0\x03\x5f\xd6", 4);
#endif
}

static void functions(void **state)
{
	static const struct {
		const char *program;
		bool pie;
	} programs[] = {{SAMPLE, true}, {SAMPLE_FIXED, false}};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct scope_target t;
		uint64_t size = 0, address = address_of(programs[i].program, "plain", &size);

		must_find(&t, programs[i].program, "p=plain");
		assert_string_equal(t.name, "p");
		assert_string_equal(t.symbol, "plain");
		assert_string_equal(t.file, programs[i].program);
		assert_int_equal(t.kind, SCOPE_FUNCTION);
		assert_int_equal(t.address, address);
		assert_int_equal(t.pie, programs[i].pie);
		assert_true(t.at_return);
		assert_true(t.n_ends >= 1);
		assert_null(t.tail_call);
		assert_int_equal(t.begin.skipped, 0);
		for (size_t k = 0; k < t.n_ends; k++)
			is_return(t.file, t.ends[k].offset);
		scope_target_release(&t);

		must_find(&t, programs[i].program, "tail_call");
		assert_non_null(t.tail_call);
		assert_string_equal(t.tail_call, "plain");
		assert_int_equal(t.n_ends, 0);
		scope_target_release(&t);

		must_find(&t, programs[i].program, "sizeless");
		assert_int_equal(t.begin.first, SCOPE_CLASS_NOP);
		assert_int_equal(t.n_ends, 1);
		is_return(t.file, t.ends[0].offset);
		scope_target_release(&t);
	}
}

/* The cold part of a function is a part of it. */
static void parts(void **state)
{
	struct scope_target t;

	(void)state;
	must_find(&t, SAMPLE, "two_returns");
	assert_null(t.tail_call);
	assert_true(t.n_ends >= 1);
	scope_target_release(&t);
}

static void libraries(void **state)
{
	static const char *const names[] = {
	    "library_function", "libscope-sample.so:library_function", LIBRARY ":library_function"};
	struct scope_target t, old, new;

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		must_find(&t, SAMPLE, names[i]);
		assert_string_equal(t.file, LIBRARY);
		assert_string_equal(t.name, "library_function");
		assert_true(t.pie);
		scope_target_release(&t);
	}
	must_find(&t, SAMPLE, "versioned");
	must_find(&old, SAMPLE, "versioned@OLD_1.0");
	must_find(&new, SAMPLE, "versioned@@NEW_2.0");
	assert_int_equal(t.address, new.address);
	assert_int_not_equal(t.address, old.address);
	scope_target_release(&t);
	scope_target_release(&old);
	scope_target_release(&new);
	must_find(&t, SAMPLE, "libscope-sample.so:hidden_away");
	scope_target_release(&t);
	must_refuse(SAMPLE, "hidden_away", -ENOENT,
		    "there is no function 'hidden_away' in " SAMPLE
		    " or the libraries that it needs",
		    "'abstat list --scopes " SAMPLE "'", NULL);
	must_refuse(SAMPLE, "versioned@OLD_9", -ENOENT, "there is no function", NULL);
	must_refuse(SAMPLE, "libnone.so:f", -ENOENT,
		    "'libnone.so' is neither " SAMPLE " nor a library that it needs: give a path",
		    NULL);
}

static void namesakes(void **state)
{
	struct scope_target one, other;
	char spec[64];

	(void)state;
	must_refuse(SAMPLE, "twice", -ENOTUNIQ,
		    "'twice' is the name of several functions in " SAMPLE,
		    "say which, as one of: ", "twice@scope-sample", ", twice@scope-sample", NULL);
	must_find(&one, SAMPLE, "twice@scope-sample.c");
	must_find(&other, SAMPLE, "twice@scope-sample-other.c");
	assert_int_not_equal(one.address, other.address);
	snprintf(spec, sizeof(spec), "twice@0x%llx", (unsigned long long)other.address);
	scope_target_release(&one);
	must_find(&one, SAMPLE, spec);
	assert_int_equal(one.address, other.address);
	scope_target_release(&one);
	scope_target_release(&other);
	must_refuse(SAMPLE, "twice@global", -ENOENT, "there is no function", NULL);
}

static void stripped(void **state)
{
	struct scope_target t;
	uint64_t size = 0;

	(void)state;
	must_refuse(SAMPLE_STRIPPED, "plain", -ENOENT,
		    "there is no function 'plain' in what " SAMPLE_STRIPPED " exports",
		    "is stripped of its other symbols: install its "
		    "debugging symbols (/usr/lib/debug/.build-id/",
		    ".debug would have them), or "
		    "build it without -s and strip(1)",
		    NULL);
	/* What was split off is found by name, beside the file. */
	must_find(&t, SAMPLE_SPLIT, "plain");
	assert_int_equal(t.address, address_of(SAMPLE, "plain", &size));
	assert_string_equal(t.file, SAMPLE_SPLIT);
	scope_target_release(&t);
	must_find(&t, SAMPLE_SPLIT, "twice@scope-sample.c");
	scope_target_release(&t);
}

static void ranges(void **state)
{
	struct scope_target t;
	uint64_t size = 0, start = address_of(SAMPLE, "sizeless", &size);
	char text[128];
	/* The nop is the first instruction, ret the second. */
#ifdef __x86_64__
	const unsigned second = 1;
#else
	const unsigned second = 4;
#endif

	(void)state;
	snprintf(text, sizeof(text), "r=sizeless..sizeless+%u", second);
	must_find(&t, SAMPLE, text);
	assert_int_equal(t.kind, SCOPE_RANGE);
	assert_int_equal(t.address, start);
	assert_false(t.at_return);
	assert_int_equal(t.n_ends, 1);
	assert_int_equal(t.ends[0].offset - t.begin.offset, second);
	is_return(t.file, t.ends[0].offset);
	scope_target_release(&t);
	must_refuse(SAMPLE, "main+0..main+0x100000", -EINVAL, "'main' in " SAMPLE " has 0x",
		    "bytes: +0x100000 is beyond its end", NULL);
#ifdef __x86_64__
	must_refuse(SAMPLE, "rounds..+1", -EINVAL,
		    "'rounds'+0x1 in " SAMPLE
		    " is in the middle of an instruction (dec edi): instructions begin at +0x0 and "
		    "+0x2; objdump -d shows all",
		    NULL);
#else
	must_refuse(SAMPLE, "rounds..+1", -EINVAL,
		    "'rounds'+0x1 in " SAMPLE " is in the middle of an instruction (subs", NULL);
#endif
}

static void markers(void **state)
{
	struct scope_target t;
	uint8_t code[4];

	(void)state;
	must_find(&t, SAMPLE, "usdt:sample:start..stop");
	assert_string_equal(t.name, "sample:start..sample:stop");
	assert_int_equal(t.kind, SCOPE_MARKERS);
	assert_int_equal(t.n_ends, 1);
	assert_true(t.begin.semaphore);
	assert_false(t.ends[0].semaphore);
	read_at(t.file, t.begin.offset, code, sizeof(code));
#ifdef __x86_64__
	assert_int_equal(code[0], 0x90);
#else
	assert_memory_equal(code, "\x1f\x20\x03\xd5", 4);
#endif
	scope_target_release(&t);
	must_find(&t, SAMPLE, "usdt:sample:many..over");
	assert_int_equal(t.n_more, 1);
	assert_int_equal(t.n_ends, 1);
	assert_int_not_equal(t.begin.offset, t.more[0].offset);
	assert_true(!t.begin.semaphore != !t.more[0].semaphore);
	scope_target_release(&t);
	must_refuse(SAMPLE, "usdt:sample:start..end", -ENOENT,
		    SAMPLE " has the marker sample:start, "
			   "but not sample:end: 'abstat list --scopes " SAMPLE
			   "' shows those that it has",
		    NULL);
	must_refuse(SAMPLE, "usdt:sample:satrt..stop", -ENOENT,
		    "but not sample:satrt; did you mean: sample:start: ", NULL);
	must_refuse(SAMPLE, "usdt:sample:start..stpo", -ENOENT,
		    "but not sample:stpo; did you mean: sample:stop: ", NULL);
	must_refuse(SAMPLE, "usdt:sample:strat..sample:stpo", -ENOENT,
		    "there is no marker "
		    "sample:strat in " SAMPLE " or the libraries that it needs; did you mean: "
		    "sample:start",
		    NULL);
	must_refuse(LIBRARY, "usdt:a:b..c", -ENOENT,
		    "nothing there has USDT markers: programs have "
		    "them if they are built with sys/sdt.h",
		    NULL);
}

static void inlined(void **state)
{
	static const char *const programs[] = {SAMPLE, SAMPLE_SPLIT, SAMPLE_COMPRESSED};

	(void)state;
	for (size_t i = 0; i < sizeof(programs) / sizeof(*programs); i++)
		must_refuse(
		    programs[i], "folded", -ENOENT, "'folded' in ", programs[i],
		    " has no code of its own: every call of it was inlined, into plain. Compile it "
		    "with __attribute__((noinline)), or scope its caller",
		    NULL);
}

static void refusals(void **state)
{
	char script[] = "/tmp/abstat-script-XXXXXX", arm[300];
	int fd = mkstemp(script);

	(void)state;
	must_refuse(SAMPLE, "plian", -ENOENT,
		    "there is no function 'plian' in " SAMPLE
		    " or the libraries that it needs; did you mean: plain",
		    NULL);
	must_refuse(SAMPLE, "plain@nosuch.c", -ENOENT,
		    "there is no function 'plain@nosuch.c' in " SAMPLE
		    " or the libraries that it needs, but: plain@global",
		    NULL);
	must_refuse(SAMPLE, "plain@0x1", -ENOENT, "'plain@0x1' in ", ", but: plain@0x", NULL);
	must_refuse(SAMPLE, "made", -ENOENT,
		    "there is no function 'made' in " SAMPLE ", but what "
		    "the compiler made of it: made.constprop.0. Scope that",
		    NULL);
	must_refuse(SAMPLE, "rounds", -EINVAL,
		    "'rounds' in " SAMPLE " jumps back to its first "
		    "instruction",
		    "scope a range of it", NULL);
	must_refuse(SAMPLE, "chosen", -EINVAL,
		    "'chosen' in " SAMPLE " is not one function: a "
		    "resolver (IFUNC) chooses one",
		    NULL);
	must_refuse("/nonexistent", "f", -ENOENT, "/nonexistent: No such file", NULL);
	must_refuse("/etc/passwd", "f", -ENOTSUP, "/etc/passwd: not an ELF file", NULL);
	must_refuse(SAMPLE, "/etc/passwd:f", -ENOTSUP, "/etc/passwd: not an ELF file", NULL);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "#! /usr/bin/env python3\n", 24), 24);
	close(fd);
	must_refuse(script, "f", -ENOTSUP, script, "is a script, which /usr/bin/env runs", NULL);
	assert_int_equal(chmod(script, 0), 0);
	if (geteuid())
		must_refuse(script, "f", -EACCES, "may not be read", NULL);
	unlink(script);
#ifdef __x86_64__
	snprintf(arm, sizeof(arm), "%s:f", DATA_DIR "/arm64.so");
	must_refuse(SAMPLE, arm, -ENOTSUP, "is a program for arm64 (64 bit)", NULL);
	snprintf(arm, sizeof(arm), "%s:f", DATA_DIR "/x86-64.o");
	must_refuse(SAMPLE, arm, -ENOTSUP, "is an object file", NULL);
#endif
}

/* An instruction that the kernel neither steps nor emulates. */
static void not_probeable(void **state)
{
	struct scope_target t;
	char err[1024] = "";

	(void)state;
	if (geteuid() || access("/sys/bus/event_source/devices/uprobe/type", F_OK))
		skip();
	must_find(&t, SAMPLE, "plain");
	assert_int_equal(scope_trial(&t, err, sizeof(err)), 0);
	scope_target_release(&t);
	must_find(&t, SAMPLE, "refused");
	assert_int_equal(scope_trial(&t, err, sizeof(err)), -EINVAL);
	assert_non_null(strstr(err, "'refused' in " SAMPLE " begins with an instruction that the "
				    "kernel cannot probe ("));
	assert_non_null(strstr(err, "): scope a range that leaves it out"));
	scope_target_release(&t);
}

/* A tree in place of /proc and /sys. */
static void kernel(void **state)
{
	static const struct {
		const char *symbol;
		int r;
		const char *message;
	} cases[] = {
	    {"vfs_read", 0, ""},
	    {"vfs_raed", -ENOENT,
	     "the kernel has no function 'vfs_raed'; did you mean: k:vfs_read; if it "
	     "is in a module, load that first; if it was inlined into others, scope one of those"},
	    {"jiffies", -ENOENT, "'jiffies' is data of the kernel, not a function"},
	    {"show", -ENOTUNIQ,
	     "the kernel has 2 functions called 'show' (in the kernel, ext4), of which "
	     "none can be chosen by name: scope one that calls it"},
	    {"tidy", -ENOENT,
	     "the kernel has no function 'tidy', but what the compiler made of it: scope "
	     "k:tidy.isra.0"},
	    {"do_int3", -EINVAL,
	     "the kernel allows no probe in 'do_int3', which kprobes themselves or "
	     "entry code use: scope a function that it calls, or that calls it"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct scope_spec spec;
		struct scope_target target = {0};
		char text[64], err[512] = "";

		snprintf(text, sizeof(text), "k:%s", cases[i].symbol);
		assert_int_equal(scope_spec_parse(&spec, text, err, sizeof(err)), 0);
		const struct scope_search s = {&spec, "", &target, err, sizeof(err)};

		assert_int_equal(
		    scope_find_kernel_in(&s, FIXTURES "/kprobes/proc", FIXTURES "/kprobes/sys"),
		    cases[i].r);
		assert_string_equal(err, cases[i].message);
		assert_int_equal(scope_find_kernel_in(&s, FIXTURES "/kprobes/proc", FIXTURES),
				 -ENOTSUP);
		assert_non_null(strstr(err, "this kernel was built without kprobes"));
		scope_target_release(&target);
		scope_spec_release(&spec);
	}
}

static void cxx(void **state)
{
	(void)state;
#ifdef SAMPLE_CXX
	static const char *const names[] = {
	    "shapes::area(shapes::Point const&)", "_ZN6shapes4areaERKNS_5PointE",
	    "shapes::Point::operator/",           "shapes::Point::operator/(int) const",
	    "shapes::Point::operator<",           "shapes::largest<int>",
	    "int shapes::largest<int>(int, int)",
	    /* Of which the compiler makes a cold part of the same name. */
	    "shapes::root",
	};
	struct scope_target t;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!demangle_knows_cxx() && names[i][0] != '_')
			continue;
		must_find(&t, SAMPLE_CXX, names[i]);
		scope_target_release(&t);
	}
	if (!demangle_knows_cxx())
		return;
	must_refuse(SAMPLE_CXX, "shapes::area", -ENOTUNIQ, "several functions",
		    "one of: ", "shapes::area(shapes::Point const&", NULL);
	must_refuse(SAMPLE_CXX, "area", -ENOENT, "no function 'area'", ", but: shapes::area(", NULL);
#endif
}

/* Of both schemes of Rust; what is cut off or changed is refused, or another name. */
static void rust(void **state)
{
	static const struct {
		const char *linked, *name;
	} cases[] = {
	    {"_RNvMNtCs6GmmlP4bgsG_1r6shapesNtB2_1P4area", "r::shapes::P::area"},
	    {"_RNvXs_NtCs6GmmlP4bgsG_1r6shapesNtB4_1PNtB4_1S2go",
	     "<r::shapes::P as r::shapes::S>::go"},
	    {"_RINvNtCs6GmmlP4bgsG_1r6shapes7largestlEB4_", "r::shapes::largest<i32>"},
	    {"_RNCNvCs1_1a4main0", "a::main::{closure#0}"},
	    {"_RNCNvCs1_1a4mains_0", "a::main::{closure#1}"},
	    {"_RINvC1a1fAhj10_RSeTlmEE", "a::f<[u8; 16], &[str], (i32, u32)>"},
	    {"_RINvC1a1fDNtC1b1TEL_FKClEuE", "a::f<dyn b::T, extern \"C\" fn(i32)>"},
	    {"_RNvC1a1f.llvm.123", "a::f"},
	    {"_RNvC1a", NULL},
	    {"_R0NvC1a1f", NULL},
	    {"_RNvB_1f", NULL},
	    {"_RINvC1a1fTB7_B7_EE", NULL},
	};
	char text[64];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *name = demangle(cases[i].linked, strlen(cases[i].linked));

		assert_int_equal(!name, !cases[i].name);
		if (name)
			assert_string_equal(name, cases[i].name);
		free(name);
		for (size_t n = 2; n < strlen(cases[i].linked); n++) {
			snprintf(text, sizeof(text), "%s", cases[i].linked);
			text[n] = "BEsN_9I"[n % 7];
			free(demangle(text, strlen(text)));
			free(demangle(cases[i].linked, n));
		}
	}
	if (!demangle_knows_cxx())
		return;
	char *old = demangle(
	    "_ZN45_$LT$r..shapes..P$u20$as$u20$r..shapes..S$GT$2go17h5366331c81dd5115E", 73);

	assert_non_null(old);
	assert_string_equal(old, "<r::shapes::P as r::shapes::S>::go");
	free(old);
}

static void bases(void **state)
{
	static const struct {
		const char *text;
		size_t n;
	} cases[] = {
	    {"f", 1},
	    {"f(int)", 1},
	    {"a::b<c(d)>::e(int) const", 13},
	    {"operator()(int)", 10},
	    {"A::operator<(A)", 12},
	    {"A::operator<< <int>(A)", 19},
	    {"A::operator->()", 13},
	    {"(anonymous namespace)::f(int)", 24},
	    {"A::f()::{lambda(int)#1}::operator()(int) const", 4},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_int_equal(demangled_base(cases[i].text), cases[i].n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(functions), cmocka_unit_test(parts),
	    cmocka_unit_test(libraries), cmocka_unit_test(namesakes),
	    cmocka_unit_test(stripped),  cmocka_unit_test(ranges),
	    cmocka_unit_test(markers),   cmocka_unit_test(inlined),
	    cmocka_unit_test(refusals),  cmocka_unit_test(not_probeable),
	    cmocka_unit_test(kernel),    cmocka_unit_test(cxx),
	    cmocka_unit_test(rust),      cmocka_unit_test(bases),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
