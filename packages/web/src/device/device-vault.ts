import type { SignedInDevice } from "@holdpoint/client";

/**
 * Where this origin keeps what it signed in with. The key is a `CryptoKey` that cannot be exported, which only IndexedDB
 * can keep: no script, file or backup has it as text. All pages of the origin share it.
 */
export interface DeviceVault {
  /** Resolves to `undefined` when nobody is signed in, or when the browser refuses storage. */
  read(): Promise<SignedInDevice | undefined>;
  /** Rejects when the browser refuses storage. */
  write(device: SignedInDevice | undefined): Promise<void>;
}

const STORE = "device";
const KEY = "signed-in";

export function createDeviceVault(openFactory: () => IDBFactory): DeviceVault {
  const run = async <T>(
    mode: IDBTransactionMode,
    act: (store: IDBObjectStore) => IDBRequest<T>,
  ): Promise<T> => {
    const opening = openFactory().open("holdpoint", 1);
    opening.addEventListener("upgradeneeded", () => opening.result.createObjectStore(STORE));
    const database = await settled(opening);
    try {
      return await settled(act(database.transaction(STORE, mode).objectStore(STORE)));
    } finally {
      database.close();
    }
  };
  return {
    read: () =>
      run<SignedInDevice | undefined>("readonly", (store) => store.get(KEY)).catch(() => undefined),
    async write(device) {
      await run<unknown>("readwrite", (store): IDBRequest =>
        device ? store.put(device, KEY) : store.delete(KEY),
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
