import { ProtocolError, type CreateSessionBody, type Session } from "@holdpoint/protocol";
import { uploadFiles, useHoldpoint, type PickedFile } from "@holdpoint/react";
import { useRef, useState } from "react";

import { useWords } from "../words/use-words.ts";
import { toFieldErrors, type FieldErrors } from "./use-create-session.ts";

interface StartSession {
  readonly starting: boolean;
  readonly errors: FieldErrors;
  /** Resolves to `undefined` on failure, explained by `errors`. The caller has to keep the text. */
  readonly start: (
    body: CreateSessionBody,
    message: string,
    files?: readonly PickedFile[],
  ) => Promise<Session | undefined>;
}

/** A session that was created and has not got its message yet. */
interface Begun {
  readonly wanted: string;
  readonly session: Session;
  /** A retry with other files is a different message. */
  attempt: { readonly files: readonly PickedFile[]; readonly idempotencyKey: string };
}

/**
 * Creates a session and sends its first message. Retrying the same start after a failure continues with the session
 * already created, so that there is one session with one message.
 */
export function useStartSession(): StartSession {
  const { transport, randomness } = useHoldpoint();
  const say = useWords();
  const [starting, setStarting] = useState(false);
  const [errors, setErrors] = useState<FieldErrors>({});
  const begun = useRef<Begun>(undefined);
  const underWay = useRef(false);

  const create = async (
    body: CreateSessionBody,
    message: string,
    files: readonly PickedFile[],
  ): Promise<Begun> => {
    const wanted = JSON.stringify([body, message]);
    const attempt = { files, idempotencyKey: randomness.key() };
    const known = begun.current;
    if (known?.wanted === wanted) {
      if (!isSameFiles(known.attempt.files, files)) known.attempt = attempt;
      return known;
    }
    const session = await transport.createSession(body);
    begun.current = { wanted, session, attempt };
    return begun.current;
  };
  const start: StartSession["start"] = async (body, message, files = []) => {
    if (underWay.current) return undefined;
    underWay.current = true;
    setStarting(true);
    setErrors({});
    try {
      const { session, attempt } = await create(body, message, files);
      const { idempotencyKey } = attempt;
      const { sessionId } = session;
      const attachments = files.length > 0 && (await uploadFiles(transport, sessionId, files));
      const sent = { content: message, idempotencyKey, queue: true };
      await transport.sendMessage(sessionId, { ...sent, ...(attachments && { attachments }) });
      begun.current = undefined;
      return session;
    } catch (error: unknown) {
      // The session was deleted in between: the next try creates another.
      if (ProtocolError.isInstance(error) && error.code === "NOT_FOUND") begun.current = undefined;
      setErrors(toFieldErrors(error, say));
      return undefined;
    } finally {
      underWay.current = false;
      setStarting(false);
    }
  };
  return { starting, errors, start };
}

function isSameFiles(one: readonly PickedFile[], other: readonly PickedFile[]): boolean {
  return one.length === other.length && one.every((file, index) => file === other[index]);
}
