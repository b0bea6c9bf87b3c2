import { UsageError } from "../usage-error.ts";
import type { SettingValues } from "./setting-values.ts";

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

/** `undefined` for a gateway without other nodes. Throws `UsageError`. */
export function resolveCluster({
  clusterSecretFile: path,
  clusterSecret: text,
  nodeAddress,
  store,
}: Pick<SettingValues, "clusterSecret" | "clusterSecretFile" | "nodeAddress" | "store">):
  | ClusterSettings
  | undefined {
  if (path === undefined && text === undefined) {
    if (nodeAddress === undefined) return undefined;
    throw new UsageError("--node-address is for several nodes. Add --cluster-secret-file FILE.");
  }
  if (store === undefined) {
    throw new UsageError(
      "Several nodes need one Postgres database. Add --store postgres://user@host/database.",
    );
  }
  const secret =
    path === undefined
      ? ({ kind: "text", text: text ?? "" } as const)
      : ({ kind: "file", path } as const);
  return { secret, ...parseAddress(nodeAddress) };
}

function parseAddress(address = "127.0.0.1"): Pick<ClusterSettings, "host" | "port"> {
  const [, v6, other, port = "0"] =
    /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/iu.exec(address) ?? [];
  const host = v6 ?? other;
  if (host === undefined || Number(port) > 65_535) {
    throw new UsageError(
      `Invalid --node-address "${address}". Use an address such as 10.0.0.2:4871 or node-1:4871.`,
    );
  }
  if (host === "0.0.0.0" || host === "::") {
    throw new UsageError(
      `Other nodes cannot connect to ${host}. Set --node-address to the address of this machine.`,
    );
  }
  return { host, port: Number(port) };
}
