import { once } from "node:events";
import { readlinkSync } from "node:fs";
import { chmod, readlink, rm, symlink } from "node:fs/promises";
import type { Server } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

import { createPrivateFolder, isShortSocketPath } from "@holdpoint/agents";

/*
 * A socket's path holds about a hundred bytes, but a data folder's path can be longer. In that case the socket is in a
 * private folder for temporary files, and a link in the data folder leads to it.
 */

/**
 * Makes the server listen where `socketAt` finds it, for its user only. Disposing the result removes the socket's
 * files.
 */
export async function listenAt(server: Server, path: string): Promise<AsyncDisposable> {
  // A killed gateway leaves its socket behind.
  await removeSocket(path);
  const isLinked = process.platform !== "win32" && !isShortSocketPath(path);
  const place = isLinked ? join(createPrivateFolder(tmpdir()), "host") : path;
  server.listen(place);
  await once(server, "listening");
  server.on("error", () => undefined); // for example, no file descriptor is left for a connection
  if (process.platform !== "win32") await chmod(place, 0o600);
  if (isLinked) await symlink(place, path);
  return { [Symbol.asyncDispose]: () => (isLinked ? removeSocket(path) : Promise.resolve()) };
}

/** The path under which a program connects to the socket with this name. */
export function socketAt(path: string): string {
  if (process.platform === "win32" || isShortSocketPath(path)) return path;
  try {
    return readlinkSync(path);
  } catch {
    return path; // no gateway is running, so connecting fails
  }
}

async function removeSocket(path: string): Promise<void> {
  const place = await readlink(path).catch(() => undefined);
  await rm(path, { force: true });
  const folder = dirname(place ?? "");
  if (basename(folder).startsWith("holdpoint-")) await rm(folder, { recursive: true, force: true });
}
