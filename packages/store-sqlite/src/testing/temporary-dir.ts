import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { onTestFinished } from "vitest";

/** A new folder that is removed after the running test. */
export function createTemporaryDir(): string {
  const path = mkdtempSync(join(tmpdir(), "holdpoint-store-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
