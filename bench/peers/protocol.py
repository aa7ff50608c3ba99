"""How bench talks with a runner: a line of JSON each way, over standard input and output.

    bench    {"dir", "job", "track", "format", "threads", "scratch"}
    runner   {"event": "ready", "version", "forms"}
             for every form, the ways there are to ask for the merge:
    runner   {"event": "result", "form", "path"}     an Arrow stream, for bench to check
    bench    {"time": true}                          or false, if it is wrong
    runner   {"event": "quick", "form", "ns", "cpu_ns"}
             then
    bench    {"form", "rounds"}                      until it has asked for all it wants
    runner   {"event": "timed", "form", "ns", "cpu_ns", "beside"}   bytes of memory beside the input

Instead of any of its lines a runner may say {"event": "not supported"}, {"event": "missing"} or {"event": "failed"}, with "why".
"""

import gc
import json
import os
import resource
import sys
import time


class NotSupported(Exception):
    """The system has no such merge."""


def send(event, **fields):
    print(json.dumps({"event": event, **fields}), file=channel, flush=True)


def receive():
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    return json.loads(line)


# Systems may print; what they print must not get among the lines.
channel = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def status(name, process="self"):
    """A number of bytes that Linux keeps of a process."""
    with open(f"/proc/{process}/status") as f:
        for line in f:
            if line.startswith(name):
                return int(line.split()[1]) << 10
    return 0


def reset_peak():
    try:
        with open("/proc/self/clear_refs", "w") as f:
            f.write("5")
    except OSError:
        pass  # then the peak counts from the start


def timed(form, drain):
    """Runs a form once and returns wall and processor time in nanoseconds. A form that works in a process of its own says them itself."""
    if hasattr(form, "timed"):
        return form.timed()
    gc.collect()
    usage = resource.getrusage(resource.RUSAGE_SELF)
    begin = time.perf_counter_ns()
    form(drain)
    wall = time.perf_counter_ns() - begin
    after = resource.getrusage(resource.RUSAGE_SELF)
    cpu = after.ru_utime + after.ru_stime - usage.ru_utime - usage.ru_stime
    return wall, int(cpu * 1e9)


def one_line(error):
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]


def serve(open_system):
    """Serves one request. open_system takes the workload and returns the version of the system and its forms: by name, a function that
    takes a function and calls it with the result, which has an Arrow C stream. A form that works in a process of its own has methods for
    its time and its memory, too."""
    request = receive()
    # The environment is read when systems are imported, so set before that.
    os.environ["POLARS_MAX_THREADS"] = str(request["threads"])
    os.environ["OMP_NUM_THREADS"] = str(request["threads"])
    try:
        from results import Drain, write
        from workload import Workload

        workload = Workload(request)
        version, forms = open_system(workload)
        gc.collect()
        resident = status("VmRSS:")  # with the input, and nothing of a merge yet
        send("ready", version=version, forms=list(forms))
        path = os.path.join(request["scratch"], "result.arrows")
        schema = workload.result_schema()
        drain = Drain()
        for name, form in forms.items():
            form(lambda result: write(result, schema, path))
            send("result", form=name, path=path)
            if receive()["time"]:
                wall, cpu = timed(form, drain)
                send("quick", form=name, ns=wall, cpu_ns=cpu)
        while True:
            wanted = receive()
            form = forms[wanted["form"]]
            reset_peak()
            rounds = [timed(form, drain) for _ in range(wanted["rounds"])]
            peak = form.memory("VmHWM:") if hasattr(form, "memory") else status("VmHWM:") - resident
            send("timed", form=wanted["form"], ns=[w for w, _ in rounds], cpu_ns=[c for _, c in rounds], beside=max(0, peak))
    except NotSupported as error:
        send("not supported", why=str(error))
    except ImportError as error:
        send("missing", why=one_line(error))
    except Exception as error:  # noqa: BLE001: whatever it is, bench says so and goes on
        send("failed", why=one_line(error))
