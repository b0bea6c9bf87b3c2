import { createHash } from "node:crypto";
import { join } from "node:path";

/** The socket through which the command line reaches the gateway of a data folder. Only its user can open it. */
export function controlPath(dataDir: string): string {
  if (process.platform !== "win32") return join(dataDir, "control.sock");
  const name = createHash("sha256").update(dataDir).digest("hex").slice(0, 32);
  return String.raw`\\.\pipe\holdpoint-${name}`;
}
