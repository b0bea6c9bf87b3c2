import type {
  Caller,
  Cursor,
  Interaction,
  InteractionStatus,
  OverviewFrame,
  SerializedFrame,
  SessionEvent,
  SessionFrame,
} from "@holdpoint/protocol";

import type { GatewayOptions } from "../gateway/gateway-options.ts";
import { openGateway, type Gateway } from "../gateway/gateway.ts";
import { createMemoryStore } from "../memory-store/memory-store.ts";
import type { HoldRequest, TurnContext } from "../ports/agent-adapter.ts";
import type { Store } from "../ports/store.ts";
import {
  createScriptedAdapter,
  type ScriptedAdapter,
  type TurnScript,
} from "./scripted-adapter.ts";
import { createSequentialIds } from "./sequential-ids.ts";
import { SimulatedClock } from "./simulated-clock.ts";

export const ada: Caller = { principal: "person", person: "Ada", client: "laptop" };
export const bob: Caller = { principal: "person", person: "Bob", client: "phone" };

/** Never aborts. */
export const never: AbortSignal = new AbortController().signal;

export interface GatewayFixture extends AsyncDisposable {
  readonly gateway: Gateway;
  readonly store: Store;
  readonly clock: SimulatedClock;
  readonly ids: GatewayOptions["ids"];
  readonly adapter: ScriptedAdapter;
  /** Errors that the gateway reported to its error handler. */
  readonly errors: unknown[];
  createSession(): Promise<string>;
  /** Queues a message, and lets everything happen that needs no time. */
  send(sessionId: string, content: string): Promise<void>;
  interactions(...status: InteractionStatus[]): Promise<Interaction[]>;
  events(sessionId: string): Promise<SessionEvent[]>;
  eventTypes(sessionId: string): Promise<string[]>;
}

export interface FixtureOptions extends Partial<
  Omit<GatewayOptions, "store" | "clock" | "agents" | "defaultCwd" | "onError">
> {
  readonly store?: Store;
  readonly clock?: SimulatedClock;
  readonly adapter?: ScriptedAdapter;
  /** Agents in addition to the scripted one. */
  readonly otherAgents?: GatewayOptions["agents"];
}

/** A gateway with a store in memory, an agent that follows the script, and a clock that stands still. */
export async function openFixture(
  script: TurnScript,
  options: FixtureOptions = {},
): Promise<GatewayFixture> {
  const store = options.store ?? createMemoryStore();
  const clock = options.clock ?? new SimulatedClock();
  const ids = options.ids ?? createSequentialIds();
  const adapter = options.adapter ?? createScriptedAdapter(script);
  const errors: unknown[] = [];
  const gateway = await openGateway({
    // Many tests are about deadlines; without this option there are none.
    holdTimeoutMs: 10 * 60 * 1000,
    ...options,
    store,
    clock,
    ids,
    agents: new Map([["scripted", adapter], ...(options.otherAgents ?? [])]),
    defaultCwd: "/work",
    onError: (error) => errors.push(error),
  });
  const events = async (sessionId: string) =>
    (await gateway.readEvents(ada, sessionId, { after: 0, limit: 1000 })).items;
  return {
    gateway,
    store,
    clock,
    ids,
    adapter,
    errors,
    async createSession() {
      return (await gateway.createSession(ada, { agent: "scripted" })).sessionId;
    },
    async send(sessionId, content) {
      await gateway.sendMessage(ada, sessionId, { content, queue: true });
      await clock.settle();
    },
    async interactions(...status) {
      return (await gateway.listInteractions(ada, { status, limit: 1000 })).items;
    },
    events,
    eventTypes: async (sessionId) => (await events(sessionId)).map((event) => event.type),
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  };
}

/** A request to run a command. */
export function approval(
  toolCallId: string,
  patch: Partial<Extract<HoldRequest, { kind: "approval" }>> = {},
): HoldRequest {
  return {
    kind: "approval",
    toolCallId,
    toolName: "Bash",
    input: { command: `echo ${toolCallId}` },
    display: {},
    scopes: ["once"],
    scopeText: {},
    editable: false,
    ...patch,
  };
}

/** A card with one question. */
export function question(
  toolCallId: string,
  patch: Partial<Extract<HoldRequest, { kind: "question" }>> = {},
): HoldRequest {
  const options = [
    { id: "r", label: "Red" },
    { id: "b", label: "Blue" },
  ];
  return {
    kind: "question",
    toolCallId,
    toolName: "AskUserQuestion",
    questions: [
      { id: "q1", header: "Color", question: "Which color?", multiSelect: false, options },
    ],
    ...patch,
  };
}

/** A form with an address, a secret and a number, of which the number is optional. */
export function form(
  toolCallId: string,
  patch: Partial<Extract<HoldRequest, { kind: "form" }>> = {},
): HoldRequest {
  const properties = {
    email: { type: "string", format: "email" },
    token: { type: "string", sensitive: true },
    count: { type: "integer" },
  };
  return {
    kind: "form",
    toolCallId,
    toolName: "connect_mail",
    form: { schema: { type: "object", properties, required: ["email", "token"] } },
    ...patch,
  };
}

/** A script that asks once for each message, takes the response, and reports the outcome. */
export function askOnce(request: (toolCallId: string) => HoldRequest = approval): TurnScript {
  return async (message, context) => {
    const result = await context.hold(request(message.messageId), { signal: never });
    if (result.outcome === "answered") await result.delivered();
    await say(context, message.messageId, result.outcome);
    return { reason: context.signal.aborted ? "stopped" : "done" };
  };
}

export function say(context: TurnContext, messageId: string, text: string): Promise<void> {
  return context.emit({ type: "assistant_message", messageId, text, channel: "text" });
}

/** Reads a stream in the background, as a client would. */
export class Reader<TFrame = SessionFrame> implements AsyncDisposable {
  readonly frames: TFrame[] = [];
  readonly batches: (readonly SerializedFrame[])[] = [];
  readonly ended: Promise<void>;
  readonly #end = new AbortController();

  constructor(open: (signal: AbortSignal) => AsyncIterable<readonly SerializedFrame[]>) {
    this.ended = this.#read(open(this.#end.signal));
    // The failure reaches the caller that awaits `ended`.
    this.ended.catch(() => undefined);
  }

  static session(gateway: Gateway, sessionId: string, cursor: Cursor = { seq: 0 }): Reader {
    return new Reader((signal) => gateway.followSession(ada, sessionId, cursor, { signal }));
  }

  static overview(gateway: Gateway): Reader<OverviewFrame> {
    return new Reader((signal) => gateway.followOverview(ada, { signal }));
  }

  /** Positions of the durable events, in order of arrival. */
  get seqs(): number[] {
    return this.batches.flat().flatMap((frame) => frame.seq ?? []);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    await this.ended;
  }

  async #read(stream: AsyncIterable<readonly SerializedFrame[]>): Promise<void> {
    for await (const batch of stream) {
      this.batches.push(batch);
      for (const { json } of batch) this.frames.push(JSON.parse(json) as TFrame);
    }
  }
}
