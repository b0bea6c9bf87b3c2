import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

import { expect, test } from "vitest";

const PROGRAM = join(import.meta.dirname, "memory-program.ts");

test("[R-14] 10,000 interactions opened and settled leave no timer and release their memory", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", PROGRAM]);
  const figures = JSON.parse(stdout) as {
    interactions: number;
    bytesLeft: number;
    resourcesLeft: number;
  };
  expect(figures.interactions).toBe(10_000);
  expect(figures.bytesLeft).toBeLessThan(20 * 1024 * 1024);
  expect(figures.resourcesLeft).toBeLessThanOrEqual(0);
}, 240_000);
