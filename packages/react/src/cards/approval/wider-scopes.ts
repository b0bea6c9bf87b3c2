import type { Approval } from "@holdpoint/protocol";

/** A scope beyond one call, with the gateway's own text of its coverage. */
export interface WiderScope {
  readonly scope: "session" | "always";
  readonly text: string;
}

/** The wider scopes on offer. A scope without a text of its coverage is not offered. */
export function toWiderScopes({ scopes, scopeText }: Approval): readonly WiderScope[] {
  return (["session", "always"] as const).flatMap((scope) => {
    const text = scopeText[scope];
    return text !== undefined && scopes.includes(scope) ? [{ scope, text }] : [];
  });
}
