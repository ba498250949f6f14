#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks what `idemdeskctl metrics` wrote, and the files for monitoring against it: check_monitoring.py METRICS FOLDER

METRICS holds Prometheus' text format with every metric. Each name that the rules and the dashboard use must be in it.
Where promtool is installed, it judges, too: Debian's package of it also starts a server, so it is not asked for.
"""
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys

import yaml

LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\\\|\\"|\\n)*)"(,|$)')
SAMPLE = re.compile(r"([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)")
NAMES = re.compile(r"\b(?:idempotency|pg)_[a-z0-9_]+")

failures = []


def expect(holds, what):
    if not holds:
        failures.append(what)


def labels_of(text):
    labels = {}
    place = 0
    while place < len(text):
        match = LABEL.match(text, place)
        if match is None:
            return None
        labels[match[1]] = match[2]
        place = match.end()
    return labels


def family_of(name, types):
    if name in types:
        return name
    for ending in ("_bucket", "_sum", "_count"):
        if name.endswith(ending) and types.get(name[: -len(ending)]) == "histogram":
            return name[: -len(ending)]
    return None


def read_metrics(text):
    """The names of all samples; everything that the format asks for is expected."""
    types, helped, samples, closed, current = {}, set(), {}, set(), None
    expect(text.endswith("\n"), "the text does not end with a line feed")
    for line in text.splitlines():
        if line.startswith("# HELP "):
            name = line.split(" ")[2]
            expect(name not in helped and len(line.split(" ")) > 3, f"HELP of {name}")
            helped.add(name)
        elif line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            expect(name not in types and kind in ("counter", "gauge", "histogram"), f"TYPE of {name}")
            expect(kind != "counter" or name.endswith("_total"), f"{name} is a counter and not called so")
            types[name] = kind
            if current:
                closed.add(current)
            current = name
        elif not line.startswith("#"):
            match = SAMPLE.fullmatch(line)
            labels = labels_of(match[2] or "") if match else None
            if labels is None:
                failures.append(f"not a sample: {line}")
                continue
            family = family_of(match[1], types)
            expect(family == current and family in helped and family not in closed, f"out of place: {line}")
            key = (match[1], tuple(sorted(labels.items())))
            expect(key not in samples, f"twice: {line}")
            samples[key] = float(match[3])
            expect(math.isfinite(samples[key]), f"not finite: {line}")
            expect(types.get(family) == "gauge" or samples[key] >= 0, f"below zero: {line}")
    check_histograms(types, samples)
    return {name for name, _ in samples}


def check_histograms(types, samples):
    buckets = {}
    for (name, labels), value in samples.items():
        if name.endswith("_bucket"):
            rest = tuple(one for one in labels if one[0] != "le")
            buckets.setdefault((name[:-7], rest), []).append((float(dict(labels)["le"]), value))
    for (name, rest), found in buckets.items():
        found.sort()
        expect(types[name] == "histogram" and found[-1][0] == math.inf, f"{name} has no bucket of all")
        expect([one[1] for one in found] == sorted(one[1] for one in found), f"buckets of {name} do not add up")
        expect(samples.get((name + "_count", rest)) == found[-1][1], f"_count of {name}")
        expect((name + "_sum", rest) in samples, f"_sum of {name}")
    expect({name for name, kind in types.items() if kind == "histogram"} == {name for name, _ in buckets}, "histograms")


def check_used(expression, names, where):
    used = set(NAMES.findall(expression))
    expect(used, f"{where} looks at no metric")
    for name in used:
        expect(name in names, f"{where} looks at {name}, which is not written")


def check_rules(folder, names):
    alerts = {}
    for group in yaml.safe_load((folder / "idemdesk.rules.yml").read_text())["groups"]:
        for rule in group["rules"]:
            name = rule["alert"]
            expect(name not in alerts, f"two alerts are called {name}")
            alerts[name] = rule
            expect(rule["labels"]["severity"] in ("critical", "warning"), f"severity of {name}")
            expect({"summary", "description"} <= rule["annotations"].keys(), f"annotations of {name}")
            check_used(rule["expr"], names, name)
    return alerts


def check_alertmanager(folder, alerts):
    settings = yaml.safe_load((folder / "alertmanager.yml").read_text())
    receivers = {one["name"] for one in settings["receivers"]}
    expect(settings["route"]["receiver"] in receivers, "the receiver")
    expect(settings["route"]["group_by"] == ["alertname", "target"], "one message a cause and table")
    for rule in settings["inhibit_rules"]:
        for matcher in rule["source_matchers"] + rule["target_matchers"]:
            name = re.fullmatch(r'alertname(=|!=|=~)"(.+)"', matcher)
            expect(name, f"matcher {matcher}")
            expect(any(re.fullmatch(name[2], one) for one in alerts), f"{matcher} matches no alert")


def check_dashboard(folder, names):
    board = json.loads((folder / "grafana-dashboard.json").read_text())
    places = set()
    for panel in board["panels"]:
        place = (panel["gridPos"]["x"], panel["gridPos"]["y"])
        expect(place not in places, f"{panel['title']} lies upon another panel")
        places.add(place)
        for target in panel["targets"]:
            check_used(target["expr"], names, panel["title"])
    for variable in board["templating"]["list"]:
        if variable["type"] == "query":
            check_used(variable["query"], names, variable["name"])


def ask_promtool(metrics, folder):
    promtool = shutil.which("promtool")
    if promtool is None:
        print("promtool is not installed: the rules' expressions were not parsed")
        return
    rules = subprocess.run([promtool, "check", "rules", folder / "idemdesk.rules.yml"], capture_output=True, text=True)
    expect(rules.returncode == 0, rules.stdout + rules.stderr)
    told = subprocess.run([promtool, "check", "metrics"], input=metrics, capture_output=True, text=True)
    # The documents call it so, and a gauge should not end in _count.
    lints = [one for one in (told.stdout + told.stderr).splitlines() if not one.startswith("idempotency_retry_count ")]
    expect(not lints, "\n".join(lints))


def main(metrics, folder):
    text = metrics.read_text()
    names = read_metrics(text)
    alerts = check_rules(folder, names)
    check_alertmanager(folder, alerts)
    check_dashboard(folder, names)
    ask_promtool(text, folder)
    print("\n".join(failures) if failures else f"{len(names)} names, {len(alerts)} alerts")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])))
