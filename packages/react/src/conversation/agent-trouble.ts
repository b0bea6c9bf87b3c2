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
      "Log in with Claude Code on the machine that runs the gateway, or start the gateway with a valid API key. Then send your message again.",
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
      "The conversation is kept. To restart the agent, answer a pending request or send a message.",
  },
  AGENT_NOT_INSTALLED: {
    title: "The agent's program is missing",
    wayOut:
      "Reinstall it, or correct its path on the machine that runs the gateway. Then send your message again.",
  },
  AGENT_CWD_GONE: {
    title: "The working directory no longer exists",
    wayOut: "Restore it and send your message again, or start a session in another directory.",
  },
  AGENT_CONTEXT_FULL: {
    title: "The conversation is too long for the model",
    wayOut:
      "Send /compact to shorten it, or start a new session with the important points from this one.",
  },
  AGENT_NO_CREDIT: {
    title: "The account has no credit",
    wayOut: "Add credit with the model's provider, then send your message again.",
  },
  AGENT_OTHER_VERSION: {
    title: "The agent belonged to another version of Holdpoint",
    wayOut:
      "The update ended it, and the conversation is kept. To restart the agent, answer a pending request or send a message.",
  },
  AGENT_CANNOT_RESUME: {
    title: "The agent cannot go on where it was",
    wayOut:
      "Its own record of this conversation is missing or was changed, so it starts from the beginning. It still receives your messages, and each answer is sent as a message that quotes the question.",
  },
  SERVER_REQUEST_DECLINED: {
    title: "An MCP server asked for something that cannot be shown",
    wayOut: "The request was declined, and the agent continues. Contact the server's author.",
  },
  GATEWAY_RESTARTED: {
    title: "The gateway was restarted while the agent worked",
    wayOut: "The conversation is kept. To continue, answer a pending request or send a message.",
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
