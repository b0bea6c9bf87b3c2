import { isSensitiveField, type FormSchema } from "@holdpoint/protocol";

interface SplitValues {
  /** Values that everyone may see. */
  readonly shown: Record<string, unknown>;
  /** Values that only the agent gets. */
  readonly secretValues: Record<string, unknown>;
}

/** Separates the values of sensitive fields from the rest of an answer. */
export function splitSecrets(
  { properties }: FormSchema,
  values: Readonly<Record<string, unknown>>,
): SplitValues {
  const entries = Object.entries(values);
  const isSecret = ([name]: [string, unknown]) => isSensitiveField(properties[name]);
  return {
    shown: Object.fromEntries(entries.filter((entry) => !isSecret(entry))),
    secretValues: Object.fromEntries(entries.filter(isSecret)),
  };
}
