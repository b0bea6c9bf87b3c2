import type { AgentErrorCode } from "@holdpoint/protocol";

import type { Words } from "../words/use-words.ts";

interface AgentTroubleWords {
  readonly title: Words;
  readonly wayOut: Words;
}

const AGENT_TROUBLE: Readonly<Record<AgentErrorCode, AgentTroubleWords>> = {
  AGENT_UNAUTHENTICATED: {
    title: "The agent is not signed in",
    wayOut:
      "Log in with Claude Code where the gateway runs, or start the gateway with a valid API key. Then send your message again.",
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
  AGENT_NOT_INSTALLED: {
    title: "The agent's program is not there",
    wayOut:
      "Install it again, or set its right path where the gateway runs. Then send your message again.",
  },
  AGENT_CWD_GONE: {
    title: "The working directory is not there any more",
    wayOut: "Put it back and send your message again, or start a session in another directory.",
  },
  AGENT_CONTEXT_FULL: {
    title: "The conversation is too long for the model",
    wayOut:
      "Send /compact to shorten it, or start a new session and say what matters from this one.",
  },
  AGENT_NO_CREDIT: {
    title: "The account has no credit",
    wayOut: "Add credit with the model's provider, then send your message again.",
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
  SERVER_REQUEST_DECLINED: {
    title: "An MCP server asked for something that cannot be shown",
    wayOut: "It was told no, and the agent goes on. Ask whoever makes that server.",
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

/** The description of an agent's failure, and a remedy. */
export function toAgentTroubleWords(code: AgentErrorCode): AgentTroubleWords {
  return AGENT_TROUBLE[code];
}
