import { homedir } from "node:os";
import { join, resolve } from "node:path";

import type { Environment } from "../environment.ts";
import type { Settings } from "./settings.ts";

/** A descriptor or the standard input: not a file that others could open. */
const NO_FILE = /^-$|^\/dev\/|^\/proc\//u;

/**
 * Files from which the gateway reads secrets: the secret of all nodes, the passwords of databases, a program's token,
 * and the key of its certificate. They need not exist.
 */
export function secretFiles(
  { cluster, store, tls }: Pick<Settings, "cluster" | "store" | "tls">,
  env: Environment,
): readonly string[] {
  const files: string[] = [];
  const { HOLDPOINT_TOKEN_FILE: token, PGPASSFILE: passwords } = env;
  if (cluster?.secret.kind === "file") files.push(cluster.secret.path);
  if (store !== undefined) files.push(resolve(passwords || join(homedir(), ".pgpass")));
  if (token && !NO_FILE.test(token)) files.push(resolve(token));
  if (tls) files.push(tls.keyPath);
  return files;
}
