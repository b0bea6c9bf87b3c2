import type { SnapshotSource } from "@holdpoint/client";
import type { Session } from "@holdpoint/protocol";

import type { DeviceStorage } from "../device/device-storage.ts";
import { beginSeen, parseSeen, withLook, type Seen } from "./seen.ts";

/** The turns looked at on this device, in all of its tabs. */
export interface SeenStore extends SnapshotSource<Seen | undefined> {
  /** Marks all sessions as seen, unless this device already has a record. */
  begin(sessions: readonly Session[]): void;
  look(session: Session): void;
}

export function createSeenStore(storage: DeviceStorage): SeenStore {
  const listeners = new Set<() => void>();
  let seen = parseSeen(storage.read("seen"));
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  const keep = (next: Seen): void => {
    if (next === seen) return;
    seen = next;
    storage.write("seen", JSON.stringify(next));
    tell();
  };
  storage.watch("seen", () => {
    seen = parseSeen(storage.read("seen"));
    tell();
  });
  return {
    getSnapshot: () => seen,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    begin: (sessions) => keep(seen ?? beginSeen(sessions)),
    look(session) {
      if (seen !== undefined) keep(withLook(seen, session));
    },
  };
}
