import { resolve } from "node:path";

import type { Flags } from "../command-line.ts";
import { UsageError } from "../usage-error.ts";
import type { Variables } from "../variables.ts";
import type { ConfigFile } from "./config-file.ts";

/** The settings of a gateway that is one of several nodes. */
export interface ClusterSettings {
  /** The location of the secret shared by all nodes. */
  readonly secret:
    | { readonly kind: "file"; readonly path: string }
    | { readonly kind: "text"; readonly text: string };
  /** The address at which other nodes reach this one. Port 0: any free port. */
  readonly host: string;
  readonly port: number;
}

interface Sources {
  readonly flags: Flags;
  readonly file: ConfigFile;
  readonly startDirectory: string;
  readonly store: string | undefined;
}

/** `undefined` for a gateway without other nodes. Throws `UsageError`. */
export function resolveCluster(
  { flags, file, startDirectory, store }: Sources,
  variables: Variables,
): ClusterSettings | undefined {
  const { secretFile, nodeAddress } = file.cluster ?? {};
  const path = flags["cluster-secret-file"] ?? variables.CLUSTER_SECRET_FILE ?? secretFile;
  const address = flags["node-address"] ?? variables.NODE_ADDRESS ?? nodeAddress;
  const secret = toSecret(path && resolve(startDirectory, path), variables.CLUSTER_SECRET);
  if (!secret) {
    if (address === undefined) return undefined;
    throw new UsageError("--node-address is for several nodes: name a --cluster-secret-file too.");
  }
  if (store === undefined) {
    throw new UsageError(
      "Several nodes need one Postgres database: name it with --store postgres://user@host/database.",
    );
  }
  return { secret, ...parseAddress(address) };
}

function toSecret(
  path: string | undefined,
  text: string | undefined,
): ClusterSettings["secret"] | undefined {
  if (path !== undefined) return { kind: "file", path };
  return text === undefined ? undefined : { kind: "text", text };
}

function parseAddress(address = "127.0.0.1"): Pick<ClusterSettings, "host" | "port"> {
  const [, v6, other, port = "0"] =
    /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/iu.exec(address) ?? [];
  const host = v6 ?? other;
  if (host === undefined || Number(port) > 65_535) {
    throw new UsageError(
      `"${address}" is no address for other nodes. Use one such as 10.0.0.2:4871 or node-1:4871.`,
    );
  }
  if (host === "0.0.0.0" || host === "::") {
    throw new UsageError(
      `Other nodes cannot connect to ${host}. Name the address of this machine with --node-address.`,
    );
  }
  return { host, port: Number(port) };
}
