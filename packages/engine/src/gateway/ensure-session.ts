import { createSession } from "../session/sessions.ts";
import type { Core } from "./core.ts";

/** The session of an agent that somebody else has started. */
export interface NamedSession {
  /** Made of what the agent calls its own session, so that it is found again. */
  readonly sessionId: string;
  readonly agent: string;
  readonly cwd: string;
  readonly title: string;
  readonly createdBy: string;
}

/** Directories that are refused for agents of the gateway are not refused here: the agent works there already. */
const ANY_DIRECTORY = { refuseCwd: async () => undefined };

/** Rejects with `ProtocolError` when there can be no such session, as for an agent that there is not, or with `NO_ROOM`. */
export async function ensureSession(core: Core, session: NamedSession): Promise<void> {
  const { sessionId, createdBy, ...body } = session;
  // One after the other: of two asks at once, the first makes it.
  await core.sessions.use(sessionId, (live) =>
    live.settings(async () => {
      if (await core.store.getSession(sessionId)) return;
      await core.roomElsewhere.make(createdBy, () =>
        createSession({ ...core, ...ANY_DIRECTORY }, body, { createdBy }, sessionId),
      );
    }),
  );
}
