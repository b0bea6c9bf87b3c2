import type { Bug } from "../bug.ts";

const HOST = "packages/agents/src/host";
const CLAUDE = "packages/agents/src/claude";
const HOSTS_TEST = `${HOST}/agent-hosts.test.ts`;
const CONVERSATION_TEST = `${HOST}/conversation.test.ts`;
const SESSION_TEST = `${CLAUDE}/claude-session.test.ts`;
const OPEN_CALL_TEST = `${CLAUDE}/open-call.test.ts`;

/** Agent hosts, and the messages and calls that Claude can be restarted from. */
export const AGENT_BUGS: readonly Bug[] = [
  {
    what: "an agent whose gateway is gone is not frozen",
    rule: "R-5",
    file: `${HOST}/agent-host.ts`,
    search: "      this.#agent.freeze();\n",
    replace: "",
    tests: [HOSTS_TEST],
  },
  {
    what: "a gateway that another one has replaced goes on",
    rule: "R-1",
    file: `${HOST}/agent-host.ts`,
    search: '    this.#gateway?.end({ type: "replaced" });\n',
    replace: "",
    tests: [HOSTS_TEST],
  },
  {
    what: "two gateways speak to one agent",
    rule: "R-1",
    file: `${HOST}/agent-host.ts`,
    search: '    this.#gateway?.end({ type: "replaced" });\n    this.#gateway = gateway;\n',
    replace: "    this.#gateway ??= gateway;\n",
    tests: [HOSTS_TEST],
  },
  {
    what: "what a gateway has stored is said to the next one again",
    rule: "R-8",
    file: `${HOST}/conversation.ts`,
    search: "this.#kept.splice(0, at + 1)",
    replace: "this.#kept.slice(0, at + 1)",
    tests: [CONVERSATION_TEST, HOSTS_TEST],
  },
  {
    what: "what no gateway has stored is not said to the next one",
    rule: "R-8",
    file: `${HOST}/agent-pipes.ts`,
    search: "    for (const line of this.#conversation?.begin() ?? []) this.#send(line);\n",
    replace: "    this.#conversation?.begin();\n",
    tests: [CONVERSATION_TEST, HOSTS_TEST],
  },
  {
    what: "the next gateway does not get what the agent still asks",
    rule: "R-4",
    file: `${HOST}/conversation.ts`,
    search: "    return [answerTo(requestId, response), ...requests];",
    replace: "    return [answerTo(requestId, response), ...requests.slice(0, 0)];",
    tests: [CONVERSATION_TEST, HOSTS_TEST],
  },
  {
    what: "a message counts as stored before the log has it",
    rule: "R-8",
    file: `${CLAUDE}/claude-session.ts`,
    search: '      if (message.type === "result") await this.#finish(message, turn);\n',
    replace:
      '      if (message.uuid !== undefined) process.settle(message.uuid);\n      if (message.type === "result") await this.#finish(message, turn);\n',
    tests: [SESSION_TEST],
  },
  {
    what: "a message that comes once more is told once more",
    rule: "R-8",
    file: `${CLAUDE}/already-logged.ts`,
    search: '  if (message.type !== "assistant") return false;\n',
    replace: '  if (message.type !== "assistant" || told.length > 0) return false;\n',
    tests: [`${CLAUDE}/already-logged.test.ts`, SESSION_TEST],
  },
  {
    what: "an answer counts as delivered once it is handed over",
    rule: "R-4",
    file: `${CLAUDE}/handovers.ts`,
    search: "    this.#open.set(toolCallId, [...(this.#open.get(toolCallId) ?? []), delivered]);\n",
    replace: "    this.#open.set(toolCallId, [delivered]);\n    this.deliver(toolCallId);\n",
    tests: [SESSION_TEST],
  },
  {
    what: "an answer of which nobody knows whether it arrived counts as delivered",
    rule: "R-4",
    file: `${CLAUDE}/handovers.ts`,
    search: '      this.#record(toolCallId, ...(isTaken ? [] : (["unknown"] as const)));\n',
    replace: "      this.#record(toolCallId);\n",
    tests: [SESSION_TEST],
  },
  {
    what: "one of two calls is marked to be resumed, and the other is forgotten",
    rule: "R-4",
    file: `${CLAUDE}/open-call.ts`,
    search: "  if (calls.length !== 1 || call === undefined ||",
    replace: "  if (call === undefined ||",
    tests: [OPEN_CALL_TEST],
  },
  {
    what: "another call than the one that was asked about is resumed",
    rule: "R-6",
    file: `${CLAUDE}/open-call.ts`,
    search: ' || call.block["id"] !== toolCallId) return undefined;',
    replace: ") return undefined;",
    tests: [OPEN_CALL_TEST],
  },
  {
    what: "a call is resumed that has its result",
    rule: "R-4",
    file: `${CLAUDE}/open-call.ts`,
    search: "  const last = entries.findLast(isOfConversation);",
    replace: '  const last = entries.findLast((entry) => entry["type"] === "assistant");',
    tests: [OPEN_CALL_TEST],
  },
  {
    what: "the runtime allows everything by itself, and nothing asks about its tools",
    rule: "R-5",
    file: `${CLAUDE}/protection-hook.ts`,
    search: "? undefined : NEEDS_ASKING)",
    replace: "? undefined : undefined && NEEDS_ASKING)",
    tests: [SESSION_TEST],
  },
];
