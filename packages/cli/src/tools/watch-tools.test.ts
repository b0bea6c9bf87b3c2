import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createSystemClock } from "@holdpoint/engine";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { watchTools } from "./watch-tools.ts";

let folder: string;
let watching: Disposable | undefined;
let changes: number;

beforeEach(async () => {
  changes = 0;
  folder = await mkdtemp(join(tmpdir(), "holdpoint-watch-"));
});
afterEach(async () => {
  watching?.[Symbol.dispose]();
  await rm(folder, { recursive: true, force: true });
});

function start(onChange = async () => void (changes += 1)): void {
  watching = watchTools({
    folder,
    configNames: ["holdpoint.config.ts"],
    listFiles: () => [join(folder, "lib/shared.ts")],
    clock: createSystemClock(),
    onChange,
    onError: () => undefined,
  });
}

const write = (name: string) => writeFile(join(folder, name), "");
/** Watching starts after the call that starts it, so the file is written until it is noticed. */
const seen = (name: string, count: number) =>
  vi.waitFor(
    async () => {
      await write(name);
      expect(changes).toBeGreaterThanOrEqual(count);
    },
    { interval: 250 },
  );

test("a change to a tool file or to the config file is noticed", async () => {
  await mkdir(join(folder, "tools"));
  start();
  await seen("tools/a.ts", 1);
  const before = changes;
  await seen("holdpoint.config.ts", before + 1);
  expect(changes).toBeGreaterThan(before);
});

test("a change to an imported file is noticed", async () => {
  await mkdir(join(folder, "lib"));
  start();
  await seen("lib/shared.ts", 1);
  expect(changes).toBeGreaterThan(0);
});

test("the folder may be created later", async () => {
  start();
  await mkdir(join(folder, "tools"));
  await seen("tools/a.ts", 1);
  const before = changes;
  await seen("tools/b.ts", before + 1);
  expect(changes).toBeGreaterThan(before);
});

test("no change is reported while another one is being loaded, or after the end", async () => {
  await mkdir(join(folder, "tools"));
  let running = 0;
  let most = 0;
  start(async () => {
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
    changes += 1;
  });
  await seen("tools/a.ts", 2);
  expect(most).toBe(1);
  watching?.[Symbol.dispose]();
});

test("a change that could not be read does not end the watch", async () => {
  await mkdir(join(folder, "tools"));
  start(async () => {
    changes += 1;
    if (changes === 1) throw new Error("There is no file descriptor.");
  });
  await seen("tools/a.ts", 1);
  await seen("tools/b.ts", 2);
  expect(changes).toBeGreaterThan(1);
});
