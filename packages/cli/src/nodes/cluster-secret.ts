import { hkdfSync } from "node:crypto";

import type { GatewaySecret } from "../compose/gateway-secret.ts";
import type { ClusterSettings } from "../config/cluster-settings.ts";
import { readPrivateText } from "../private-text.ts";
import { UsageError } from "../usage-error.ts";

const MIN_BYTES = 32;
const DERIVED_BYTES = 32;

/** The secret shared by all nodes. Throws `UsageError` if it is too short, or readable by others. */
export function readClusterSecret({ secret }: Pick<ClusterSettings, "secret">): GatewaySecret {
  const name =
    secret.kind === "file" ? "The cluster secret" : "The variable HOLDPOINT_CLUSTER_SECRET";
  const text = secret.kind === "file" ? readPrivateText(secret.path, name) : secret.text;
  const bytes = Buffer.from(text);
  if (bytes.length < MIN_BYTES) {
    throw new UsageError(
      `${name} is too short: at least ${MIN_BYTES} random bytes, such as from \`openssl rand -hex 32\`.`,
    );
  }
  return {
    derive: (purpose) =>
      Buffer.from(hkdfSync("sha256", bytes, "", `holdpoint nodes ${purpose}`, DERIVED_BYTES)),
  };
}
