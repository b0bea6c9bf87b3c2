import type { CredentialStore, Store } from "@holdpoint/engine";
import type { CallbackStore, NotificationStore } from "@holdpoint/notify";
import { openSqliteStore } from "@holdpoint/store-sqlite";

import { type GatewaySecret, openGatewaySecret } from "./gateway-secret.ts";
import type { Settings } from "./settings.ts";

/** What a gateway keeps its data in. Disposing it closes the store and the credentials with it. */
export interface OpenedStore extends AsyncDisposable {
  readonly store: Store;
  readonly credentials: CredentialStore;
  readonly notifications: NotificationStore;
  readonly callbacks: CallbackStore;
  /** With it the gateway knows its own signatures again. */
  readonly secret: GatewaySecret;
}

/**
 * Opens the store that the settings name: the one place where a store is chosen. Rejects with `StoreError` when it
 * cannot be used.
 */
export async function openStore({
  dataDir,
  acceptLoss,
}: Pick<Settings, "dataDir" | "acceptLoss">): Promise<OpenedStore> {
  await using opening = new AsyncDisposableStack();
  const store = opening.use(await openSqliteStore({ dataDir, acceptLoss }));
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
