import { ProtocolError, type CreateSessionBody, type Session } from "@holdpoint/protocol";
import { useHoldpoint } from "@holdpoint/react";
import { useRef, useState } from "react";

import { toFieldErrors, type FieldErrors } from "./use-create-session.ts";

interface StartSession {
  readonly starting: boolean;
  readonly errors: FieldErrors;
  /** Resolves to `undefined` when it failed, and `errors` says why; what was typed is the caller's to keep. */
  readonly start: (body: CreateSessionBody, message: string) => Promise<Session | undefined>;
}

/** What was begun and has not got its message. */
interface Begun {
  readonly wanted: string;
  readonly session: Session;
  readonly idempotencyKey: string;
}

/**
 * Creates a session and sends its first message. The same start, tried again after a failure, goes on with the session that
 * is there: one start is one session with one message.
 */
export function useStartSession(): StartSession {
  const { transport, randomness } = useHoldpoint();
  const [starting, setStarting] = useState(false);
  const [errors, setErrors] = useState<FieldErrors>({});
  const begun = useRef<Begun>(undefined);
  const underWay = useRef(false);

  const create = async (body: CreateSessionBody, message: string): Promise<Begun> => {
    const wanted = JSON.stringify([body, message]);
    if (begun.current?.wanted === wanted) return begun.current;
    const session = await transport.createSession(body);
    begun.current = { wanted, session, idempotencyKey: randomness.key() };
    return begun.current;
  };
  const start: StartSession["start"] = async (body, message) => {
    if (underWay.current) return undefined;
    underWay.current = true;
    setStarting(true);
    setErrors({});
    try {
      const { session, idempotencyKey } = await create(body, message);
      const sent = { content: message, idempotencyKey, queue: true };
      await transport.sendMessage(session.sessionId, sent);
      begun.current = undefined;
      return session;
    } catch (error: unknown) {
      // Deleted meanwhile: the next try creates another.
      if (ProtocolError.isInstance(error) && error.code === "NOT_FOUND") begun.current = undefined;
      setErrors(toFieldErrors(error));
      return undefined;
    } finally {
      underWay.current = false;
      setStarting(false);
    }
  };
  return { starting, errors, start };
}
