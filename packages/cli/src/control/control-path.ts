import { createHash } from "node:crypto";
import { join } from "node:path";

/** Where the gateway of a data folder listens to its own command line. The folder is its user's alone. */
export function controlPath(dataDir: string): string {
  if (process.platform !== "win32") return join(dataDir, "control.sock");
  const name = createHash("sha256").update(dataDir).digest("hex").slice(0, 32);
  return String.raw`\\.\pipe\holdpoint-${name}`;
}
