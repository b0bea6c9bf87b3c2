import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";

import type { Clock } from "@holdpoint/engine";
import type { LeaseState, NodeLease, NodeLeaseOptions, NodeTerm } from "@holdpoint/store-postgres";
import { claimDataFolder } from "@holdpoint/store-sqlite";

import {
  type GatewaySecret,
  openSecretBytes,
  SECRET_FILE,
  toSecret,
} from "../compose/gateway-secret.ts";
import { openPushKey } from "../compose/open-notifications.ts";
import { type OpenedStore, refuseOtherStore, type StoreEvents } from "../compose/open-store.ts";
import type { ClusterSettings } from "../config/cluster-settings.ts";
import type { Settings } from "../config/settings.ts";
import { readClusterSecret } from "./cluster-secret.ts";

type NodeSettings = Pick<Settings, "acceptLoss" | "dataDir" | "store"> & {
  readonly cluster: ClusterSettings;
};

/** A node's resources in either role. Disposing it frees its data folder. */
export interface Membership extends AsyncDisposable {
  readonly kind: "node";
  /** This node's unique id. */
  readonly node: string;
  /** The secret of all nodes, so that each recognises the others' signatures. */
  readonly secret: GatewaySecret;
  /** The 32-byte key with which nodes authenticate each other. */
  readonly linkKey: Uint8Array;
  openLease(options: Omit<NodeLeaseOptions, "node" | "url">): NodeLease;
  /** For the time that the node works. Rejects with `StoreError`. */
  openStore(
    term: Pick<NodeTerm, "fence" | "seen" | "signal">,
    events: StoreEvents,
  ): Promise<OpenedStore>;
}
export type { LeaseState };

/**
 * Joins the nodes of a database. All sign with the keys of the first node that joined, which the database stores sealed
 * with the cluster secret. Rejects with `UsageError` or `StoreError`.
 */
export async function openMembership(settings: NodeSettings, clock: Clock): Promise<Membership> {
  const { dataDir, store: url = "", acceptLoss, cluster } = settings;
  const clusterSecret = readClusterSecret(cluster);
  await using opening = new AsyncDisposableStack();
  opening.use(claimDataFolder(dataDir));
  refuseOtherStore(dataDir);
  const isNew = !existsSync(join(dataDir, SECRET_FILE));
  const own = async (): Promise<Record<"gateway" | "push", Buffer>> => ({
    gateway: await openSecretBytes(dataDir),
    push: await openPushKey(dataDir),
  });
  const postgres = await import("@holdpoint/store-postgres");
  const keys = await postgres.joinNodes({
    url,
    clock,
    key: clusterSecret.derive("keys"),
    own,
    isNew,
  });
  const node = randomBytes(8).toString("hex");
  const secret = toSecret(keys.gateway);
  const key = clusterSecret.derive("values");
  const opened = opening.move();
  return {
    kind: "node",
    node,
    secret,
    linkKey: clusterSecret.derive("link"),
    openLease: (options) => new postgres.NodeLease({ ...options, node, url }),
    async openStore(term, events) {
      const store = await postgres.openPostgresStore({
        url,
        dataDir,
        acceptLoss,
        ...events,
        node: { ...term, node, key },
      });
      return {
        store,
        credentials: store.credentials,
        notifications: store.notifications,
        callbacks: store.callbacks,
        usedStates: store.usedStates,
        pushKey: keys.push,
        secret,
        [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
      };
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
