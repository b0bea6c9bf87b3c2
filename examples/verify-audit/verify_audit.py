"""Verifies a file of `holdpoint audit export`: python3 verify_audit.py FILE [HEAD ...]"""

import hashlib
import json
import re
import sys

EVENT = re.compile(
    rb'\{"type":"event","seq":([1-9][0-9]*),"hash":"([0-9a-f]{64})","event":(\{.*\})\}\n', re.S
)


def verify(lines, heads=()):
    """Raises ValueError unless each byte is as it was exported and each head is the hash of an event."""
    whole, count, log, ended, missing = hashlib.sha256(), 0, None, False, set(heads)

    def need(condition, problem):
        if not condition:
            raise ValueError(f"line {count}: {problem}")

    for line in lines:
        need(not ended, "something stands behind the end")
        if line.startswith(b'{"type":"end"'):
            end = '{"type":"end","lines":%d,"sha256":"%s"}\n' % (count, whole.hexdigest())
            need(log is None and line == end.encode(), "a line was changed, or is missing")
            ended = True
            continue
        count += 1
        whole.update(line)
        event = EVENT.fullmatch(line)
        if event:
            seq, claimed, text = int(event[1]), event[2].decode(), event[3]
            need(log is not None and seq == log["seq"] + 1, "an event is missing, or too much")
            link = f"{log['hash']}\n{log['key']}\n{seq}\n".encode() + text
            need(hashlib.sha256(link).hexdigest() == claimed, "does not match the lines before it")
            log.update(seq=seq, hash=claimed)
            missing.discard(claimed)
            continue
        entry = json.loads(line)
        need(isinstance(entry, dict) and entry.get("type") != "event", "is no line of an export")
        if entry.get("type") == "session":
            need(log is None, "a session ends without its head")
            log = {"key": entry.get("key"), "events": entry.get("events"), "seq": 0, "hash": "0" * 64}
        elif entry.get("type") == "head":
            need(log is not None and log["seq"] == log["events"], "events are missing before the head")
            need((entry.get("seq"), entry.get("hash")) == (log["seq"], log["hash"]), "is another head")
            log = None
    need(ended, "the end is missing")
    need(not missing, f"these heads are not in it: {sorted(missing)}")
    return count


if __name__ == "__main__":
    try:
        with open(sys.argv[1], "rb") as file:
            print(f"{verify(file, sys.argv[2:])} lines, each as it was exported.")
    except ValueError as problem:
        sys.exit(f"! {problem}")
