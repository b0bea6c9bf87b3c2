import { spawn } from "node:child_process";
import { once } from "node:events";

import { expect, test } from "vitest";

import { isRunning } from "./testing/processes.ts";
import { endTree, MARK_NAME } from "./watchdog.ts";

/** The system needs a tenth of a second to release its memory. */
const LARGE =
  "globalThis.held = Buffer.alloc(1_000_000_000, 1); console.log('up'); setInterval(() => {}, 1000)";

test("[R-5] a process tree counts as ended once its processes are gone, not when they are signalled", async () => {
  const mark = crypto.randomUUID();
  const large = spawn(process.execPath, ["-e", LARGE], {
    env: { ...process.env, [MARK_NAME]: mark },
    detached: true,
  });
  await once(large.stdout, "data");
  const pid = large.pid!;
  await endTree(undefined, mark);
  expect(isRunning(pid)).toBe(false);
});
