import type { CredentialStore, Store } from "@holdpoint/engine";
import { openSqliteStore } from "@holdpoint/store-sqlite";

import type { Settings } from "./settings.ts";

/** What a gateway keeps its data in. Disposing it closes the store and the credentials with it. */
export interface OpenedStore extends AsyncDisposable {
  readonly store: Store;
  readonly credentials: CredentialStore;
}

/**
 * Opens the store that the settings name: the one place where a store is chosen. Rejects with `StoreError` when it
 * cannot be used.
 */
export async function openStore({ dataDir }: Pick<Settings, "dataDir">): Promise<OpenedStore> {
  const store = await openSqliteStore({ dataDir });
  return {
    store,
    credentials: store.credentials,
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}
