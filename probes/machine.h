/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What machine this is: the facts that a result depends on and that a reader of it needs.
 */
#ifndef ABSTAT_MACHINE_H
#define ABSTAT_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Strings are owned and NULL where the fact could not be read; numbers are then -1. */
struct machine {
	char *hostname;
	char *kernel;  /* uname release and version */
	char *cmdline; /* the kernel's command line */
	char *arch;
	char *cpu_model;
	char *microcode;
	char *governor; /* of CPU 0 */
	char *clocksource;
	char *boot_id;
	char *hypervisor; /* "kvm", "qemu-tcg", ... or NULL: none seen */
	int cpus_online;
	int smt;        /* 1 active, 0 not */
	int turbo;      /* 1 allowed, 0 not */
	int aslr;       /* kernel.randomize_va_space: 0, 1, 2 */
	int paranoid;   /* kernel.perf_event_paranoid */
	int64_t memory; /* bytes */
};

/*
 * Never fails: what cannot be read is NULL or -1. PROCFS and SYSFS are "/proc" and "/sys" or
 * fixtures.
 */
void machine_read(struct machine *m, const char *procfs, const char *sysfs);
void machine_release(struct machine *m);

/* The current frequency of CPU in Hz, from cpufreq, or -1 where it cannot be read. */
int64_t machine_cpu_frequency(int cpu, const char *sysfs);

/*
 * "0-3,8": to a sorted array of CPU numbers. Returns 0, -EINVAL or -ENOMEM. The caller frees *CPUS.
 */
int machine_parse_cpu_list(const char *text, int **cpus, size_t *n);

/* Those that the calling process may run on: likewise. 0 or -errno. */
int machine_own_cpus(int **cpus, size_t *n);

#endif
