import { ProtocolError } from "@holdpoint/protocol";

/** As much of a zod schema as validation needs. */
interface Schema<T> {
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: T }
    | { readonly success: false; readonly error: { readonly issues: readonly Issue[] } };
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** The value as it would arrive over a wire: a copy that shares nothing, without `undefined` members. */
export function copyJson<T>(value: T): T {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T);
}

/** Checks an argument just as the gateway's HTTP routes do; a malformed one is `BAD_REQUEST`. */
export function parseInput<T>(schema: Schema<T>, value: unknown): T {
  const parsed = schema.safeParse(copyJson(value));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const place = issue?.path.length ? ` at ${issue.path.map(String).join(".")}` : "";
  throw new ProtocolError(
    "BAD_REQUEST",
    `The request is malformed${place}: ${issue?.message ?? ""}`,
  );
}
