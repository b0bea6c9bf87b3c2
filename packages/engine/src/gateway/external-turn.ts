import { notFound } from "../lib/errors.ts";
import { toInstant } from "../lib/instant.ts";
import { changeRow, toRow } from "../session/stored-session.ts";
import { joinTurn } from "../tools/tool-turn.ts";
import type { Core } from "./core.ts";
import { ensureSession, type NamedSession } from "./ensure-session.ts";

/**
 * Shows an agent that was started elsewhere as working until the signal aborts, in the session's running turn or in a
 * new one. Resolves when that is over, including when a person or the gateway ends the turn first.
 */
export async function trackExternalTurn(
  core: Core,
  session: NamedSession,
  { signal }: { readonly signal: AbortSignal },
): Promise<void> {
  await ensureSession(core, session);
  await core.sessions.use(session.sessionId, async (live) => {
    const over = Promise.withResolvers<void>();
    const end = (): void => over.resolve();
    const call = {
      get isGivenUp() {
        return signal.aborted;
      },
      signal: AbortSignal.any([signal, core.draining]),
      cancel: end,
      suspend: () => undefined,
      letGo: end,
      hasAsked: false,
    };
    const turn = await joinTurn(core, live, call);
    if (!turn) return;
    call.signal.addEventListener("abort", end, { once: true });
    if (call.signal.aborted) end();
    try {
      await over.promise;
    } finally {
      call.signal.removeEventListener("abort", end);
      turn.calls.leave(call);
    }
  });
}

/** Records that the agent's program has ended; the next turn clears this. Rejects when there is no such session. */
export async function endExternalAgent(core: Core, sessionId: string): Promise<void> {
  await core.sessions.use(sessionId, async (live) => {
    const at = toInstant(core.clock.now());
    const written = await changeRow(core, live, (row) => ({
      row: toRow({ ...row, endedAt: at, updatedAt: at }),
      events: [{ type: "session_updated", at, ended: true }],
    }));
    if (written?.status !== "appended") throw notFound("session");
  });
}
