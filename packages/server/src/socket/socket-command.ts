import type { ClientFrame, RequestFrame } from "@holdpoint/protocol";

type WithoutEnvelope<TFrame> = TFrame extends unknown ? Omit<TFrame, "type" | "requestId"> : never;

/** One call of the gateway, as data. */
export type SocketCommand = WithoutEnvelope<RequestFrame>;

/** A frame that calls the gateway; all others are about the connection itself. */
export type CommandFrame = Extract<
  ClientFrame,
  {
    type:
      | "request"
      | "user_message"
      | "stop"
      | "tool_interaction_response"
      | "ask_user_response"
      | "set_interaction_mode";
  }
>;

/** The call that a frame asks for, by whichever name. */
export function toCommand(frame: CommandFrame): SocketCommand {
  switch (frame.type) {
    case "request":
      return frame;
    case "user_message": {
      const { type: _, requestId: __, sessionId, ...body } = frame;
      return { method: "sendMessage", params: { sessionId, body } };
    }
    case "stop":
      return { method: "stopTurn", params: { sessionId: frame.sessionId } };
    case "tool_interaction_response": {
      const {
        type: _,
        requestId: __,
        sessionId: ___,
        toolCallId: ____,
        callId: _____,
        ...rest
      } = frame;
      const { interactionId, ...body } = rest;
      return { method: "respond", params: { interactionId, body } };
    }
    case "ask_user_response": {
      const { conversation_id: sessionId, tool_call_id: toolCallId, answers } = frame;
      return { method: "submitAnswers", params: { sessionId, body: { toolCallId, answers } } };
    }
    case "set_interaction_mode":
      return { method: "setInteractionMode", params: { body: { enabled: frame.enabled } } };
  }
}
