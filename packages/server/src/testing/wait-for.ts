import { vi } from "vitest";

/** `vi.waitFor` with enough time for a busy machine, where sockets and processes are slow. */
export function waitFor<T>(callback: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(callback, { interval: 10 });
}
