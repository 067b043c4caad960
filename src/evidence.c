/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What really differs between the programs that were compared. */
#include "evidence.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf-sentence.h"
#include "format.h"
#include "json-put.h"
#include "program-search.h"
#include "render-elf.h"

/* Comparisons beyond these have no evidence: the report should not wait for hundreds of programs.
 */
enum { MOST_PAIRS = 8 };

/* As abstat itself can open it; NULL: it is not found, or out of memory. */
static char *find_program(const char *name, const char *cwd, const char *search_path)
{
	char *path, *whole;

	if (program_search(name, cwd, search_path, &path))
		return NULL;
	if (!cwd || *path == '/')
		return path;
	if (asprintf(&whole, "%s/%s", cwd, path) < 0)
		whole = NULL;
	free(path);
	return whole;
}

static bool is_elf(const char *path)
{
	char magic[SELFMAG] = "";
	FILE *f = fopen(path, "re");
	bool found = f && fread(magic, 1, SELFMAG, f) == SELFMAG && !memcmp(magic, ELFMAG, SELFMAG);

	if (f)
		fclose(f);
	return found;
}

static bool is_same_file(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Why there is nothing to compare; NULL: there is. */
static const char *look(struct evidence_pair *e, const struct report *r, const char *cwd,
			const char *search_path)
{
	const struct report_comparison *c = &r->comparisons[e->comparison];
	const size_t variants[ELF_SIDES] = {c->baseline, c->variant};

	for (size_t side = 0; side < ELF_SIDES; side++) {
		char *const *argv = r->variants[variants[side]].argv;

		e->path[side] = argv && argv[0] ? find_program(argv[0], cwd, search_path) : NULL;
		if (!e->path[side])
			return "the program is not found";
	}
	if (is_same_file(e->path[ELF_OLD], e->path[ELF_NEW]))
		return "one program, run in two ways";
	if (!is_elf(e->path[ELF_OLD]) || !is_elf(e->path[ELF_NEW]))
		return "not an ELF file";
	return NULL;
}

/* How prefetches changed, beside the cache misses that they are meant to save; "" where neither is
 * known. */
static void add_prefetches(FILE *out, const struct report *r, const struct evidence_pair *e)
{
	const struct report_comparison *c = &r->comparisons[e->comparison];
	const struct insn_mix *mix = e->elf.code.mix;
	char buf[FORMAT_SIZE], interval[FORMAT_SIZE];

	if (mix[ELF_OLD].of[INSN_PREFETCH] == mix[ELF_NEW].of[INSN_PREFETCH])
		return;
	for (size_t i = 0; i < r->n_metrics; i++) {
		const struct report_change *change = &c->changes[i];
		const char *event = r->metrics[i].event;
		struct format_change f = {change->absolute, r->metrics[i].unit, change->estimate,
					  change->low, change->high};

		if (!event || strncmp(event, "cache-misses", strlen("cache-misses")) ||
		    isnan(change->estimate))
			continue;
		fprintf(out, " Prefetches in the changed code: %llu → %llu; %s %s %s.",
			(unsigned long long)mix[ELF_OLD].of[INSN_PREFETCH],
			(unsigned long long)mix[ELF_NEW].of[INSN_PREFETCH], r->metrics[i].name,
			format_change(buf, sizeof(buf), &f),
			format_interval(interval, sizeof(interval), &f));
		break;
	}
}

static int put_sentence(struct evidence_pair *e, const struct report *r)
{
	const struct report_comparison *c = &r->comparisons[e->comparison];
	char a[REPORT_LABEL_SIZE], b[REPORT_LABEL_SIZE], *found = elf_sentence(&e->elf);
	size_t size;
	FILE *out = found ? open_memstream(&e->sentence, &size) : NULL;

	if (out) {
		fprintf(out, "%s → %s: %s", report_label(r, c->baseline, a),
			report_label(r, c->variant, b), found);
		add_prefetches(out, r, e);
	}
	free(found);
	return out && !fclose(out) ? 0 : -ENOMEM;
}

static int warn_of_same_code(struct report *r, const struct evidence_pair *e)
{
	const struct report_comparison *c = &r->comparisons[e->comparison];
	char a[REPORT_LABEL_SIZE], b[REPORT_LABEL_SIZE];

	bool same = e->elf.code_same || e->elf.same_image;

	if (!same || (c->verdict != VERDICT_BETTER && c->verdict != VERDICT_WORSE))
		return 0;
	return report_warn(r, "same-code", NULL,
			   "%s is %s than %s, but the code of both programs is the same: only "
			   "their layout, their data or "
			   "noise can explain it. Compare %s with itself by 'abstat calibrate', "
			   "and see what differs by "
			   "'abstat elf'",
			   report_label(r, c->variant, b), verdict_word(c->verdict),
			   report_label(r, c->baseline, a), report_label(r, c->baseline, a));
}

static int collect(struct evidence_pair *e, struct report *r, const char *cwd,
		   const char *search_path)
{
	static const struct elf_diff_options options = {0};
	const char *reason = look(e, r, cwd, search_path);
	char err[500] = "";

	if (!reason) {
		for (size_t side = 0; side < ELF_SIDES && !*err; side++)
			e->file[side] = elf_file_open(e->path[side], err, sizeof(err));
		if (!*err && (elf_pair_init(&e->pair, e->file[ELF_OLD], e->file[ELF_NEW]) ||
			      elf_report_make(&e->elf, &e->pair, &options, err, sizeof(err))))
			return -ENOMEM;
	}
	if (reason || *err) {
		e->reason = strdup(reason ? reason : err);
		return e->reason ? 0 : -ENOMEM;
	}
	int status = put_sentence(e, r);

	return status ? status : warn_of_same_code(r, e);
}

static void release_pair(struct evidence_pair *p)
{
	elf_report_release(&p->elf);
	elf_pair_release(&p->pair);
	for (size_t side = 0; side < ELF_SIDES; side++) {
		elf_file_free(p->file[side]);
		free(p->path[side]);
	}
	free(p->sentence);
	free(p->reason);
}

int evidence_collect(struct report *report, const char *cwd, const char *search_path)
{
	size_t n = report->n_comparisons < MOST_PAIRS ? report->n_comparisons : MOST_PAIRS;
	struct evidence *e = calloc(1, sizeof(*e));
	int r = 0;

	if (!e)
		return -ENOMEM;
	report->evidence = e;
	e->pairs = calloc(n + 1, sizeof(*e->pairs));
	if (!e->pairs)
		return -ENOMEM;
	for (size_t i = 0; i < n && !r; i++) {
		e->pairs[e->n++].comparison = i;
		r = collect(&e->pairs[i], report, cwd, search_path);
	}
	/* What is not whole would look like files that are the same. */
	if (r)
		release_pair(&e->pairs[--e->n]);
	return r;
}

void evidence_free(struct evidence *e)
{
	if (!e)
		return;
	for (size_t i = 0; i < e->n; i++)
		release_pair(&e->pairs[i]);
	free(e->pairs);
	free(e);
}

void json_out_evidence(struct json_out *o, const struct report *report, const struct evidence *e)
{
	json_out_open(o, '{');
	if (e) {
		json_put_open(o, "binaries", '[');
		for (size_t i = 0; i < e->n; i++) {
			const struct evidence_pair *p = &e->pairs[i];
			const struct report_comparison *c = &report->comparisons[p->comparison];

			json_out_next_line(o);
			json_out_open(o, '{');
			json_put_text(o, "baseline", report->variants[c->baseline].name);
			json_put_text(o, "variant", report->variants[c->variant].name);
			json_put_text(o, "reason", p->reason);
			if (!p->reason)
				json_out_elf(o, &p->elf);
			json_out_close(o, '}');
		}
		json_out_close(o, ']');
	}
	json_out_close(o, '}');
}
