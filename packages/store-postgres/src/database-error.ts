import { StoreError } from "@holdpoint/engine";

/** Texts for known error codes. Messages of Postgres may contain values, and messages of Node the address. */
const WORDS: Readonly<Record<string, string>> = {
  "08006": "the connection was lost",
  "25006": "the database is read-only",
  "40P01": "deadlock",
  "42501": "no permission to do this",
  "53100": "its disk is full",
  "53200": "it is out of memory",
  "53300": "too many connections",
  "55P03": "a row is locked by another program",
  "57014": "cancelled",
  "57P01": "an administrator ended the connection",
  "57P02": "it has crashed",
  "57P03": "it is starting or stopping",
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "the connection was lost",
  EHOSTUNREACH: "the host cannot be reached",
  ENOENT: "there is no such socket",
  ENOTFOUND: "there is no host of that name",
  EPIPE: "the connection was lost",
  ETIMEDOUT: "no answer in time",
};

export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** Describes an error without any values: its code, with a text if the code is known. */
export function describeFailure(error: unknown): string {
  if (StoreError.isInstance(error)) return error.message;
  const code = codeOf(error);
  if (code === undefined) return "the connection was lost";
  const words = WORDS[code];
  return words === undefined ? code : `${words}, ${code}`;
}

export function storeFailed(action: string, error: unknown): StoreError {
  return new StoreError("STORE_FAILED", `${action} failed (${describeFailure(error)}).`, {
    cause: withoutValues(error),
  });
}

/** Returns a loggable error: Postgres includes row values in `detail` and texts in `message`. */
function withoutValues(error: unknown): Error {
  return new Error(`Postgres: ${describeFailure(error)}`);
}
