import { PLACE } from "../page-place.ts";

/** What this device remembers of this page. Never throws; without storage it remembers until the page closes. */
export interface DeviceStorage {
  read(key: DeviceKey): string | undefined;
  write(key: DeviceKey, value: string | undefined): void;
  /** Calls back when another tab changed the value; returns how to stop. */
  watch(key: DeviceKey, changed: () => void): () => void;
}

/**
 * `device` is the id of the sign-in, which tells other tabs of it; the token itself is in the vault. `notify` is `page` where
 * open pages notify by themselves, or the address that the browser's push service had when it was last said to the gateway. `seen` says up to where sessions
 * were looked at.
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

/** Under a path there may be another gateway on the same origin. */
const PREFIX = `holdpoint${PLACE.slice(0, -1)}.`;

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
        // Storage is off or full: the memory above has it.
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

/** This device's name for the gateway; made once and kept. */
export function readClientId(storage: DeviceStorage, createKey: () => string): string {
  const known = storage.read("clientId");
  if (known !== undefined) return known;
  const created = createKey();
  storage.write("clientId", created);
  return created;
}
