import type { PendingSignIn, SignedInDevice } from "@holdpoint/client";

import { BASE_PATH } from "../base-path.ts";

/**
 * Stores the credential of this origin. Its key is a non-extractable `CryptoKey`, which only IndexedDB can store: no
 * script, file or backup has it as text. All pages of the origin share it.
 */
export type DeviceVault = Vault<SignedInDevice>;

/** The sign-in at an issuer that this browser has begun, and the path of the page at that time. */
export type PendingVault = Vault<PendingSignIn & { readonly path: string }>;

interface Vault<T> {
  /** Resolves to `undefined` if it is empty, or if the browser refuses storage. */
  read(): Promise<T | undefined>;
  /** Rejects if the browser refuses storage. */
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
    const opening = openFactory().open(`holdpoint${BASE_PATH.slice(0, -1)}`, 1);
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
