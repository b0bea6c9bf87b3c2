import type { AgentErrorCode } from "@holdpoint/protocol";

import type { TroubleWords } from "../hooks/trouble-words.ts";

const AGENT_TROUBLE: Readonly<Record<AgentErrorCode, TroubleWords>> = {
  AGENT_UNAUTHENTICATED: {
    title: "The agent is not signed in",
    wayOut: "Set a valid API key or sign in where the gateway runs, then send your message again.",
  },
  AGENT_OVERLOADED: {
    title: "The model is overloaded",
    wayOut: "Nothing is wrong here. Wait a minute and send your message again.",
  },
  AGENT_RATE_LIMITED: {
    title: "The model's usage limit is reached",
    wayOut: "Wait until the limit resets, then send your message again.",
  },
  AGENT_UNREACHABLE: {
    title: "The model's service cannot be reached",
    wayOut: "Check the network of the machine that runs the gateway, then send your message again.",
  },
  AGENT_CRASHED: {
    title: "The agent's process ended unexpectedly",
    wayOut:
      "The conversation is kept. Answer what is still open, or send a message, to start the agent again.",
  },
  AGENT_OTHER_VERSION: {
    title: "The agent belonged to another version of Holdpoint",
    wayOut:
      "It was ended with the update, and the conversation is kept. Answer what is still open, or send a message, to start the agent again.",
  },
  AGENT_CANNOT_RESUME: {
    title: "The agent cannot go on where it was",
    wayOut:
      "Its own record of this conversation is gone or was changed, so it begins anew. What you send reaches it, and an answer goes as a message that quotes the question.",
  },
  GATEWAY_RESTARTED: {
    title: "The gateway was restarted while the agent worked",
    wayOut: "The conversation is kept. Answer what is still open, or send a message, to go on.",
  },
  AGENT_FAILED: {
    title: "The agent reported an error",
    wayOut: "The conversation is kept. Send a message to try again.",
  },
};

/** What went wrong with an agent, and the way out. */
export function toAgentTroubleWords(code: AgentErrorCode): TroubleWords {
  return AGENT_TROUBLE[code];
}
