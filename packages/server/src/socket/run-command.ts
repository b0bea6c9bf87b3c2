import { type Caller, fromProblem, ProtocolError, type RespondResult } from "@holdpoint/protocol";

import { drainingError } from "../http/problem-response.ts";
import type { ServedGateway } from "../server-context.ts";
import { eventPageText } from "../streams/event-page-text.ts";
import { type CommandFrame, type SocketCommand, toCommand } from "./socket-command.ts";

/** Who calls over a WebSocket always has a name as a client. */
export type SocketCaller = Caller & { readonly clientId: string };

/** What may still be asked of a gateway that is stopping. */
const READS: ReadonlySet<SocketCommand["method"]> = new Set([
  "listAgents",
  "listSessions",
  "getSession",
  "listQueue",
  "readEvents",
  "listInteractions",
  "getInteraction",
  "listGrants",
]);

/**
 * Does what a frame asks for. Resolves to the result's JSON: the body of the HTTP route's answer, `undefined` when it
 * has none. Rejects as the gateway does, with a refused response's problem, and with `DRAINING`.
 */
export async function runCommand(
  gateway: ServedGateway,
  caller: SocketCaller,
  frame: CommandFrame,
): Promise<string | undefined> {
  const command = toCommand(frame);
  if (gateway.draining && !READS.has(command.method)) throw drainingError();
  if (frame.type === "tool_interaction_response") await assertAskedBy(gateway, caller, frame);
  if (command.method !== "readEvents") {
    const value = await call(gateway, caller, command);
    return value === undefined ? undefined : JSON.stringify(value);
  }
  const { sessionId, query } = command.params;
  return eventPageText(await gateway.readEventTexts(caller, sessionId, query), gateway.epoch);
}

/** A response that names another tool call than the one that asked is meant for something else. */
async function assertAskedBy(
  gateway: ServedGateway,
  caller: SocketCaller,
  frame: Extract<CommandFrame, { type: "tool_interaction_response" }>,
): Promise<void> {
  const { sessionId, toolCallId } = await gateway.getInteraction(caller, frame.interactionId);
  const named = [frame.toolCallId ?? toolCallId, frame.callId ?? toolCallId];
  if (frame.sessionId !== sessionId || named.some((id) => id !== toolCallId))
    throw new ProtocolError("NOT_FOUND", "This tool call did not ask that.");
}

async function call(
  gateway: ServedGateway,
  caller: SocketCaller,
  { method, params }: Exclude<SocketCommand, { method: "readEvents" }>,
): Promise<unknown> {
  switch (method) {
    case "listAgents":
      return { items: await gateway.listAgents(caller) };
    case "createSession":
      return gateway.createSession(caller, params.body);
    case "listSessions":
      return gateway.listSessions(caller, params.query);
    case "getSession":
      return gateway.getSession(caller, params.sessionId);
    case "updateSession":
      return gateway.updateSession(caller, params.sessionId, params.body);
    case "deleteSession":
      return gateway.deleteSession(caller, params.sessionId);
    case "sendMessage":
      return gateway.sendMessage(caller, params.sessionId, params.body);
    case "listQueue":
      return { items: await gateway.listQueue(caller, params.sessionId) };
    case "removeQueuedMessage":
      return gateway.removeQueuedMessage(caller, params.sessionId, params.messageId);
    case "stopTurn":
      return gateway.stopTurn(caller, params.sessionId);
    case "listInteractions":
      return gateway.listInteractions(caller, params.query);
    case "getInteraction":
      return gateway.getInteraction(caller, params.interactionId);
    case "respond":
      return accepted(await gateway.respond(caller, params.interactionId, params.body));
    case "submitAnswers":
      return accepted(await gateway.submitAnswers(caller, params.sessionId, params.body));
    case "approveTool":
      return accepted(await gateway.approveTool(caller, params.sessionId, params.body));
    case "denyTool":
      return accepted(await gateway.denyTool(caller, params.sessionId, params.body));
    case "listGrants":
      return gateway.listGrants(caller, params.query);
    case "revokeGrant":
      return gateway.revokeGrant(caller, params.grantId);
    case "setInteractionMode":
      return gateway.setInteractionMode(caller, caller.clientId, params.body.enabled);
  }
}

function accepted(result: RespondResult): object {
  if (result.status === "refused") throw fromProblem(result.problem);
  return { interaction: result.interaction };
}
