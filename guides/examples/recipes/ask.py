import json, os, time, urllib.error, urllib.request


def ask(prompt, key, label="job.py", timeout_ms=3_600_000):
    """True if a person approved; False if they denied, or no one answered in time."""
    body = {"kind": "approval", "prompt": prompt, "label": label,
            "timeoutMs": timeout_ms, "idempotencyKey": key}
    asked = call("POST", "/api/asks", body)
    while asked["status"] == "pending":
        asked = call("GET", f"/api/asks/{asked['interactionId']}?wait=30s")
        time.sleep(0.2)
    return asked.get("response", {}).get("action") == "approve"


def call(method, path, body=None):
    """Sends a request, retrying until the gateway is available: the key makes it one ask."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": "Bearer " + os.environ["HOLDPOINT_AGENT_TOKEN"],
               "Content-Type": "application/json"}
    request = urllib.request.Request(os.environ["HOLDPOINT_URL"] + path, data, headers, method=method)
    while True:
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code not in (429, 500, 502, 503, 504):
                raise
        except OSError:
            pass  # it may be restarting
        time.sleep(2)


if __name__ == "__main__":
    print("yes" if ask("Rotate the keys?", key="rotate-keys-2026-11") else "no")
