import type { CreateSessionBody, Session } from "@holdpoint/protocol";
import { toCallTroubleWords, toFieldTroubles, useTransport } from "@holdpoint/react";
import { useState } from "react";

import { useWords, type Say } from "../words/use-words.ts";

/** Error messages by field. The key `""` has the errors that belong to no field. */
export type FieldErrors = Readonly<Record<string, string>>;

interface CreateSession {
  readonly creating: boolean;
  readonly errors: FieldErrors;
  /** Resolves to `undefined` on failure, explained by `errors`. */
  readonly create: (body: CreateSessionBody) => Promise<Session | undefined>;
}

export function useCreateSession(): CreateSession {
  const transport = useTransport();
  const say = useWords();
  const [creating, setCreating] = useState(false);
  const [errors, setErrors] = useState<FieldErrors>({});
  const create = async (body: CreateSessionBody): Promise<Session | undefined> => {
    if (creating) return undefined;
    setCreating(true);
    setErrors({});
    try {
      return await transport.createSession(body);
    } catch (error: unknown) {
      setErrors(toFieldErrors(error, say));
      setCreating(false);
      return undefined;
    }
  };
  return { creating, errors, create };
}

const SHOWN_FIELDS: ReadonlySet<string> = new Set(["cwd", "permissionMode", "model"]);

export function toFieldErrors(error: unknown, say: Say): FieldErrors {
  const told = toFieldTroubles(error, say.language);
  if (Object.keys(told).length === 0) {
    const { title, wayOut } = toCallTroubleWords(error, say.language);
    return { "": `${title}. ${wayOut}` };
  }
  const others = Object.entries(told).filter(([name]) => !SHOWN_FIELDS.has(name));
  return others.length === 0
    ? told
    : { ...told, "": others.map(([name, message]) => `${name}: ${message}`).join(" ") };
}
