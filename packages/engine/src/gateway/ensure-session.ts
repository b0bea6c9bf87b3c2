import { createSession } from "../session/sessions.ts";
import type { Core } from "./core.ts";

/** The session of an agent that was started elsewhere. */
export interface NamedSession {
  /** Derived from the agent's own session id, so that the session is found again. */
  readonly sessionId: string;
  readonly agent: string;
  readonly cwd: string;
  readonly title: string;
  readonly createdBy: string;
}

/** Accepts directories that are refused to the gateway's own agents, because this agent already works there. */
const ANY_DIRECTORY = { refuseCwd: async () => undefined };

/**
 * Creates the session unless it exists. Rejects with `ProtocolError` when it cannot be created, for example for an
 * unknown agent, or with `NO_ROOM`.
 */
export async function ensureSession(core: Core, session: NamedSession): Promise<void> {
  const { sessionId, createdBy, ...body } = session;
  // Serialized: the first of two concurrent calls creates the session.
  await core.sessions.use(sessionId, (live) =>
    live.settings(async () => {
      if (await core.store.getSession(sessionId)) return;
      await core.roomElsewhere.make(createdBy, () =>
        createSession({ ...core, ...ANY_DIRECTORY }, body, { createdBy }, sessionId),
      );
    }),
  );
}
