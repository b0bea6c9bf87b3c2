import { isSensitiveField, type FormSchema } from "@holdpoint/protocol";

interface SplitValues {
  /** What everybody may see. */
  readonly shown: Record<string, unknown>;
  /** What only the agent gets. */
  readonly secretValues: Record<string, unknown>;
}

/** Takes the values of sensitive fields out of an answer. */
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
