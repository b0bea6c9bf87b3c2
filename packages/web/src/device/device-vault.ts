import type { PendingSignIn, SignedInDevice } from "@holdpoint/client";

import { PLACE } from "../page-place.ts";

/**
 * Where this origin keeps what it signed in with. The key is a `CryptoKey` that cannot be exported, which only IndexedDB
 * can keep: no script, file or backup has it as text. All pages of the origin share it.
 */
export type DeviceVault = Vault<SignedInDevice>;

/** The sign-in at an issuer that this browser has begun, and the path at which it did. */
export type PendingVault = Vault<PendingSignIn & { readonly path: string }>;

interface Vault<T> {
  /** Resolves to `undefined` when there is nothing, or when the browser refuses storage. */
  read(): Promise<T | undefined>;
  /** Rejects when the browser refuses storage. */
  write(value: T | undefined): Promise<void>;
}

const STORE = "device";

export function createDeviceVault(openFactory: () => IDBFactory): DeviceVault {
  return createVault(openFactory, "signed-in");
}

export function createPendingVault(openFactory: () => IDBFactory): PendingVault {
  return createVault(openFactory, "signing-in");
}

function createVault<T>(openFactory: () => IDBFactory, key: string): Vault<T> {
  const run = async <TResult>(
    mode: IDBTransactionMode,
    act: (store: IDBObjectStore) => IDBRequest<TResult>,
  ): Promise<TResult> => {
    const opening = openFactory().open(`holdpoint${PLACE.slice(0, -1)}`, 1);
    opening.addEventListener("upgradeneeded", () => opening.result.createObjectStore(STORE));
    const database = await settled(opening);
    try {
      return await settled(act(database.transaction(STORE, mode).objectStore(STORE)));
    } finally {
      database.close();
    }
  };
  return {
    read: () => run<T | undefined>("readonly", (store) => store.get(key)).catch(() => undefined),
    async write(value) {
      await run<unknown>("readwrite", (store): IDBRequest =>
        value ? store.put(value, key) : store.delete(key),
      );
    },
  };
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () =>
      reject(request.error ?? new Error("IndexedDB failed.")),
    );
  });
}
