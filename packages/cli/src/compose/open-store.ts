import { existsSync, statSync } from "node:fs";
import { join } from "node:path";

import { type CredentialStore, type Store, StoreError } from "@holdpoint/engine";
import type { CallbackStore, NotificationStore } from "@holdpoint/notify";
import type { UsedStateRows } from "@holdpoint/store-postgres";
import { claimDataFolder, MOVED_MARK, openSqliteStore } from "@holdpoint/store-sqlite";

import type { Settings } from "../config/settings.ts";
import { type GatewaySecret, openGatewaySecret } from "./gateway-secret.ts";

/** The gateway's persistent data. Disposing it closes the store and the credentials with it. */
export interface OpenedStore extends AsyncDisposable {
  readonly store: Store;
  readonly credentials: CredentialStore;
  readonly notifications: NotificationStore;
  readonly callbacks: CallbackStore;
  /** Derives the keys with which the gateway recognises its own signatures. */
  readonly secret: GatewaySecret;
  /** The push key of all nodes; absent if it is in the data folder. */
  readonly pushKey?: Buffer;
  /** States that MCP clients have already used at any node; absent if they are in the data folder. */
  readonly usedStates?: UsedStateRows;
}

/** Events of a remote store while the gateway runs. */
export interface StoreEvents {
  /** Reports a line to the person: the store is unreachable, or back. */
  readonly onProblem: (problem: string) => void;
  /** The store no longer accepts anything, so the gateway has to end. */
  readonly onLost: (error: StoreError) => void;
}

type StoreSettings = Pick<Settings, "dataDir" | "acceptLoss" | "store">;
type OpenStore = AsyncDisposable &
  Pick<OpenedStore, "credentials" | "notifications" | "callbacks"> &
  Store;

/** A file in the data folder of a gateway whose store is a Postgres database. */
const POSTGRES_MARKER = "postgres.marker";
/** A file in the data folder while the store is being moved there from a database. */
const UNFINISHED_MOVE = "moving";

/**
 * Opens the store that the settings name. This is the only place that chooses a store. Rejects with `StoreError` if it
 * is unusable.
 */
export async function openStore(
  settings: StoreSettings,
  events: StoreEvents,
): Promise<OpenedStore> {
  const { dataDir } = settings;
  await using opening = new AsyncDisposableStack();
  const store = await openChosen(settings, events, opening);
  const secret = await openGatewaySecret(dataDir);
  const opened = opening.move();
  return {
    store,
    credentials: store.credentials,
    notifications: store.notifications,
    callbacks: store.callbacks,
    secret,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

async function openChosen(
  { dataDir, acceptLoss, store: url }: StoreSettings,
  events: StoreEvents,
  opening: AsyncDisposableStack,
): Promise<OpenStore> {
  if (url === undefined) {
    refuseForgottenStore(dataDir);
    return opening.use(await openSqliteStore({ dataDir, acceptLoss, ...events }));
  }
  // Two gateways with one folder would share its sockets and hosts.
  opening.use(claimDataFolder(dataDir, events));
  refuseOtherStore(dataDir);
  // Imported only when needed.
  const { openPostgresStore } = await import("@holdpoint/store-postgres");
  return opening.use(await openPostgresStore({ url, dataDir, acceptLoss, ...events }));
}

/**
 * Refuses a database if the data folder has its own store: all its questions would be hidden, and the keys of their
 * sensitive values removed.
 */
export function refuseOtherStore(dataDir: string): void {
  const { size } = statSync(join(dataDir, "holdpoint.db"), { throwIfNoEntry: false }) ?? {
    size: 0,
  };
  const isOther = [POSTGRES_MARKER, MOVED_MARK].every((name) => !existsSync(join(dataDir, name)));
  if (size === 0 || !isOther) return;
  throw new StoreError(
    "STORE_FAILED",
    `The data folder ${dataDir} already has sessions. Run \`holdpoint move --to postgres://…\`, ` +
      "or choose another folder with --data-dir.",
  );
}

/** Refuses an empty store in place of the database that has all questions, since they would seem lost. */
function refuseForgottenStore(dataDir: string): void {
  const marker = join(dataDir, POSTGRES_MARKER);
  if (!existsSync(marker)) return;
  if (existsSync(join(dataDir, UNFINISHED_MOVE))) {
    throw new StoreError(
      "STORE_FAILED",
      `A move from a Postgres database into the data folder ${dataDir} was not finished. ` +
        "Run the same `holdpoint move` again; or name the database with --store to stay with it.",
    );
  }
  throw new StoreError(
    "STORE_FAILED",
    `The gateway of the data folder ${dataDir} keeps its sessions in a Postgres database. Name it with --store; ` +
      `or delete ${marker}, and start without them.`,
  );
}
