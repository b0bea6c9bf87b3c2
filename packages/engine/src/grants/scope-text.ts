import type { Approval, ApprovalScope } from "@holdpoint/protocol";

import type { HoldRequest } from "../ports/agent-adapter.ts";

export type WiderScope = Exclude<ApprovalScope, "once">;

const WIDER_SCOPES: readonly WiderScope[] = ["session", "always"];
const MAX_INPUT_LENGTH = 300;

/** How long each scope holds, as the first words of a line about what it covers. */
const REACH: Readonly<Record<WiderScope, string>> = {
  session: "Until this session ends",
  always: "In every session",
};

/** What an approval covers, in one line for each wider scope on offer: as the asker says it, else as the gateway knows it. */
export function scopeTextOf(
  request: Extract<HoldRequest, { kind: "approval" }>,
): Approval["scopeText"] {
  const offered = WIDER_SCOPES.filter((scope) => request.scopes.includes(scope));
  const texts = offered.map((scope) => {
    const said = request.scopeText[scope]?.trim() ?? "";
    return [scope, said === "" ? `${REACH[scope]}: ${coverageOf(request)}.` : said] as const;
  });
  return Object.fromEntries(texts);
}

/** The line for a call that counts as the same only with exactly the same input in the same directory. */
export function exactScopeText(call: {
  readonly toolName: string;
  readonly input: unknown;
  readonly cwd: string;
}): Readonly<Record<WiderScope, string>> {
  const { toolName, input, cwd } = call;
  const what = `${toolName} in ${cwd} with exactly the input ${inputText(input)}`;
  return { session: `${REACH.session}: ${what}.`, always: `${REACH.always}: ${what}.` };
}

/** An input in one line. What is cut off is counted. */
export function inputText(input: unknown): string {
  const text = JSON.stringify(input ?? {});
  const rest = text.length - MAX_INPUT_LENGTH;
  return rest > 0 ? `${text.slice(0, MAX_INPUT_LENGTH)} … and ${rest} characters more` : text;
}

function coverageOf({ toolName, grantKey }: Extract<HoldRequest, { kind: "approval" }>): string {
  return grantKey === undefined
    ? `calls of ${toolName} that the agent itself takes for the same; Holdpoint cannot list or revoke this`
    : `calls of ${toolName} that the tool takes for the same as this one`;
}
