import {
  type Approval,
  type ApprovalScope,
  inEnglish,
  saidOf,
  type Saying,
  saying,
  type Told,
} from "@holdpoint/protocol";

import type { HoldRequest } from "../ports/agent-adapter.ts";

export type WiderScope = Exclude<ApprovalScope, "once">;

const WIDER_SCOPES: readonly WiderScope[] = ["session", "always"];
const MAX_INPUT_LENGTH = 300;

/** How long each scope lasts, as the end of a line about its coverage. */
export const REACH: Readonly<Record<WiderScope, Saying>> = {
  session: saying("in_session"),
  always: saying("in_sessions"),
};

/**
 * The coverage of an approval, as one line for each lasting scope on offer: in the requester's words, or otherwise in
 * the gateway's.
 */
export function scopeTextOf(
  request: Extract<HoldRequest, { kind: "approval" }>,
): Pick<Approval, "said" | "scopeText"> {
  const offered = WIDER_SCOPES.filter((scope) => request.scopes.includes(scope));
  const texts = offered.map((scope): [WiderScope, Told] => {
    const given = request.scopeText[scope] ?? "";
    const own = typeof given === "string" ? given.trim() : given;
    // An unknown saying has no text.
    return [scope, inEnglish(own) === "" ? [coverageOf(request), REACH[scope]] : own];
  });
  const scopeText = texts.map(([scope, told]) => [scope, inEnglish(told)] as const);
  return { scopeText: Object.fromEntries(scopeText), ...saidOf(Object.fromEntries(texts)) };
}

/** The coverage line for a call that matches only exactly the same input in the same directory. */
export function exactScopeText(call: {
  readonly toolName: string;
  readonly input: unknown;
  readonly cwd: string;
}): Readonly<Record<WiderScope, readonly Saying[]>> {
  const { toolName: tool, input, cwd } = call;
  const { text, rest } = inputText(input);
  const what = [saying("covers_call_at", { tool, cwd, input: text }), ...rest];
  return { session: [...what, REACH.session], always: [...what, REACH.always] };
}

/** An input in one line, and a saying that states how much of it was cut off. */
export function inputText(input: unknown): { readonly text: string; readonly rest: Saying[] } {
  const text = JSON.stringify(input ?? {});
  const count = text.length - MAX_INPUT_LENGTH;
  if (count <= 0) return { text, rest: [] };
  return { text: `${text.slice(0, MAX_INPUT_LENGTH)}…`, rest: [saying("cut_off", { count })] };
}

function coverageOf({
  toolName: tool,
  grantKey,
}: Extract<HoldRequest, { kind: "approval" }>): Saying {
  return grantKey === undefined
    ? saying("covers_as_agent", { tool })
    : saying("covers_as_tool", { tool });
}
