import { type AgentLine, answerTo, parseAgentLine } from "./agent-line.ts";

/** An agent that is initialized again drops its pending hook requests. */
const GIVEN_UP = "hook_callback";
/** The subtype of a request for permission to run a tool. */
const PERMISSION = "can_use_tool";
/** How many ids of delivered messages and responses are kept for the next gateway. */
const MAX_IDS = 1000;

interface KeptMessage {
  readonly id: string | undefined;
  readonly line: Buffer;
}

/**
 * The exchange between a gateway and its agent, kept so that the next gateway can continue it: unsettled messages, open
 * requests, and ids of delivered messages and responses. Works on lines, not connections.
 */
export class Conversation {
  /** Bytes of the kept messages. */
  keptBytes = 0;
  #kept: KeptMessage[] = [];
  /** The agent's open requests, by id. */
  readonly #open = new Map<string, { readonly subtype: string; readonly line: Buffer }>();
  readonly #givenMessages: string[] = [];
  readonly #answered: string[] = [];
  /** Ids of the attached gateway's requests to the agent. */
  #asked = new Set<string>();
  /** The last `initialize` that the agent got, and its response. */
  #initialize: { readonly id: string; readonly body: string } | undefined;
  #initialized: Buffer | undefined;
  /** Id of the next gateway's equal `initialize`, if it came before the response to the first one. */
  #waitingId: string | undefined;

  get replayedIds(): string[] {
    return this.#kept.flatMap(({ id }) => id ?? []);
  }

  get givenMessageIds(): readonly string[] {
    return this.#givenMessages;
  }

  get answeredRequestIds(): readonly string[] {
    return this.#answered;
  }

  /** The permission requests that wait for a response. */
  get waitingIds(): string[] {
    return [...this.#open].flatMap(([id, { subtype }]) => (subtype === PERMISSION ? id : []));
  }

  /** Resets the state for another gateway. Returns the unsettled messages, which it must read first. */
  begin(): Buffer[] {
    this.#asked = new Set();
    this.#waitingId = undefined;
    return this.#kept.map(({ line }) => line);
  }

  /** Handles a line from the agent. Returns the lines for the gateway. */
  fromAgent(line: Buffer): Buffer[] {
    const parsed = parseAgentLine(line);
    switch (parsed.type) {
      case "request":
        this.#open.set(parsed.requestId, { subtype: parsed.subtype, line });
        return [line];
      case "cancel":
        this.#open.delete(parsed.requestId);
        return [line];
      case "response":
        return this.#responded(parsed.requestId, line);
      case "message":
        this.#kept.push({ id: parsed.id, line });
        this.keptBytes += line.byteLength;
        return [line];
      case "passing":
        return [line];
    }
  }

  /**
   * Handles a line from the gateway. Returns the lines for the agent, and the lines that answer the gateway at once.
   */
  fromGateway(line: Buffer): { readonly toAgent: Buffer[]; readonly toGateway: Buffer[] } {
    const parsed = parseAgentLine(line);
    switch (parsed.type) {
      case "request":
        return this.#ask(parsed, line);
      case "response":
        this.#open.delete(parsed.requestId);
        remember(this.#answered, parsed.requestId);
        break;
      case "message":
        if (parsed.id !== undefined) remember(this.#givenMessages, parsed.id);
        break;
      case "cancel":
      case "passing":
    }
    return { toAgent: [line], toGateway: [] };
  }

  /** The gateway has stored this message and all messages before it. */
  settle(messageId: string): void {
    const at = this.#kept.findLastIndex(({ id }) => id === messageId);
    for (const { line } of this.#kept.splice(0, at + 1)) this.keptBytes -= line.byteLength;
  }

  #responded(requestId: string, line: Buffer): Buffer[] {
    const isFirst = this.#initialized === undefined;
    if (requestId === this.#initialize?.id) this.#initialized = line;
    const waitingId = this.#waitingId;
    if (requestId === this.#initialize?.id && waitingId !== undefined) {
      this.#waitingId = undefined;
      return this.#repeat(waitingId, line);
    }
    if (!this.#asked.has(requestId)) return [];
    if (isFirst || requestId !== this.#initialize?.id) return [line];
    // A re-initialized agent lists most of its open requests in its response.
    const unlisted = [...this.#open].filter(
      ([id, { subtype }]) => subtype !== GIVEN_UP && !line.includes(id),
    );
    return [line, ...unlisted.map(([, request]) => request.line)];
  }

  /**
   * A re-initialized agent drops its hooks and calls the model. So a gateway whose `initialize` equals the last one
   * gets the stored response and the open requests from here, without involving the agent.
   */
  #ask(
    { requestId, subtype, body }: Extract<AgentLine, { type: "request" }>,
    line: Buffer,
  ): { readonly toAgent: Buffer[]; readonly toGateway: Buffer[] } {
    // Without the tools' address: the host serves the tools, wherever the gateway has them.
    const said = JSON.stringify({ ...body, mcpServers: undefined });
    if (subtype === "initialize" && said === this.#initialize?.body) {
      if (this.#initialized) {
        return { toAgent: [], toGateway: this.#repeat(requestId, this.#initialized) };
      }
      this.#waitingId = requestId;
      return { toAgent: [], toGateway: [] };
    }
    if (subtype === "initialize") this.#initialize = { id: requestId, body: said };
    this.#asked.add(requestId);
    return { toAgent: [line], toGateway: [] };
  }

  #repeat(requestId: string, response: Buffer): Buffer[] {
    const requests = [...this.#open.values()].map(({ line }) => line);
    return [answerTo(requestId, response), ...requests];
  }
}

function remember(ids: string[], id: string): void {
  ids.push(id);
  if (ids.length > MAX_IDS) ids.shift();
}
