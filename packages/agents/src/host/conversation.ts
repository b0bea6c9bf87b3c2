import { type AgentLine, answerTo, parseAgentLine } from "./agent-line.ts";

/** An agent that is initialized again gives up the hooks that it waits for. */
const GIVEN_UP = "hook_callback";
/** How many ids of what was handed to the agent a next gateway is told. */
const MAX_IDS = 1000;

interface KeptMessage {
  readonly id: string | undefined;
  readonly line: Buffer;
}

/**
 * What a gateway and its agent say to each other, so that the next gateway can go on with it: the messages that are not
 * settled, the requests that are open, and what was handed to the agent. Knows lines, and no connection.
 */
export class Conversation {
  /** Bytes of the messages that are kept. */
  keptBytes = 0;
  #kept: KeptMessage[] = [];
  /** The agent's open requests, by id. */
  readonly #open = new Map<string, { readonly subtype: string; readonly line: Buffer }>();
  readonly #givenMessages: string[] = [];
  readonly #answered: string[] = [];
  /** What the attached gateway has asked the agent. */
  #asked = new Set<string>();
  /** The last `initialize` that the agent got, and its response. */
  #initialize: { readonly id: string; readonly body: string } | undefined;
  #initialized: Buffer | undefined;
  /** The same `initialize` of a next gateway, which came before that response. */
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

  /** Another gateway begins. Returns what it must read first: the messages that no gateway has settled. */
  begin(): Buffer[] {
    this.#asked = new Set();
    this.#waitingId = undefined;
    return this.#kept.map(({ line }) => line);
  }

  /** Takes a line of the agent, and returns what the gateway is to read. */
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

  /** Takes a line of the gateway: what the agent is to read, and what the gateway gets at once. */
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

  /** The gateway has stored this message and all before it. */
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
    // An agent that was initialized again lists most of its open requests in its response.
    const unlisted = [...this.#open].filter(
      ([id, { subtype }]) => subtype !== GIVEN_UP && !line.includes(id),
    );
    return [line, ...unlisted.map(([, request]) => request.line)];
  }

  /**
   * An agent that is initialized again gives up its hooks, and calls the model. So a gateway that says the same as the
   * last one gets the same response from here, and the open requests again; the agent never notices.
   */
  #ask(
    { requestId, subtype, body }: Extract<AgentLine, { type: "request" }>,
    line: Buffer,
  ): { readonly toAgent: Buffer[]; readonly toGateway: Buffer[] } {
    // Its tools are where the host serves them, whatever a gateway says.
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
