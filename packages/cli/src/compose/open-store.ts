import { existsSync, statSync } from "node:fs";
import { join } from "node:path";

import { type CredentialStore, type Store, StoreError } from "@holdpoint/engine";
import type { CallbackStore, NotificationStore } from "@holdpoint/notify";
import type { UsedStateRows } from "@holdpoint/store-postgres";
import { claimDataFolder, MOVED_MARK, openSqliteStore } from "@holdpoint/store-sqlite";

import type { Settings } from "../config/settings.ts";
import { type GatewaySecret, openGatewaySecret } from "./gateway-secret.ts";

/** What a gateway keeps its data in. Disposing it closes the store and the credentials with it. */
export interface OpenedStore extends AsyncDisposable {
  readonly store: Store;
  readonly credentials: CredentialStore;
  readonly notifications: NotificationStore;
  readonly callbacks: CallbackStore;
  /** With it the gateway knows its own signatures again. */
  readonly secret: GatewaySecret;
  /** Of all nodes; absent where it is in the data folder. */
  readonly pushKey?: Buffer;
  /** What MCP clients have come back with at any node; absent where that is in the data folder. */
  readonly usedStates?: UsedStateRows;
}

/** What becomes of a store that is somewhere else while the gateway runs. */
export interface StoreEvents {
  /** Tells the person a line: the store is away, or back. */
  readonly onProblem: (problem: string) => void;
  /** It takes nothing any more. The gateway has to end. */
  readonly onLost: (error: StoreError) => void;
}

type StoreSettings = Pick<Settings, "dataDir" | "acceptLoss" | "store">;
type OpenStore = AsyncDisposable &
  Pick<OpenedStore, "credentials" | "notifications" | "callbacks"> &
  Store;

/** In the data folder of a gateway whose store is a Postgres database. */
const POSTGRES_MARKER = "postgres.marker";
/** In the data folder, while the store is moved there from a database. */
const UNFINISHED_MOVE = "moving";

/**
 * Opens the store that the settings name: the one place where a store is chosen. Rejects with `StoreError` when it
 * cannot be used.
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
  // Two gateways of one folder would share its sockets and hosts.
  opening.use(claimDataFolder(dataDir, events));
  refuseOtherStore(dataDir);
  // Nobody else loads it.
  const { openPostgresStore } = await import("@holdpoint/store-postgres");
  return opening.use(await openPostgresStore({ url, dataDir, acceptLoss, ...events }));
}

/** Beside a store of its own the database would hide all questions, and end the keys of their sensitive values. */
export function refuseOtherStore(dataDir: string): void {
  const { size } = statSync(join(dataDir, "holdpoint.db"), { throwIfNoEntry: false }) ?? {
    size: 0,
  };
  const isOther = [POSTGRES_MARKER, MOVED_MARK].every((name) => !existsSync(join(dataDir, name)));
  if (size === 0 || !isOther) return;
  throw new StoreError(
    "STORE_FAILED",
    `The data folder ${dataDir} holds sessions of its own. Run \`holdpoint move --to postgres://…\`, ` +
      "or choose another folder with --data-dir.",
  );
}

/** An empty store in the place of the one that has all questions would look as if they were lost. */
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
