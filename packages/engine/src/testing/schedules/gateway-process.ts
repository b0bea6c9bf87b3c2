import type { Interaction } from "@holdpoint/protocol";

import type { AgentAdapter, TurnContext } from "../../ports/agent-adapter.ts";
import type { Ids } from "../../ports/ids.ts";
import { openFixture, type GatewayFixture } from "../gateway-fixture.ts";
import type { Disk, MortalStore } from "../memory-disk.ts";
import { createScriptedAdapter } from "../scripted-adapter.ts";
import type { Transcript as ParkedTranscript } from "../scripted-parking.ts";
import { createClient, type Client } from "../tool-scene.ts";
import { createErrandScript, type Told } from "./errands.ts";
import { PatientClock } from "./patient-clock.ts";
import { clientCount } from "./schedule-steps.ts";
import { scheduleTools } from "./schedule-tools.ts";
import { createTalk, Transcript } from "./talk-script.ts";

/** The data of agents that can be parked, outside the gateway, which it survives. */
export interface Outside {
  readonly transcripts: Map<string, ParkedTranscript>;
  readonly told: Told;
}

/** A gateway with its agents and its possible clients. All of them die together. */
export interface GatewayProcess extends GatewayFixture {
  readonly store: MortalStore;
  readonly transcript: Transcript;
  readonly clients: readonly Client[];
  /** Called after an interaction was committed, before the gateway itself gets the result. */
  onRequest: ((interaction: Interaction) => Promise<unknown>) | undefined;
}

/** Starts a process with the disk's data. It gets a separate clock, so that no timer outlives it. */
export async function startProcess(
  disk: Disk,
  options: {
    readonly ids: Ids;
    readonly outside: Outside;
    readonly nowMs?: number | undefined;
    /** Agents of an earlier gateway survive. */
    readonly hasHosts?: boolean;
  },
): Promise<GatewayProcess> {
  const store = await disk.open();
  const { ids, outside, nowMs, hasHosts = false } = options;
  const transcript = new Transcript();
  const { transcripts, told } = outside;
  const parkable = createScriptedAdapter(createErrandScript(told), { canPark: true, transcripts });
  parkable.hasHosts = hasHosts;
  const fixture = await openFixture(createTalk(transcript), {
    store,
    ids,
    clock: new PatientClock(store, nowMs),
    tools: scheduleTools,
    otherAgents: new Map([["parkable", unheardAfterDeath(parkable, store)]]),
    limits: { asksPerSecondPerSession: 1e6 },
  });
  const clients = Array.from({ length: clientCount }, (_, index) =>
    createClient(fixture, `client_${index}`),
  );
  const process: GatewayProcess = { ...fixture, store, transcript, clients, onRequest: undefined };
  store.onCommit = async ({ interactions = [] }) => {
    for (const { row, expectedStatus } of interactions) {
      if (expectedStatus === undefined) await process.onRequest?.(row.interaction);
    }
  };
  await fixture.clock.settle();
  return process;
}

/** The same agents, which get nothing from a dead gateway. */
function unheardAfterDeath(adapter: AgentAdapter, store: MortalStore): AgentAdapter {
  const never = new Promise<never>(() => undefined);
  const unlessDead = <TResult>(heard: Promise<TResult>): Promise<TResult> => {
    const orNever = () => (store.isDead ? never : heard);
    return heard.then(orNever, orNever);
  };
  const muted = (context: TurnContext): TurnContext => ({
    ...context,
    emit: (event) => unlessDead(context.emit(event)),
    hold: (request, options) => unlessDead(context.hold(request, options)),
  });
  return {
    ...adapter,
    async openSession(options) {
      const session = await adapter.openSession(options);
      return {
        ...session,
        runTurn: (message, context) => session.runTurn(message, muted(context)),
        attachTurn: (context, record) => session.attachTurn!(muted(context), record),
        resumeTurn: (toolCallId, context) => session.resumeTurn!(toolCallId, muted(context)),
      };
    },
  };
}
