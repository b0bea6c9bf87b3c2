import {
  type Caller,
  type ClientFrame,
  FRAME_OPERATIONS,
  type OperationInput,
  type OperationName,
  ProtocolError,
} from "@holdpoint/protocol";

import { runOperation } from "../run-operation.ts";
import type { ServedGateway } from "../server-context.ts";

/** Clients on a WebSocket always have an id. */
export type SocketCaller = Caller & { readonly clientId: string };

/** A frame for an operation. All other frames are about the connection itself. */
export type CommandFrame = Extract<
  ClientFrame,
  { type: "request" | keyof typeof FRAME_OPERATIONS }
>;

interface Command {
  readonly name: OperationName;
  readonly input: OperationInput;
}

/**
 * Runs a frame's operation. Resolves to the result's JSON, which is the body of the HTTP route's answer, or `undefined`
 * without a body. Rejects like the gateway, and with the problem of a refused response.
 */
export async function runCommand(
  gateway: ServedGateway,
  caller: SocketCaller,
  frame: CommandFrame,
): Promise<string | undefined> {
  if (frame.type === "tool_interaction_response") await assertAskedBy(gateway, caller, frame);
  const { name, input } = toCommand(frame);
  return runOperation(gateway, caller, name, input);
}

/**
 * Rejects a response that names another tool call than the interaction's own, because it is meant for something else.
 */
async function assertAskedBy(
  gateway: ServedGateway,
  caller: SocketCaller,
  frame: Extract<CommandFrame, { type: "tool_interaction_response" }>,
): Promise<void> {
  const { sessionId, toolCallId } = await gateway.getInteraction(caller, frame.interactionId);
  const named = [frame.toolCallId ?? toolCallId, frame.callId ?? toolCallId];
  if (frame.sessionId !== sessionId || named.some((id) => id !== toolCallId)) {
    throw new ProtocolError("NOT_FOUND", "This tool call did not ask that.");
  }
}

function toCommand(frame: CommandFrame): Command {
  switch (frame.type) {
    case "request":
      return { name: frame.method, input: frame.params ?? {} };
    case "user_message": {
      const { type: _, requestId: __, sessionId, ...body } = frame;
      return { name: FRAME_OPERATIONS[frame.type], input: { sessionId, body } };
    }
    case "stop":
      return { name: FRAME_OPERATIONS[frame.type], input: { sessionId: frame.sessionId } };
    case "tool_interaction_response": {
      const { type, requestId: _, sessionId: __, toolCallId: ___, callId: ____, ...said } = frame;
      const { interactionId, ...body } = said;
      return { name: FRAME_OPERATIONS[type], input: { interactionId, body } };
    }
    case "ask_user_response": {
      const { conversation_id: sessionId, tool_call_id: toolCallId, answers } = frame;
      const body = { toolCallId, answers };
      return { name: FRAME_OPERATIONS[frame.type], input: { sessionId, body } };
    }
    case "set_interaction_mode":
      return { name: FRAME_OPERATIONS[frame.type], input: { body: { enabled: frame.enabled } } };
  }
}
