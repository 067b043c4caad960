/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the facts of this machine from /proc and /sys.
 */
#include "machine.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "file-text.h"

/* The value of the first "KEY<blanks>: VALUE" line, or NULL. The caller frees it. */
static char *field(const char *text, const char *key)
{
	size_t len = strlen(key);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		const char *value, *end;

		line += *line == '\n';
		if (strncmp(line, key, len))
			continue;
		value = line + len + strspn(line + len, " \t");
		if (*value++ != ':')
			continue;
		value += strspn(value, " \t");
		end = strchrnul(value, '\n');
		return end > value ? strndup(value, (size_t)(end - value)) : NULL;
	}
	return NULL;
}

/* arm64's cpuinfo has numbers in the place of a name. */
static char *arm_model(const char *cpuinfo)
{
	char *implementer = field(cpuinfo, "CPU implementer");
	char *part = field(cpuinfo, "CPU part");
	char *model = NULL;

	if (implementer && part &&
	    asprintf(&model, "implementer %s part %s", implementer, part) < 0)
		model = NULL;
	free(implementer);
	free(part);
	return model;
}

static char *cpu_model(const char *cpuinfo, const char *sysfs, const char *procfs)
{
	static const char *const keys[] = {"model name", "Processor", "cpu model", "cpu", "uarch"};
	char *model = NULL;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]) && !model; i++)
		model = field(cpuinfo, keys[i]);
	if (!model)
		model = arm_model(cpuinfo);
	if (!model)
		model = file_text("%s/device-tree/model", procfs);
	if (!model)
		model = file_text("%s/class/dmi/id/product_name", sysfs);
	return model;
}

static bool has_flag(const char *cpuinfo, const char *flag)
{
	char *flags = field(cpuinfo, "flags");
	size_t len = strlen(flag);
	bool found = false;

	for (const char *f = flags; f && !found; f = strchr(f, ' ')) {
		f += strspn(f, " ");
		found = !strncmp(f, flag, len) && (f[len] == ' ' || f[len] == '\0');
	}
	free(flags);
	return found;
}

static char *hypervisor(const char *cpuinfo, const char *sysfs, const char *procfs)
{
	static const struct {
		const char *vendor, *name;
	} vendors[] = {
	    {"QEMU", "qemu"},
	    {"KVM", "kvm"},
	    {"Amazon EC2", "amazon-ec2"},
	    {"VMware", "vmware"},
	    {"innotek GmbH", "virtualbox"},
	    {"Xen", "xen"},
	    {"Google", "google"},
	    {"DigitalOcean", "digitalocean"},
	    {"BHYVE", "bhyve"},
	    {"Firecracker", "firecracker"},
	};
	char *type = file_text("%s/hypervisor/type", sysfs);
	char *vendor, *tree;

	if (type)
		return type;
	vendor = file_text("%s/class/dmi/id/sys_vendor", sysfs);
	for (size_t i = 0; vendor && i < sizeof(vendors) / sizeof(vendors[0]); i++) {
		if (!strncmp(vendor, vendors[i].vendor, strlen(vendors[i].vendor))) {
			free(vendor);
			return strdup(vendors[i].name);
		}
	}
	free(vendor);
	tree = file_text("%s/device-tree/hypervisor/compatible", procfs);
	if (tree)
		return tree;
	tree = file_text("%s/device-tree/compatible", procfs);
	if (tree && !strcmp(tree, "linux,dummy-virt")) {
		free(tree);
		return strdup("qemu");
	}
	free(tree);
	return has_flag(cpuinfo, "hypervisor") ? strdup("unknown") : NULL;
}

static int turbo(const char *sysfs)
{
	int64_t no_turbo = file_number(-1, "%s/devices/system/cpu/intel_pstate/no_turbo", sysfs);

	if (no_turbo >= 0)
		return no_turbo == 0;
	return (int)file_number(-1, "%s/devices/system/cpu/cpufreq/boost", sysfs);
}

static int cpus_online(const char *sysfs)
{
	char *text = file_text("%s/devices/system/cpu/online", sysfs);
	int *cpus = NULL;
	size_t n = 0;
	int count = -1;

	if (text && machine_parse_cpu_list(text, &cpus, &n) == 0)
		count = (int)n;
	free(cpus);
	free(text);
	return count;
}

static int64_t memory(const char *procfs)
{
	char *meminfo = file_text("%s/meminfo", procfs);
	char *total = meminfo ? field(meminfo, "MemTotal") : NULL;
	char *end;
	int64_t bytes = -1;

	if (total) {
		unsigned long long kib = strtoull(total, &end, 10);

		if (end != total && kib <= INT64_MAX / 1024)
			bytes = (int64_t)kib * 1024;
	}
	free(total);
	free(meminfo);
	return bytes;
}

static void read_uname(struct machine *m, const char *procfs)
{
	char *release = file_text("%s/sys/kernel/osrelease", procfs);
	char *version = file_text("%s/sys/kernel/version", procfs);
	struct utsname u;

	if (release && asprintf(&m->kernel, "%s %s", release, version ? version : "") < 0)
		m->kernel = NULL;
	free(release);
	free(version);
	m->hostname = file_text("%s/sys/kernel/hostname", procfs);
	m->arch = file_text("%s/sys/kernel/arch", procfs);
	/* The file is there from 6.1 on. */
	if (!m->arch && uname(&u) == 0)
		m->arch = strdup(u.machine);
}

void machine_read(struct machine *m, const char *procfs, const char *sysfs)
{
	char *cpuinfo = file_text("%s/cpuinfo", procfs);
	const char *info = cpuinfo ? cpuinfo : "";

	*m = (struct machine){0};
	read_uname(m, procfs);
	m->cmdline = file_text("%s/cmdline", procfs);
	m->cpu_model = cpu_model(info, sysfs, procfs);
	m->microcode = field(info, "microcode");
	m->governor = file_text("%s/devices/system/cpu/cpu0/cpufreq/scaling_governor", sysfs);
	m->clocksource =
	    file_text("%s/devices/system/clocksource/clocksource0/current_clocksource", sysfs);
	m->boot_id = file_text("%s/sys/kernel/random/boot_id", procfs);
	m->hypervisor = hypervisor(info, sysfs, procfs);
	m->cpus_online = cpus_online(sysfs);
	m->smt = (int)file_number(-1, "%s/devices/system/cpu/smt/active", sysfs);
	m->turbo = turbo(sysfs);
	m->aslr = (int)file_number(-1, "%s/sys/kernel/randomize_va_space", procfs);
	m->paranoid = (int)file_number(-1, "%s/sys/kernel/perf_event_paranoid", procfs);
	m->memory = memory(procfs);
	free(cpuinfo);
}

void machine_release(struct machine *m)
{
	free(m->hostname);
	free(m->kernel);
	free(m->cmdline);
	free(m->arch);
	free(m->cpu_model);
	free(m->microcode);
	free(m->governor);
	free(m->clocksource);
	free(m->boot_id);
	free(m->hypervisor);
	*m = (struct machine){0};
}

int64_t machine_cpu_frequency(int cpu, const char *sysfs)
{
	int64_t khz =
	    file_number(-1, "%s/devices/system/cpu/cpu%d/cpufreq/scaling_cur_freq", sysfs, cpu);

	return khz < 0 || khz > INT64_MAX / 1000 ? -1 : khz * 1000;
}

static int compare_ints(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

/* One number of a list, and where it ends. Returns -1 if there is none. */
static long cpu_number(const char **text)
{
	unsigned long n = 0;
	const char *p = *text;

	if (!isdigit((unsigned char)*p))
		return -1;
	for (; isdigit((unsigned char)*p); p++) {
		n = n * 10 + (unsigned long)(*p - '0');
		if (n > 1 << 20)
			return -1;
	}
	*text = p;
	return (long)n;
}

static int append_range(int **cpus, size_t *n, long first, long last)
{
	size_t count = (size_t)(last - first + 1);
	int *more = reallocarray(*cpus, *n + count, sizeof(**cpus));

	if (!more)
		return -ENOMEM;
	*cpus = more;
	for (long cpu = first; cpu <= last; cpu++)
		more[(*n)++] = (int)cpu;
	return 0;
}

static int parse_ranges(const char *text, int **cpus, size_t *n)
{
	for (;;) {
		long first = cpu_number(&text), last = first;
		int e;

		if (first >= 0 && *text == '-') {
			text++;
			last = cpu_number(&text);
		}
		if (first < 0 || last < first)
			return -EINVAL;
		e = append_range(cpus, n, first, last);
		if (e < 0)
			return e;
		if (*text == '\0' || *text == '\n')
			return 0;
		if (*text++ != ',')
			return -EINVAL;
	}
}

int machine_parse_cpu_list(const char *text, int **cpus, size_t *n)
{
	size_t kept = 0;
	int e;

	*cpus = NULL;
	*n = 0;
	e = parse_ranges(text, cpus, n);
	if (e < 0) {
		free(*cpus);
		*cpus = NULL;
		*n = 0;
		return e;
	}
	qsort(*cpus, *n, sizeof(**cpus), compare_ints);
	for (size_t i = 0; i < *n; i++)
		if (i == 0 || (*cpus)[i] != (*cpus)[kept - 1])
			(*cpus)[kept++] = (*cpus)[i];
	*n = kept;
	return 0;
}

int machine_own_cpus(int **cpus, size_t *n)
{
	long configured = sysconf(_SC_NPROCESSORS_CONF);

	*n = 0;
	for (int max = configured > 1024 ? (int)configured : 1024; max <= 1 << 20; max *= 2) {
		size_t size = CPU_ALLOC_SIZE((size_t)max);
		cpu_set_t *set = CPU_ALLOC((size_t)max);
		int rc = !set ? -ENOMEM : sched_getaffinity(0, size, set) ? -errno : 0;

		*cpus = rc ? NULL : calloc((size_t)max, sizeof(**cpus));
		if (!rc && !*cpus)
			rc = -ENOMEM;
		for (int cpu = 0; cpu < max && !rc; cpu++)
			if (CPU_ISSET_S((size_t)cpu, size, set))
				(*cpus)[(*n)++] = cpu;
		CPU_FREE(set);
		/* The kernel has more CPUs than the mask. */
		if (rc != -EINVAL)
			return rc;
	}
	return -EINVAL;
}
