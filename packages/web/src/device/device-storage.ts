import { BASE_PATH } from "../base-path.ts";

/** This device's settings for the page. Never throws; without storage, they are kept until the page closes. */
export interface DeviceStorage {
  read(key: DeviceKey): string | undefined;
  write(key: DeviceKey, value: string | undefined): void;
  /** Calls back when another tab changes the value. Returns the function to stop. */
  watch(key: DeviceKey, changed: () => void): () => void;
}

/**
 * `device` is the id of the sign-in, which notifies other tabs of changes; the token itself is in the vault. `notify`
 * is `page` if open pages show notifications themselves, or else the push address that the gateway was last given.
 * `seen` records which turns have been looked at.
 */
type DeviceKey =
  | "device"
  | "clientId"
  | "theme"
  | "language"
  | "interaction"
  | "inbox"
  | "notify"
  | "seen";

/** Includes the path, since the same origin may have another gateway under another path. */
const PREFIX = `holdpoint${BASE_PATH.slice(0, -1)}.`;

export function createDeviceStorage(storage: () => Storage, target: EventTarget): DeviceStorage {
  const memory = new Map<DeviceKey, string>();
  return {
    read(key) {
      try {
        return storage().getItem(PREFIX + key) ?? memory.get(key);
      } catch {
        return memory.get(key);
      }
    },
    write(key, value) {
      if (value === undefined) memory.delete(key);
      else memory.set(key, value);
      try {
        if (value === undefined) storage().removeItem(PREFIX + key);
        else storage().setItem(PREFIX + key, value);
      } catch {
        // Storage is off or full: the value is in memory.
      }
    },
    watch(key, changed) {
      const listener = (event: Event): void => {
        if (event instanceof StorageEvent && event.key === PREFIX + key) changed();
      };
      target.addEventListener("storage", listener);
      return () => target.removeEventListener("storage", listener);
    },
  };
}

/** This device's client id. Created once and kept. */
export function readClientId(storage: DeviceStorage, createKey: () => string): string {
  const known = storage.read("clientId");
  if (known !== undefined) return known;
  const created = createKey();
  storage.write("clientId", created);
  return created;
}
