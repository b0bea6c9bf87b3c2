import { randomBytes } from "node:crypto";

import type { Clock, Ids } from "@holdpoint/engine";

/** Real time, for tests that wait for real processes. */
export const realClock: Clock = {
  now: () => Date.now(),
  schedule(atMs, run) {
    const timer = setTimeout(run, Math.max(0, atMs - Date.now()));
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
  sleep(durationMs, { signal }) {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener("abort", onAbort);
        resolve();
      }, durationMs);
      signal.addEventListener("abort", onAbort, { once: true });
    });
  },
};

export const randomIds: Ids = {
  next: (prefix) => `${prefix}_${randomBytes(16).toString("base64url")}`,
};
