import type { AskBody } from "@holdpoint/protocol";

import type { HoldRequest } from "../ports/agent-adapter.ts";
import type { InteractionRequest } from "../tools/interaction-request.ts";
import { toHoldRequest } from "../tools/to-hold-request.ts";

/** What every ask is called where people see names of tools. */
const TOOL_NAME = "ask";
const NO_SECRETS: ReadonlySet<string> = new Set();

/**
 * What a program asks, in the engine's terms: as a tool that asks by `requestInteraction`. An approval is for once, so that
 * no ask is ever answered by a grant. Throws `ToolError` for what cannot be asked.
 */
export function toRequest(
  body: AskBody,
  { toolCallId, cwd }: { readonly toolCallId: string; readonly cwd: string },
): HoldRequest {
  const turn = { cwd, calls: { secrets: NO_SECRETS } };
  const call = { toolCallId, toolName: TOOL_NAME, turn, run: { args: {} } };
  const request = toHoldRequest(call, toInteractionRequest(body), { attempt: 1 });
  const asked = { ...request, presentation: "questionnaire" } as const;
  if (asked.kind !== "approval") return asked;
  const { grantKey: _, ...once } = asked;
  return { ...once, scopes: ["once"], scopeText: {} };
}

function toInteractionRequest(body: AskBody): InteractionRequest {
  const { label: _label, idempotencyKey: _key, callback: _callback, ...request } = body;
  if (request.kind !== "approval") return request as InteractionRequest;
  const { display = {}, prompt, ...approval } = request;
  const shown = { ...display, title: display.title ?? prompt };
  return { ...approval, prompt, display: shown } as InteractionRequest;
}
