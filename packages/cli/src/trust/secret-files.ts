import { homedir } from "node:os";
import { join, resolve } from "node:path";

import type { Settings } from "../config/settings.ts";
import type { Environment } from "../variables.ts";

/** Files from which the gateway has secrets: that of all nodes, and the passwords of databases. They need not exist. */
export function secretFiles(
  { cluster, store }: Pick<Settings, "cluster" | "store">,
  { PGPASSFILE: passwords }: Environment,
): readonly string[] {
  const files: string[] = [];
  if (cluster?.secret.kind === "file") files.push(cluster.secret.path);
  if (store !== undefined) files.push(resolve(passwords || join(homedir(), ".pgpass")));
  return files;
}
