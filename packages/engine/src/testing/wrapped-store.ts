import { StoreError } from "../lib/gateway-error.ts";
import type { Store } from "../ports/store.ts";

/** A test's hooks around the appends of a store. */
export interface StoreFaults {
  /** Runs before the inner append; throwing fails it without writing anything. */
  beforeAppend?: ((...call: Parameters<Store["append"]>) => Promise<void> | void) | undefined;
  /** Runs after everything was written, before the result is returned. */
  afterAppend?: ((...call: Parameters<Store["append"]>) => Promise<void> | void) | undefined;
  /** The process of the store is dead: nothing passes in either direction. */
  dead?: boolean;
  /** Called with each call of the store, which may still be in progress. */
  onCall?: ((call: Promise<unknown>) => void) | undefined;
}

/** The same store with faults that can be changed at any time. */
export function wrapStore(inner: Store, faults: StoreFaults): Store {
  const alive =
    <TArguments extends unknown[], TResult>(call: (...args: TArguments) => Promise<TResult>) =>
    async (...args: TArguments): Promise<TResult> => {
      assertAlive(faults);
      const called = call(...args);
      faults.onCall?.(called);
      return called;
    };
  const append = async (...call: Parameters<Store["append"]>) => {
    await faults.beforeAppend?.(...call);
    const result = await inner.append(...call);
    await faults.afterAppend?.(...call);
    assertAlive(faults);
    return result;
  };
  return {
    epoch: inner.epoch,
    attachments: {
      put: alive((attachment, room) => inner.attachments.put(attachment, room)),
      get: alive((sessionId, id) => inner.attachments.get(sessionId, id)),
      find: alive((sessionId, id) => inner.attachments.find(sessionId, id)),
    },
    append: alive(append),
    commit: alive(() => inner.commit()),
    readEvents: alive((sessionId, query) => inner.readEvents(sessionId, query)),
    readChain: alive((sessionId, query) => inner.readChain(sessionId, query)),
    getSession: alive((sessionId) => inner.getSession(sessionId)),
    listSessions: alive((query) => inner.listSessions(query)),
    listLimitedModes: alive((limit) => inner.listLimitedModes(limit)),
    deleteSession: alive((sessionId) => inner.deleteSession(sessionId)),
    sessionBytes: alive((sessionId) => inner.sessionBytes(sessionId)),
    getInteraction: alive((interactionId) => inner.getInteraction(interactionId)),
    listInteractions: alive((query) => inner.listInteractions(query)),
    listAnswered: alive((query) => inner.listAnswered(query)),
    listAnsweredNames: alive((maxRows) => inner.listAnsweredNames(maxRows)),
    listSnoozes: alive((person) => inner.listSnoozes(person)),
    putSnooze: alive((snooze, nowMs) => inner.putSnooze(snooze, nowMs)),
    removeSnooze: alive((person, interactionId) => inner.removeSnooze(person, interactionId)),
    countAnswerable: alive(() => inner.countAnswerable()),
    listToolCallInteractions: alive((sessionId, toolCallId) =>
      inner.listToolCallInteractions(sessionId, toolCallId),
    ),
    listResuming: alive((sessionId) => inner.listResuming(sessionId)),
    listDue: alive((nowMs, limit) => inner.listDue(nowMs, limit)),
    nextDeadline: alive(() => inner.nextDeadline()),
    listClosed: alive((query) => inner.listClosed(query)),
    firstClosed: alive((status) => inner.firstClosed(status)),
    listQueue: alive((sessionId) => inner.listQueue(sessionId)),
    nextMessage: alive((sessionId) => inner.nextMessage(sessionId)),
    listQueuedSessions: alive(() => inner.listQueuedSessions()),
    findGrants: alive((query) => inner.findGrants(query)),
    getGrant: alive((grantId) => inner.getGrant(grantId)),
    listGrants: alive((query) => inner.listGrants(query)),
    addGrant: alive((row) => inner.addGrant(row)),
    removeGrant: alive((grantId) => inner.removeGrant(grantId)),
    findMessage: alive((sessionId, key) => inner.findMessage(sessionId, key)),
    [Symbol.asyncDispose]: () => inner[Symbol.asyncDispose](),
  };
}

function assertAlive({ dead }: StoreFaults): void {
  if (dead) throw new StoreError("STORE_FAILED", "The process is dead.");
}
