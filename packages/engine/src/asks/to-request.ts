import type { AskBody } from "@holdpoint/protocol";

import type { HoldRequest } from "../ports/agent-adapter.ts";
import type { InteractionRequest } from "../tools/interaction-request.ts";
import { toHoldRequest } from "../tools/to-hold-request.ts";

/** The tool name that people see for every ask. */
const TOOL_NAME = "ask";
const NO_SECRETS: ReadonlySet<string> = new Set();

/**
 * Converts a program's ask into the request of a tool that calls `requestInteraction`. An approval is always for once,
 * so no grant ever answers an ask. Throws `ToolError` for an invalid ask.
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
