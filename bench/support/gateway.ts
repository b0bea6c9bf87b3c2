import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";

import type { GatewayPlace } from "./gateway-protocol.ts";
import { withFolder, withProcess } from "./processes.ts";

/** Runs a gateway on a data folder in a separate process, with its store in a database if one is given. */
export function withGatewayOn<TResult>(
  dataDir: string,
  use: (gateway: ChildProcess, place: GatewayPlace) => Promise<TResult>,
  database?: string,
): Promise<TResult> {
  const token = randomBytes(32).toString("base64url");
  const program = join(import.meta.dirname, "gateway-process.ts");
  return withProcess(
    program,
    [dataDir, token, ...(database === undefined ? [] : [database])],
    (gateway, place) => use(gateway, place as GatewayPlace),
  );
}

/** Runs a gateway on a new data folder in a separate process. */
export function withGateway<TResult>(
  use: (gateway: ChildProcess, place: GatewayPlace) => Promise<TResult>,
): Promise<TResult> {
  return withFolder((folder) => withGatewayOn(folder, use));
}
