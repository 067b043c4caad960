# The name may be right, so that this is no mistake of usage; a script that bisects must stop.
unshare -m sh -c 'umount -l -a -t tracefs; umount -l /sys/kernel/tracing
abstat stat -r 1 -e sched:sched_switch true' 2>&1 >/dev/null | grep '^abstat'
unshare -m sh -c 'umount -l -a -t tracefs; umount -l /sys/kernel/tracing
abstat stat -r 1 -e sched:sched_switch true' >/dev/null 2>&1
echo "status $?"
