import type { Caller, Interaction, RespondBody, RespondResult } from "@holdpoint/protocol";

import { createMemoryStore } from "../memory-store/memory-store.ts";
import type { ToolCall, ToolCallOptions, ToolCallRequest } from "../tools/running-call.ts";
import {
  ada,
  never,
  openFixture,
  type FixtureOptions,
  type GatewayFixture,
} from "./gateway-fixture.ts";
import { createScriptedAdapter, type TurnScript } from "./scripted-adapter.ts";
import { createSequentialIds } from "./sequential-ids.ts";
import { SimulatedClock } from "./simulated-clock.ts";
import { wrapStore, type StoreFaults } from "./wrapped-store.ts";

/** An agent that only receives messages. */
export const listening: TurnScript = async () => ({ reason: "done" });

/** A gateway with tools and no running turns, with one session, and an open page of Ada's. */
export interface ToolScene extends GatewayFixture {
  readonly sessionId: string;
  readonly page: Client;
  call(
    request: Partial<ToolCallRequest> & { name: string },
    options?: Partial<ToolCallOptions>,
  ): ToolCall;
  /** The only pending interaction. */
  waiting(): Promise<Interaction>;
  /** Answers the pending interaction; an approval with the displayed digest. */
  answer(body: RespondBody): Promise<RespondResult>;
}

export interface Client {
  readonly caller: Caller;
  connect(): void;
  disconnect(): void;
}

export async function openScene(
  options: FixtureOptions & { readonly script?: TurnScript; readonly sessionId?: string } = {},
): Promise<ToolScene> {
  const fixture = await openFixture(options.script ?? listening, options);
  const sessionId = options.sessionId ?? (await fixture.createSession());
  const page = createClient(fixture, "page");
  page.connect();
  return { ...fixture, ...createCalls(fixture, sessionId), sessionId, page };
}

function createCalls(
  fixture: GatewayFixture,
  sessionId: string,
): Pick<ToolScene, "call" | "waiting" | "answer"> {
  const waiting = async () => {
    const pending = await fixture.interactions("pending");
    if (pending.length !== 1) throw new Error(`${pending.length} interactions wait.`);
    return pending[0]!;
  };
  return {
    call: (request, options = {}) =>
      fixture.gateway.tools.call(
        { sessionId, toolCallId: "call_1", args: {}, ...request },
        { signal: never, ...options },
      ),
    waiting,
    async answer(body) {
      const { interactionId, approval } = await waiting();
      const result = await fixture.gateway.respond(ada, interactionId, {
        ...body,
        ...(approval && body.action === "approve" && { digest: approval.digest }),
      });
      await fixture.clock.settle();
      return result;
    },
  };
}

export function createClient({ gateway }: GatewayFixture, clientId: string): Client {
  const caller: Caller = { ...ada, clientId };
  let connection: AbortController | undefined;
  return {
    caller,
    connect() {
      if (connection) return;
      connection = new AbortController();
      gateway.announceClient(caller, { signal: connection.signal });
    },
    disconnect() {
      connection?.abort();
      connection = undefined;
    },
  };
}

/** A machine on which gateways start, die and start again. */
export function createMachine() {
  const disk = createMemoryStore();
  const clock = new SimulatedClock();
  const ids = createSequentialIds();
  const adapter = createScriptedAdapter(listening);
  return {
    disk,
    clock,
    /** Receives the messages of every gateway of this machine to its agents. */
    adapter,
    /** A gateway whose process can be killed. */
    async start(
      options: FixtureOptions & { readonly script?: TurnScript; readonly sessionId?: string },
      faults: StoreFaults = {},
    ): Promise<ToolScene> {
      const store = wrapStore(disk, faults);
      const scene = await openScene({ ...options, store, clock, ids, adapter });
      await clock.settle();
      return scene;
    },
  };
}
