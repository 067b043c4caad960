#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""records.py ABSTAT DATA: records that are killed, full, resumed, compared; and what other tools print. Prints TAP."""
import json
import math
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

abstat = os.path.abspath(sys.argv[1])
data = os.path.abspath(sys.argv[2])
sanitized = os.environ.get("ABSTAT_SANITIZED") == "1"
number = 0
failed = 0


def test(function):
    """Runs FUNCTION in an empty directory and prints its line of TAP."""
    global number, failed
    number += 1
    name = function.__name__.replace("_", " ")
    here = os.getcwd()
    with tempfile.TemporaryDirectory(prefix="abstat-records-") as directory:
        os.chdir(directory)
        try:
            skip = function()
            print("ok %d - %s%s" % (number, name, " # SKIP " + skip if skip else ""), flush=True)
        except Exception as error:  # pylint: disable=broad-except
            failed += 1
            print("not ok %d - %s" % (number, name), flush=True)
            print("# %s: %s" % (type(error).__name__, str(error).replace("\n", "\n# ")), flush=True)
        os.chdir(here)


def run(*arguments, status=0, **kwargs):
    """Runs abstat and returns what it printed, on both streams."""
    p = subprocess.run([abstat, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       stdin=subprocess.DEVNULL, text=True, timeout=300, check=False, **kwargs)
    if status is not None and p.returncode != status:
        raise AssertionError("%s: status %d\n%s%s" % (" ".join(arguments), p.returncode, p.stdout, p.stderr))
    return p


def report(*arguments, status=0):
    return json.loads(run(*arguments, "-j", status=status).stdout)


def comparisons(text):
    """The bytes of the comparisons of a JSON document."""
    return text[text.index('"comparisons":'):text.index('"evidence":')]


def near(value, want, digits=4):
    if value is None or abs(value - want) > 0.51 * 10 ** (math.floor(math.log10(abs(want))) + 1 - digits):
        raise AssertionError("%r is not %r to %d digits" % (value, want, digits))


def metric(document, name, comparison=0):
    for m in document["comparisons"][comparison]["metrics"]:
        if m["name"] == name:
            return m
    raise AssertionError("no metric " + name)


def expect(value, want):
    if value != want:
        raise AssertionError("%r is not %r" % (value, want))


def lines_of(path):
    """The complete lines of a record, parsed."""
    with open(path, encoding="utf-8") as f:
        text = f.read()
    return [json.loads(line) for line in text[:text.rfind("\n") + 1].splitlines()]


def measured(path):
    """(block, variant) of the measured runs that count, in their order."""
    runs = []
    for line in lines_of(path):
        if "block" in line and not line.get("warmup"):
            runs.append((line["block"], line["variant"]))
        elif "resumed" in line:
            runs = [r for r in runs if r[0] != line.get("discarded_block")]
    return runs


# --- what was found on the mailing lists, and what must be said of it ---

def field(name):
    return os.path.join(data, "field", name)


def alpha_prefetch():
    d = report("diff", field("alpha-hlist-prefetch.perf.txt"), field("alpha-hlist-noprefetch.perf.txt"))
    table = {
        "cycles": (-4.120, 191.2, 5.629e-05, -0.002718, -0.004017, -0.001418, 0.00186),
        "cache-misses": (-1.088, 197.0, 0.2778, -0.01932, -0.05335, 0.01599, 0.0500),
        "r4": (-0.09340, 197.3, 0.9257, -0.0001348, -0.002977, 0.002715, 0.00406),
        "duration_time": (0.02327, 178.2, 0.9815, 0.0002725, -0.02266, 0.02356, 0.0330),
    }
    for name, (t, df, p, change, low, high, seen) in table.items():
        m = metric(d, name)
        near(m["welch"]["t"], t)
        near(m["welch"]["df"], df)
        near(m["welch"]["p"], p)
        near(m["change"]["estimate"], change)
        near(m["change"]["low"], low)
        near(m["change"]["high"], high)
        near(m["smallest_visible"], seen, 3)
        expect(m["change"]["method"], "summary")
    verdicts = {m["name"]: m["verdict"] for m in d["comparisons"][0]["metrics"]}
    expect(verdicts, {"cycles": "better", "instructions": "same", "cache-misses": "unclear", "r4": "same",
                      "duration_time": "unclear"})
    expect(metric(d, "cycles")["within_margin"], True)
    expect(metric(d, "cycles")["primary"], True)
    scaled = " ".join(w["text"] + str(w["metric"]) for w in d["warnings"] if w["code"] == "scaled")
    for name in ("cache-misses", "cycles", "instructions", "r4"):
        if name not in scaled:
            raise AssertionError("no warning that %s was scaled" % name)
    d = report("diff", "--margin=0.5%", field("alpha-hlist-prefetch.perf.txt"),
               field("alpha-hlist-noprefetch.perf.txt"))
    expect(metric(d, "r4")["verdict"], "same")
    near(metric(d, "r4")["equivalence"]["p"], 0.00045, 2)


def prefetch_of_null():
    d = report("diff", field("alpha-prefetch-null.perf.txt"), field("alpha-prefetch-valid.perf.txt"))
    m = metric(d, "cycles")
    expect(m["verdict"], "better")
    expect(m["n"], 3)
    near(1 / (1 + m["change"]["estimate"]), 90.3, 3)
    expect(metric(d, "cache-misses")["verdict"], "unclear")


def skb_initialisation():
    base, patched = field("skb-init-base.txt"), field("skb-init-patched.txt")
    d = report("diff", "--metric", "both=alloc+free", "--primary=both", base, patched)
    m = metric(d, "alloc")["welch"]
    near(m["estimate"], 0.4522, 2)
    near(m["low"], 0.18, 2)
    near(m["high"], 0.73, 2)
    near(metric(d, "free")["welch"]["estimate"], -0.19, 2)
    near(metric(d, "free")["welch"]["low"], -0.25, 2)
    near(metric(d, "free")["welch"]["high"], -0.12, 1)
    m = metric(d, "both")
    near(m["welch"]["estimate"], -0.050, 2)
    near(m["welch"]["low"], -0.099, 2)
    near(m["welch"]["p"], 0.049, 2)
    expect(m["verdict"], "better")
    expect(metric(d, "alloc")["verdict"], "worse")
    expect(metric(d, "free")["verdict"], "better")
    expect(d["comparisons"][0]["interleaved"], False)
    d = report("diff", "--column=free", base, patched)
    expect([m["name"] for m in d["comparisons"][0]["metrics"]], ["free"])


def hackbench_from_a_mail():
    words = ["--summary", "A=26.63,0.38,10", "--summary", "B=26.52,0.47,10"]
    d = report("diff", *words)
    m = metric(d, "value")
    near(m["welch"]["t"], -0.5755)
    near(m["welch"]["df"], 17.24)
    near(m["welch"]["p"], 0.5724)
    near(m["change"]["estimate"], -0.004131)
    near(m["change"]["low"], -0.01914)
    near(m["change"]["high"], 0.01106)
    near(m["smallest_visible"], 0.0213, 3)
    expect(m["verdict"], "unclear")
    if not m["ruled_out_above"] < 0.01:
        raise AssertionError("a slowdown of 1 % is not ruled out")
    expect(report("diff", "--margin=2%", *words)["comparisons"][0]["verdict"], "same")


def cells_of_allocations():
    # Medians stand for means: they are what was published.
    cells = {
        "SERVER": ((8519295176, 5309768), (9051200652, 29253976), "worse"),
        "PREEMPT": ((10627431395, 129102317), (11198189843, 40681909), "worse"),
        "SERVER BH": ((9996704330, 38237534), (8927026031, 72913120), "better"),
        "PREEMPT BH": ((11680149900, 23626932), (11139356465, 116413331), "better"),
    }
    words = []
    for name, (opt, without, _) in cells.items():
        words += ["--summary", "%s OPT=%d,%d,5" % (name, *opt), "--summary", "%s NO-OPT=%d,%d,5" % (name, *without)]
    pairs = ",".join("%s OPT:%s NO-OPT" % (name, name) for name in cells)
    d = report("diff", "--pairs", pairs, *words)
    expect([c["verdict"] for c in d["comparisons"]], [cell[2] for cell in cells.values()])
    for c in d["comparisons"]:
        if not c["metrics"][0]["p_adjusted"] > c["metrics"][0]["p"] and c["metrics"][0]["p"] > 0.001:
            raise AssertionError("not corrected for being many")


def markers_under_pressure():
    d = report("diff", "--pairs=all", "--summary", "memory=14938,?,3", "--summary", "immediate=12795,?,3",
               "--summary", "none=12427,416.54,3")
    verdicts = {(c["baseline"], c["variant"]): c["verdict"] for c in d["comparisons"]}
    expect(verdicts[("memory", "immediate")], "better")
    expect(verdicts[("memory", "none")], "better")
    expect(verdicts[("immediate", "none")], "unclear")
    if "borrowed" not in d["comparisons"][0]["metrics"][0]["reason"]:
        raise AssertionError("the borrowed deviation is not labelled")


# --- records that end before their time ---



def finished_runs_survive_kill_9():
    # The workload's log says what has run: the record may lack the run in flight, no other.
    for attempt in range(20):
        for name in ("log", "r"):
            if os.path.exists(name):
                os.unlink(name)
        p = subprocess.Popen([abstat, "stat", "-q", "-r", "100000", "--warmup=0", "--save=r", "--", "dd", "if=/dev/zero",
                              "of=log", "bs=1", "count=1", "oflag=append", "conv=notrunc,fsync", "status=none"],
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        while not os.path.exists("log"):
            time.sleep(0.01)
        time.sleep(random.uniform(0.02, 0.4))
        p.kill()
        p.wait()
        time.sleep(0.3)  # the run in flight, which nobody waits for
        ran = os.path.getsize("log")
        text = run("report", "r", status=None)
        kept = len(measured("r"))
        if not ran - 1 <= kept <= ran:
            raise AssertionError("attempt %d: %d ran, %d are in the record" % (attempt, ran, kept))
        if kept and text.returncode:
            raise AssertionError("attempt %d: %s" % (attempt, text.stderr))


def a_full_disk_loses_nothing():
    os.mkdir("small")
    mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", "small"], check=False,
                           stderr=subprocess.DEVNULL)
    if mount.returncode:
        return "tmpfs cannot be mounted"
    try:
        p = run("stat", "-q", "-r", "3000", "--save=small/r", "--", "true", status=128)
        said = p.stderr
        kept = len([line for line in lines_of("small/r") if "block" in line])
        if "small/r" not in said or "No space left" not in said or "first %d runs are safe" % kept not in said:
            raise AssertionError("%d kept: %s" % (kept, said))
        if run("report", "small/r").stdout.count("seconds time elapsed") != 1:
            raise AssertionError("not read")
    finally:
        subprocess.run(["umount", "small"], check=True)
    return None


def a_write_that_fails_loses_nothing():
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))

    p = run("stat", "-q", "-r", "3000", "--save=r", "--", "true", status=128, preexec_fn=limit)
    kept = len([line for line in lines_of("r") if "block" in line])
    if "cannot write to r" not in p.stderr or "first %d runs are safe" % kept not in p.stderr:
        raise AssertionError("%d kept: %s" % (kept, p.stderr))
    run("report", "r")
    p = run("stat", "-q", "-r", "3", "--save=/dev/full", "--", "true", status=128)
    expect(p.stderr, "abstat: cannot write to /dev/full: No space left on device; 0 runs are safe in it\n")


def nothing_is_overwritten():
    run("stat", "-q", "-r", "2", "--save=r", "--", "true")
    with open("r", encoding="utf-8") as f:
        before = f.read()
    p = run("stat", "-q", "-r", "2", "--save=r", "--", "true", status=128)
    if "--force" not in p.stderr:
        raise AssertionError(p.stderr)
    with open("r", encoding="utf-8") as f:
        expect(f.read(), before)
    run("stat", "-q", "-r", "2", "--save=r", "--force", "--", "true")


# --- the same answers from the file ---

def diff_answers_as_compare_did():
    fails = "test $(( {block} % 3 )) -ne 0 && echo t=1$(( {block} % 7 ))"
    prints = "echo t=1$(( {block} % 5 ))"
    cases = {
        "fixed": ["-r", "12", "true", "sleep 0.001"],
        "stopped early": ["--max-runs=60", "true", "sleep 0.01"],
        "failed blocks": ["-r", "20", "--shell", "--ignore-failure", "--seed=3", "--extract", "t=t=([0-9]+)", prints, fails],
        "nulls": ["-r", "20", "--shell", "--seed=3", "--extract", "t=t=1([3-9]+)", prints, prints + " "],
        "options": ["-r", "10", "--alpha=0.1", "--margin=3%", "--primary=user_time", "true", "ls /"],
        "gate": ["-r", "10", "--gate=50%", "true", "sleep 0.01"],
        "time": ["--max-time=1s", "sleep 0.01", "sleep 0.011"],
    }
    for name, words in cases.items():
        p = run("compare", "-q", "-j", "--save=" + name, *words, status=None)
        q = run("diff", "-j", name + ":A", name + ":B", status=None)
        r = run("report", "-j", name, status=None)
        if comparisons(p.stdout) != comparisons(q.stdout):
            raise AssertionError("%s:\n%s\n%s" % (name, comparisons(p.stdout), comparisons(q.stdout)))
        expect(comparisons(r.stdout), comparisons(p.stdout))
        if name != "gate":
            expect(q.returncode, p.returncode)


def resumed_goes_on_as_planned():
    # What is printed depends on the block only, so that stopped early or not, everything must be the same.
    words = ["--shell", "--seed=11", "--max-runs=30", "--extract", "v=v=([0-9]+)", "--primary=v", "--lower-is-better=v",
             "sleep 0.02; echo v=1$(( {block} % 1000 + 100 ))", "sleep 0.02; echo v=1$(( {block} % 900 + 100 ))"]
    whole = report("compare", "-q", "--save=whole", *words)
    for attempt in range(5):
        name = "r%d" % attempt
        p = subprocess.Popen([abstat, "compare", "-q", "--save=" + name, *words], stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
        while not os.path.exists(name):
            time.sleep(0.01)
        time.sleep(random.uniform(0.1, 0.8) if attempt else 0.01)  # the first in its warm-up
        p.send_signal(random.choice([signal.SIGKILL, signal.SIGINT]))
        p.wait()
        if "end" in lines_of(name)[-1] and lines_of(name)[-1]["end"]["stopped"] != "interrupt":
            continue
        d = report("compare", "-q", "--resume=" + name)
        expect(measured(name), measured("whole"))
        expect([x["plan"]["looks"] for x in lines_of(name) if "plan" in x][-1],
               [x["plan"]["looks"] for x in lines_of("whole") if "plan" in x][-1])
        expect(d["plan"]["blocks"], whole["plan"]["blocks"])
        expect(metric(d, "v"), metric(whole, "v"))
        p = run("compare", "--resume=" + name, status=129)
        if "nothing to resume" not in p.stderr:
            raise AssertionError(p.stderr)


# --- boots and machines ---

# A cost that can be moved: pages are touched when a buffer is taken, or when it is given back.
MOVES = """
#include <stdlib.h>
static volatile char pages[1 << 22];
static unsigned next;
__attribute__((noipa)) static void touch(unsigned n) { while (n--) pages[4096 * (next++ % 1024)] = 1; }
__attribute__((noipa)) void take(unsigned n) { touch(n); }
__attribute__((noipa)) void give(unsigned n) { touch(n); }
int main(int argc, char **argv)
{
	for (int i = 0; i < 10; i++) {
		take(atoi(argv[1]));
		give(atoi(argv[2]));
	}
	return 0;
}
"""


def cannot_probe():
    """Builds ./moves; why scopes cannot be measured here, or None."""
    if os.geteuid() != 0:
        return "needs root"
    if not shutil.which("cc"):
        return "needs a C compiler"
    with open("moves.c", "w", encoding="utf-8") as f:
        f.write(MOVES)
    subprocess.run(["cc", "-O1", "-o", "moves", "moves.c"], check=True)
    p = run("stat", "-n", "-q", "-r", "1", "--scope=take", "--", "./moves", "1", "1", status=None)
    return "no uprobes in this kernel" if p.returncode == 128 and "UPROBE" in p.stderr else None


def probed_runs(path):
    """(block, variant, probed, order) of the measured runs that count."""
    runs = []
    for line in lines_of(path):
        if "block" in line and not line.get("warmup"):
            runs.append((line["block"], line["variant"], line.get("probed", False), line["order"]))
        elif "resumed" in line:
            runs = [r for r in runs if r[0] != line.get("discarded_block")]
    return runs


def scopes_come_back_and_are_resumed():
    why = cannot_probe()
    if why:
        return why
    words = ["--seed=11", "-r", "12", "-e", "page-faults", "--scope=take", "--scope=give", "./moves 20 10", "./moves 10 20"]
    p = run("compare", "-q", "-j", "--save=whole", *words)
    whole = json.loads(p.stdout)
    expect(comparisons(run("report", "-j", "whole").stdout), comparisons(p.stdout))
    expect(comparisons(run("diff", "-j", "whole:A", "whole:B").stdout), comparisons(p.stdout))
    moved = whole["comparisons"][0]["moved"]
    expect((moved["won"]["scopes"], moved["lost"]["scopes"]), (["take"], ["give"]))
    expect((moved["won"]["estimate"], moved["lost"]["estimate"], moved["net"]["estimate"]), (-100, 100, 0))
    # Every variant once bare and once probed a block, in an order that the seed gives.
    for block in range(12):
        runs = [r for r in probed_runs("whole") if r[0] == block + probed_runs("whole")[0][0]]
        expect(sorted(r[1:3] for r in runs), [(0, False), (0, True), (1, False), (1, True)])
        expect([r[3] for r in runs], [0, 1, 2, 3])
    orders = {tuple(r[1:3] for r in probed_runs("whole")[i:i + 4]) for i in range(0, 48, 4)}
    if len(orders) < 3:
        raise AssertionError("the orders are not random: %r" % orders)
    for attempt in range(3):
        name = "r%d" % attempt
        p = subprocess.Popen([abstat, "compare", "-q", "--save=" + name, *words], stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
        while not os.path.exists(name) or len(lines_of(name)) < 10 + 10 * attempt:
            time.sleep(0.001)
        p.send_signal(random.choice([signal.SIGKILL, signal.SIGINT]))
        p.wait()
        if "end" in lines_of(name)[-1] and lines_of(name)[-1]["end"]["stopped"] != "interrupt":
            continue
        d = report("compare", "-q", "--resume=" + name)
        expect(probed_runs(name), probed_runs("whole"))
        expect(metric(d, "take/page-faults.total"), metric(whole, "take/page-faults.total"))
    return None


def write_record(path, host, boot, changes, sd=0.002, kernel="6.12.0"):
    """A record of the variants A and B: CHANGES of B against A, one a block."""
    header = {"abstat-record": 1, "abstat": "0.1.0", "host": {"hostname": host, "kernel": kernel, "cpu_model": "CPU of " + host,
              "boot_id": boot}, "metrics": [{"name": "duration_time", "unit": "ns", "direction": "lower", "source": "tool"}],
              "primary": "duration_time", "variants": [{"name": "A", "command": "./a"}, {"name": "B", "command": "./b"}]}
    with open(path, "w", encoding="utf-8") as f:
        def put(line):
            f.write(json.dumps(line, separators=(",", ":")) + "\n")
        put(header)
        put({"plan": {"max_blocks": len(changes), "fixed": True, "interleaved": True}})
        for block, change in enumerate(changes):
            for variant in (0, 1):
                value = 1e7 * (1 + change * variant) * (1 + random.gauss(0, sd))
                put({"block": block, "variant": variant, "order": variant, "outcome": "ok", "readings": [value]})
        put({"end": {"stopped": "blocks", "blocks": len(changes), "runs": 2 * len(changes)}})


def boots_are_the_unit():
    random.seed(5)
    before, after = [], []
    for boot in range(4):
        write_record("b%d" % boot, "h", "x%d" % boot, [0] * 10, kernel="6.1")
        write_record("a%d" % boot, "h", "y%d" % boot, [0] * 10, kernel="6.12")
        before.append("b%d:A" % boot)
        after.append("a%d:A" % boot)
    d = report("diff", "--before", *before, "--after", *after)
    expect(d["comparisons"][0]["boots"], "unit")
    expect(d["comparisons"][0]["metrics"][0]["n"], 4)
    if not any("kernel: 6.1 " in n and "6.12" in n for n in d["notes"]):
        raise AssertionError("another kernel is not shown: %s" % d["notes"])
    d = report("diff", before[0], after[0])
    expect(d["comparisons"][0]["boots"], "one-each")
    write_record("c", "other", "z", [0] * 10)
    codes = [w["code"] for w in report("diff", before[0], "c:A")["warnings"]]
    if "another-cpu" not in codes or "hosts-differ" not in codes:
        raise AssertionError("another CPU is not warned of: %s" % codes)
    p = run("diff", "b0", "a0", status=129)
    if "say which" not in p.stderr:
        raise AssertionError(p.stderr)


def machines_are_blocks():
    random.seed(6)
    for i in range(5):
        write_record("m%d" % i, "host%d" % i, "x%d" % i, [-0.03 + 0.002 * i] * 12)
    d = report("report", *["m%d" % i for i in range(5)])
    c = d["comparisons"][0]
    expect([m["name"] for m in c["metrics"]], ["host%d" % i for i in range(5)] + ["all machines"])
    expect(c["metrics"][5]["change"]["method"], "random-effects")
    expect(c["metrics"][5]["n"], 5)
    expect(c["verdict"], "better")
    near(c["metrics"][5]["change"]["estimate"], -0.026, 2)
    if not c["heterogeneity"]["p"] < 0.05:
        raise AssertionError(c["heterogeneity"])
    expect(run("report", "--gate=1%", "m0", "m1", "m2").returncode, 0)
    write_record("up", "hostup", "u", [0.03] * 12)
    d = report("report", "m0", "up")
    c = d["comparisons"][0]
    expect(c["metrics"][2]["change"]["estimate"], None)
    if not c["sentence"].startswith("The machines disagree"):
        raise AssertionError(c["sentence"])
    for fmt in ("text", "csv", "markdown"):
        if "host0" not in run("report", "--format=" + fmt, "m0", "m1").stdout:
            raise AssertionError(fmt)


# --- what other tools print, made here and now ---

def perf_stat_is_read():
    perf = shutil.which("perf")
    if not perf or subprocess.run([perf, "stat", "true"], check=False, capture_output=True).returncode:
        return "there is no perf"
    subprocess.run([perf, "stat", "-r", "5", "-o", "text", "true"], check=True)
    subprocess.run([perf, "stat", "-o", "one", "true"], check=True)
    subprocess.run([perf, "stat", "-x", ",", "-o", "csv", "true"], check=True)
    subprocess.run([perf, "stat", "-r", "5", "-x", ";", "-o", "csv5", "true"], check=True)
    subprocess.run([perf, "stat", "-j", "-o", "json", "true"], check=True)
    subprocess.run([perf, "stat", "-r", "5", "-j", "-o", "json5", "true"], check=True)

    def cell(name, event, *words):
        for m in report("report", name, *words)["variants"][0]["metrics"]:
            if m["name"].split(":")[0] == event:
                return m
        raise AssertionError("%s: no %s" % (name, event))

    with open("text", encoding="utf-8") as f:
        line = next(x for x in f if "msec task-clock" in x)
    near(cell("text", "task-clock")["mean"], float(line.split()[0].replace(",", "")) * 1e6, 3)
    expect(cell("text", "task-clock")["n"], 5)
    near(cell("text", "task-clock")["sem_percent"], float(line.split("+-")[1].split("%")[0]), 3)
    with open("csv", encoding="utf-8") as f:
        line = next(x for x in f if ",task-clock" in x)
    near(cell("csv", "task-clock")["mean"], float(line.split(",")[0]) * 1e6, 3)
    with open("csv5", encoding="utf-8") as f:
        line = next(x for x in f if ";task-clock" in x)
    m = cell("csv5", "task-clock", "--runs=5")
    near(m["mean"], float(line.split(";")[0]) * 1e6, 3)
    near(m["sem_percent"], float(line.split(";")[3].rstrip("%")), 3)
    with open("json5", encoding="utf-8") as f:
        row = next(x for x in map(json.loads, (y for y in f if y.startswith("{"))) if "task-clock" in x["event"])
    near(cell("json5", "task-clock", "--runs=5")["mean"], float(row["counter-value"]) * 1e6, 5)
    for name in ("one", "json"):
        expect(cell(name, "task-clock")["n"], 1)
    return None


def hyperfine_is_read():
    if not shutil.which("hyperfine"):
        return "there is no hyperfine"
    subprocess.run(["hyperfine", "-N", "-r", "8", "--export-json=h", "true", "sleep 0.002"], check=True,
                   capture_output=True)
    with open("h", encoding="utf-8") as f:
        results = json.load(f)["results"]
    d = report("diff", "h")
    for variant, result in zip(d["variants"], results):
        m = variant["metrics"][0]
        near(m["mean"], result["mean"] * 1e9, 9)
        near(m["sd"], result["stddev"] * 1e9, 9)
        expect(m["n"], 8)
        expect(m["name"], "duration_time")
    expect(d["comparisons"][0]["interleaved"], False)
    return None


def large_records_are_fast():
    if sanitized:
        return "a sanitized build is not fast"
    readings = [{"name": "m%d" % i, "unit": "ns", "direction": "lower"} for i in range(8)]
    random.seed(1)
    with open("large", "w", encoding="utf-8") as f:
        f.write(json.dumps({"abstat-record": 1, "metrics": readings, "variants": [{"name": "A"}, {"name": "B"}]}) + "\n")
        f.write('{"plan":{"interleaved":true,"fixed":true,"max_blocks":50000}}\n')
        for i in range(100000):
            values = ",".join("[%d,1000000,1000000]" % random.randint(10 ** 9, 2 * 10 ** 9) for _ in range(8))
            f.write('{"block":%d,"variant":%d,"order":%d,"start_ns":%d,"duration_ns":1000000,"outcome":"ok","status":0,'
                    '"readings":[%s]}\n' % (i // 2, i % 2, i % 2, i * 1000, values))
        f.write('{"end":{"stopped":"blocks","blocks":50000,"runs":100000}}\n')
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run("report", "large")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print("# %.2f s of CPU time, %d MiB" % (seconds, after.ru_maxrss // 1024))
    # A machine that is busy with other things counts more CPU time for the same work.
    busy = os.getloadavg()[0] > 0.75 * (os.cpu_count() or 1)
    if seconds > (6 if busy else 2) or after.ru_maxrss > 512 * 1024:
        raise AssertionError("%.2f s, %d KiB" % (seconds, after.ru_maxrss))
    return None


TESTS = [
    alpha_prefetch, prefetch_of_null, skb_initialisation, hackbench_from_a_mail, cells_of_allocations,
    markers_under_pressure, finished_runs_survive_kill_9, a_full_disk_loses_nothing, a_write_that_fails_loses_nothing,
    nothing_is_overwritten, diff_answers_as_compare_did, resumed_goes_on_as_planned,
    scopes_come_back_and_are_resumed, boots_are_the_unit,
    machines_are_blocks, perf_stat_is_read, hyperfine_is_read, large_records_are_fast,
]

chosen = [t for t in TESTS if len(sys.argv) < 4 or t.__name__ in sys.argv[3:]]
print("1..%d" % len(chosen))
for t in chosen:
    test(t)
sys.exit(failed > 0)
