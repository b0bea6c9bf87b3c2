import { StoreError } from "../lib/gateway-error.ts";
import { createMemoryStore } from "../memory-store/memory-store.ts";
import type { Batch, Store, StoredInteraction } from "../ports/store.ts";
import { wrapStore, type StoreFaults } from "./wrapped-store.ts";

/** Storage that survives the processes that write to it. */
export interface Disk extends AsyncDisposable {
  /** A store with only the committed data, for a new process. The previous process has to be dead. */
  open(): Promise<MortalStore>;
}

export interface MortalStore extends Store {
  readonly isDead: boolean;
  /** The number of calls so far, and of those in progress. */
  readonly traffic: { readonly calls: number; readonly underWay: number };
  /** Called with each committed batch, before the commit is reported to its writer. */
  onCommit: ((batch: Batch) => Promise<void>) | undefined;
  /** Called with each interaction found to be due, before it is reported to the caller. */
  onDue: ((due: StoredInteraction) => Promise<void>) | undefined;
  /** The process dies: its uncommitted data is lost, and it gets no more results. */
  kill(): void;
  /** The process dies at a later write, after `write` others, just before it is committed or just after. */
  killAt(write: number, moment: WriteMoment): void;
  /** A later write, after `write` others, is reported as failed, though it may be committed; 0 cancels that. */
  failAt(write: number, moment: WriteMoment): void;
  /** The session of each write that was reported as failed. */
  readonly failed: readonly string[];
}

export type WriteMoment = "before_commit" | "after_commit";

/** A planned failure of one of the next writes. */
interface Trouble {
  writesLeft: number;
  readonly moment: WriteMoment;
}

type Append = Parameters<Store["append"]>;

/** Stores appends only: deleted data comes back. */
export function createMemoryDisk(): Disk {
  const committed: Append[] = [];
  return {
    async open() {
      const inner = createMemoryStore();
      for (const append of committed) await inner.append(...append);
      return createMortalStore(inner, (append) => committed.push(append));
    },
    async [Symbol.asyncDispose]() {
      committed.length = 0;
    },
  };
}

/** The store of a process that can die at any write. `commit` gets the written data. */
export function createMortalStore(inner: Store, commit: (append: Append) => void): MortalStore {
  const traffic = { calls: 0, underWay: 0 };
  let death: Trouble | undefined;
  let failure: Trouble | undefined;
  const failed: string[] = [];
  const fail = ({ sessionId }: Batch): never => {
    failure = undefined;
    failed.push(sessionId);
    throw new StoreError("STORE_FAILED", "The disk has failed.");
  };
  const faults: StoreFaults = {
    onCall(call) {
      traffic.calls += 1;
      traffic.underWay += 1;
      const end = () => void (traffic.underWay -= 1);
      call.then(end, end);
    },
    async beforeAppend(batch) {
      // Handed-in data is not committed yet: a disk takes time.
      await Promise.resolve();
      if (death) death.writesLeft -= 1;
      if (failure) failure.writesLeft -= 1;
      if (failure?.writesLeft === 0 && failure.moment === "before_commit") fail(batch);
      if (death?.writesLeft === 0 && death.moment === "before_commit") faults.dead = true;
      if (faults.dead) throw new StoreError("STORE_FAILED", "The process is dead.");
    },
    async afterAppend(...append) {
      commit(structuredClone(append));
      if (failure?.writesLeft === 0) fail(append[0]);
      if (death?.writesLeft === 0) faults.dead = true;
      else await store.onCommit?.(append[0]);
    },
  };
  const wrapped = wrapStore(inner, faults);
  const store: MortalStore = {
    ...wrapped,
    async listDue(nowMs, limit) {
      const due = await wrapped.listDue(nowMs, limit);
      for (const stored of due) await store.onDue?.(stored);
      return due;
    },
    get isDead() {
      return faults.dead === true;
    },
    traffic,
    failed,
    onCommit: undefined,
    onDue: undefined,
    kill() {
      faults.dead = true;
    },
    killAt(write, moment) {
      death = { writesLeft: write, moment };
    },
    failAt(write, moment) {
      failure = { writesLeft: write, moment };
    },
  };
  return store;
}
