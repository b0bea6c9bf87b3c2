import { vi } from "vitest";

/** `vi.waitFor` with the patience that a busy machine needs: sockets and processes take their time there. */
export function waitFor<T>(callback: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(callback, { interval: 10 });
}
