// Runs before each test file.
import { vi } from "vitest";

import { PATIENCE_MS } from "./patience-ms.ts";

const { waitFor } = vi;
if (waitFor.name !== "waitPatiently") {
  // Its default second is too short while a busy machine starts a process, and no setting changes it.
  vi.waitFor = function waitPatiently(callback, options = {}) {
    const ownTime = typeof options === "number" ? { timeout: options } : options;
    return waitFor(callback, { timeout: PATIENCE_MS, ...ownTime });
  };
}

if ("document" in globalThis) {
  const { configure } = await import("@testing-library/react");
  configure({ asyncUtilTimeout: PATIENCE_MS });
}
