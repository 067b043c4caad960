/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signal handlers of the spawner.
 */
#include "flight.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "children.h"

/*
 * After an interrupt the run has two seconds to end by itself; what is killed is killed again every
 * 100 ms.
 */
#define INTERRUPT_GRACE_NS 2000000000u
#define REPEAT_NS 100000000u
#define STUCK_KILLS 50
#define PARENT_DIED_SIGNAL SIGUSR2

static struct flight {
	pid_t self;
	pid_t parent;
	const atomic_int *interrupt;
	atomic_int *pid; /* the run's leader while it is not reaped, else 0 */
	atomic_bool timed_out;
	atomic_int kills;
	bool timer_armed;
	timer_t timer;
} flight;

/*
 * Between vfork and exec a signal to our process group reaches the child too, and its handlers run
 * in our memory: they must do nothing there.
 */
static bool in_child(void)
{
	return getpid() != flight.self;
}

static void signal_run(int sig)
{
	pid_t pid = atomic_load(flight.pid);

	if (pid <= 0)
		return;
	kill(-pid, sig);
	/* By itself too: it may have moved to another group. */
	if (sig == SIGKILL)
		kill(pid, sig);
}

static void arm(uint64_t ns)
{
	struct itimerspec spec = {
	    .it_value = {.tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000)},
	    .it_interval = {.tv_nsec = REPEAT_NS},
	};

	if (ns == 0)
		spec.it_interval.tv_nsec = 0;
	timer_settime(flight.timer, 0, &spec, NULL);
	flight.timer_armed = ns != 0;
}

static void on_nothing(int sig)
{
	(void)sig;
}

static void on_interrupt(int sig)
{
	int saved = errno;
	int forward = atomic_load(flight.interrupt);

	(void)sig;
	if (!in_child() && forward && atomic_load(flight.pid) > 0) {
		signal_run(forward);
		/* A stopped process would not see it. */
		signal_run(SIGCONT);
		arm(INTERRUPT_GRACE_NS);
	}
	errno = saved;
}

static void on_timer(int sig)
{
	int saved = errno;

	(void)sig;
	if (!in_child()) {
		if (!atomic_load(flight.interrupt))
			atomic_store(&flight.timed_out, true);
		if (atomic_load(flight.pid) > 0)
			atomic_fetch_add(&flight.kills, 1);
		signal_run(SIGKILL);
	}
	errno = saved;
}

/* abstat is gone, killed: nothing that it started may go on. */
static void on_parent_died(int sig)
{
	const struct timespec pause = {.tv_nsec = 5000000};
	int saved = errno;

	(void)sig;
	if (in_child() || getppid() == flight.parent) {
		errno = saved;
		return;
	}
	signal_run(SIGKILL);
	for (int i = 0; i < 1000; i++) {
		pid_t pid = waitpid(-1, NULL, WNOHANG);

		if (pid < 0)
			break;
		if (pid > 0)
			continue;
		children_kill();
		nanosleep(&pause, NULL);
	}
	_exit(1);
}

static int handle(int sig, void (*handler)(int), int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};

	/* Handlers do not interrupt each other. */
	sigfillset(&action.sa_mask);
	return sigaction(sig, &action, NULL) ? -errno : 0;
}

int flight_init(pid_t parent, const atomic_int *interrupt, atomic_int *run_pid)
{
	/* The terminal's and the session's signals: abstat decides what they mean. */
	static const int ignored[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGPIPE};
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
	sigset_t none;
	int rc;

	flight = (struct flight){
	    .self = getpid(), .parent = parent, .interrupt = interrupt, .pid = run_pid};
	for (int sig = 1; sig < _NSIG; sig++)
		signal(sig, SIG_DFL);
	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++) {
		rc = handle(ignored[i], on_nothing, SA_RESTART);
		if (rc)
			return rc;
	}
	/* Without SA_RESTART: who waits shall look at what was noted. */
	rc = handle(FLIGHT_INTERRUPT_SIGNAL, on_interrupt, 0);
	rc = rc ? rc : handle(SIGALRM, on_timer, 0);
	rc = rc ? rc : handle(PARENT_DIED_SIGNAL, on_parent_died, SA_RESTART);
	if (rc)
		return rc;
	if (timer_create(CLOCK_MONOTONIC, &event, &flight.timer) ||
	    prctl(PR_SET_PDEATHSIG, PARENT_DIED_SIGNAL, 0, 0, 0))
		return -errno;
	sigemptyset(&none);
	return -pthread_sigmask(SIG_SETMASK, &none, NULL);
}

void flight_begin(pid_t pid, uint64_t timeout_ns)
{
	atomic_store(&flight.timed_out, false);
	atomic_store(&flight.kills, 0);
	atomic_store(flight.pid, pid);
	if (timeout_ns)
		arm(timeout_ns);
	/* An interrupt that came while there was no run to signal. */
	if (atomic_load(flight.interrupt))
		raise(FLIGHT_INTERRUPT_SIGNAL);
}

void flight_leader_ended(void)
{
	atomic_store(flight.pid, 0);
}

bool flight_end(void)
{
	atomic_store(flight.pid, 0);
	if (flight.timer_armed)
		arm(0);
	return atomic_load(&flight.timed_out);
}

bool flight_interrupted(void)
{
	return atomic_load(flight.interrupt) != 0;
}

bool flight_timed_out(void)
{
	return atomic_load(&flight.timed_out);
}

bool flight_stuck(void)
{
	return atomic_load(&flight.kills) > STUCK_KILLS;
}
