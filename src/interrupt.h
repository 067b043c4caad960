/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ctrl-C, and the other signals that end a measurement: the run in flight is told, and what was measured is shown.
 */
#ifndef ABSTAT_INTERRUPT_H
#define ABSTAT_INTERRUPT_H

struct spawner;

/* Catches SIGINT, SIGTERM and SIGHUP (unless they are ignored, as under nohup) until interrupt_restore(). */
void interrupt_catch(void);
void interrupt_restore(void);

/* The spawner whose run the signal is passed on to; NULL: none. */
void interrupt_watch(struct spawner *spawner);

/* The signal that came, 0: none. */
int interrupt_signal(void);

#endif
