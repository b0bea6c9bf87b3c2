import { createDirectTransport } from "@holdpoint/client/direct";
import {
  createMemoryStore,
  createSystemIds,
  openGateway,
  type Gateway,
  type Store,
  type Tool,
} from "@holdpoint/engine";
import { createScriptedAdapter, SimulatedClock } from "@holdpoint/engine/testing";
import type { Interaction, RespondBody, SessionEvent } from "@holdpoint/protocol";

/** Without a timeout a call waits as long as the person, and no test could see how a tool handles its timeout. */
const HOLD_TIMEOUT_MS = 10 * 60_000;

export interface ToolBenchOptions {
  readonly tool: Tool;
  readonly cwd?: string;
  /** Store and clock of an earlier bench, as after a restart. */
  readonly left?: Pick<ToolBench, "store" | "clock" | "sessionId">;
  /** Whether a client that can answer is connected. Default true. */
  readonly present?: boolean;
}

/** A gateway in memory with one tool, and a person who answers. It needs no network, and its clock is simulated. Calls time out after 10 minutes. */
export interface ToolBench extends AsyncDisposable {
  readonly gateway: Gateway;
  readonly store: Store;
  readonly clock: SimulatedClock;
  readonly sessionId: string;
  /** Calls the tool as an agent does; resolves with its result. Calling with the same id repeats the call. */
  call(args: object, toolCallId?: string): Promise<unknown>;
  /** The pending interactions. */
  waiting(): Promise<readonly Interaction[]>;
  /** Answers the pending interaction, an approval with its digest. Throws when there is not exactly one. */
  answer(body: RespondBody): Promise<Interaction>;
  /** The log of the session. */
  events(): Promise<readonly SessionEvent[]>;
  /** Ends the gateway and keeps its store. */
  stop(): Promise<void>;
}

export async function openToolBench(options: ToolBenchOptions): Promise<ToolBench> {
  const { tool, cwd = "/", left, present = true } = options;
  const { store = createMemoryStore(), clock = new SimulatedClock() } = left ?? {};
  const agents = new Map([["test", createScriptedAdapter(async () => ({ reason: "done" }))]]);
  const ids = createSystemIds();
  const gateway = await openGateway({
    store,
    clock,
    ids,
    agents,
    defaultCwd: cwd,
    tools: [tool],
    holdTimeoutMs: HOLD_TIMEOUT_MS,
  });
  const person = { person: "ada", client: "test", clientId: "page" };
  const transport = createDirectTransport({ gateway, ...person });
  const gone = new AbortController();
  if (present) {
    gateway.announceClient({ principal: "person", ...person }, { signal: gone.signal });
  }
  const sessionId = left?.sessionId ?? (await transport.createSession({ agent: "test" })).sessionId;
  const waiting = async () => {
    await clock.settle();
    return (await transport.listInteractions({ status: ["pending"] })).items;
  };
  const stop = async () => {
    gone.abort();
    await transport[Symbol.asyncDispose]();
    await gateway.close();
  };
  return {
    gateway,
    store,
    clock,
    sessionId,
    call(args, toolCallId = "call-1") {
      const call = { sessionId, toolCallId, name: tool.name, args };
      const { result } = gateway.tools.call(call, { signal: new AbortController().signal });
      const value = result.then(({ content }) => JSON.parse(content) as unknown);
      // A stopping gateway rejects the call, even when the test no longer awaits it.
      value.catch(() => undefined);
      return value;
    },
    waiting,
    async answer(body) {
      const [asked, ...others] = await waiting();
      if (!asked || others.length > 0) {
        throw new Error("There is not exactly one pending interaction.");
      }
      const digest = body.action === "approve" && { digest: asked.approval?.digest ?? "" };
      const result = await transport.respond(asked.interactionId, { ...body, ...digest });
      if (result.status === "refused") throw new Error(result.problem.detail);
      await clock.settle();
      return result.interaction;
    },
    events: async () => (await transport.readEvents(sessionId)).items,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
