import type { Core } from "../gateway/core.ts";
import type { StoredInteraction } from "../ports/store.ts";

const attempts = 3;

/** Notes with all that a call has asked that it has ended: nothing of it is replayed from then on. */
export async function finishCall(core: Core, interactionIds: Iterable<string>): Promise<void> {
  await Promise.all([...interactionIds].map((interactionId) => finish(core, interactionId)));
}

async function finish(core: Core, interactionId: string): Promise<void> {
  let stored = await core.store.getInteraction(interactionId);
  for (let attempt = 0; attempt < attempts && stored?.call && !stored.call.finished; attempt += 1) {
    const { sessionId, status, hold } = stored.interaction;
    const row: StoredInteraction = { ...stored, call: { ...stored.call, finished: true } };
    const result = await core.log.append({
      sessionId,
      interactions: [{ row, expectedStatus: status, expectedHold: hold }],
    });
    if (result.status === "appended") return;
    // Somebody has answered it late meanwhile.
    stored = await core.store.getInteraction(interactionId);
  }
}
