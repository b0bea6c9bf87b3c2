import { expect, test } from "vitest";

import { createMemoryStore } from "../memory-store/memory-store.ts";
import {
  ada,
  approval,
  never,
  openFixture,
  say,
  type GatewayFixture,
} from "../testing/gateway-fixture.ts";
import { createScriptedAdapter, type TurnScript } from "../testing/scripted-adapter.ts";
import type { Transcript } from "../testing/scripted-parking.ts";
import { createSequentialIds } from "../testing/sequential-ids.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";
import { wrapStore, type StoreFaults } from "../testing/wrapped-store.ts";

/** Asks twice, one after the other; a message in between and late messages just end. */
const script: TurnScript = async (message, context) => {
  if (message.content !== "go") return { reason: "done" };
  for (const id of ["a", "b"]) {
    const held = await context.hold(approval(id), { signal: never });
    if (held.outcome === "answered") await held.delivered();
    await say(context, `said-${id}`, id);
  }
  return { reason: "done" };
};

interface Crash {
  readonly atAppend: number;
  readonly when: "before" | "after";
  readonly action: "approve" | "deny";
  /** The host with the agent survives. */
  readonly hasHosts: boolean;
}

/** Runs until the process dies at that write, and again until everything is answered. */
async function run({ atAppend, when, action, hasHosts }: Crash) {
  const disk = createMemoryStore();
  const clock = new SimulatedClock();
  const ids = createSequentialIds();
  const transcripts = new Map<string, Transcript>();
  const acknowledged = new Set<string>();
  const start = (faults: StoreFaults): Promise<GatewayFixture> => {
    const adapter = createScriptedAdapter(script, { canPark: true, transcripts });
    adapter.hasHosts = hasHosts && transcripts.size > 0;
    const store = wrapStore(disk, faults);
    return openFixture(script, {
      store,
      clock,
      ids,
      adapter,
      holdTimeoutMs: Infinity,
      availabilityGraceMs: 0,
    });
  };
  const answerAll = async (fixture: GatewayFixture): Promise<void> => {
    for (let round = 0; round < 4; round += 1) {
      // No one is connected: pending requests are parked.
      await clock.advance(1000);
      for (const { interactionId, approval: shown } of await fixture.interactions(
        "pending",
        "orphaned",
      )) {
        const body = action === "deny" ? ({ action } as const) : { action, digest: shown!.digest };
        const result = await fixture.gateway.respond(ada, interactionId, body);
        if (result.status === "accepted") acknowledged.add(interactionId);
      }
      await clock.settle();
    }
  };
  const faults: StoreFaults = {};
  let count = 0;
  const step = (): void => {
    count += 1;
    if (count >= atAppend) faults.dead = true;
  };
  const first = await start(faults);
  const sessionId = await first.createSession();
  if (when === "after") faults.afterAppend = step;
  else {
    faults.beforeAppend = () => {
      step();
      if (faults.dead) throw new Error("died before the write");
    };
  }
  await first.send(sessionId, "go").catch(() => undefined);
  await answerAll(first).catch(() => undefined);
  const crashed = faults.dead === true;
  faults.dead = true;
  const second = await start({});
  await answerAll(second);
  const status = (await second.gateway.getSession(ada, sessionId)).status;
  const events = await second.events(sessionId);
  const open = await second.interactions("pending", "answered");
  const errors = second.errors;
  await second.gateway.close();
  return { crashed, acknowledged, events, open, status, errors };
}

/** The expected state, whenever the process dies. */
const SOUND = {
  open: [],
  status: "idle",
  errors: [],
  lost: [],
  twice: 0,
  askedTwice: 0,
  saidTwice: 0,
  unended: 0,
};

function summarize({
  acknowledged,
  events,
  open,
  status,
  errors,
}: Awaited<ReturnType<typeof run>>) {
  const count = (type: string): number => events.filter((event) => event.type === type).length;
  const delivered = events.flatMap((event) =>
    event.type === "interaction_delivered" ? [event.interactionId] : [],
  );
  const asked = events.flatMap((event) =>
    event.type === "interaction_request" ? [event.interaction.toolCallId] : [],
  );
  const said = events.flatMap((event) =>
    event.type === "assistant_message" ? [event.messageId] : [],
  );
  return {
    open,
    status,
    errors,
    lost: [...acknowledged].filter((id) => !delivered.includes(id)),
    twice: delivered.length - new Set(delivered).size,
    askedTwice: asked.length - new Set(asked).size,
    saidTwice: said.length - new Set(said).size,
    unended: count("turn_started") - count("turn_ended"),
  };
}

/**
 * Dies at the first write, at the second, and so on, until there is no further write. Resolves to the number of
 * deaths.
 */
async function dieAtEach(crash: Omit<Crash, "atAppend">): Promise<number> {
  for (let atAppend = 1; ; atAppend += 1) {
    const ran = await run({ ...crash, atAppend });
    expect({ ...crash, atAppend, ...summarize(ran) }).toEqual({ ...crash, atAppend, ...SOUND });
    if (!ran.crashed) return atAppend - 1;
  }
}

test("[R-2] [R-4] a crash at every write of parking and resuming loses no answer and delivers none twice", async ({
  annotate,
}) => {
  const crashes = (["approve", "deny"] as const).flatMap((action) =>
    [false, true].flatMap((hasHosts) =>
      (["before", "after"] as const).map((when) => ({ action, hasHosts, when })),
    ),
  );
  let died = 0;
  for (const crash of crashes) died += await dieAtEach(crash);
  // A run writes at least this often.
  expect(died).toBeGreaterThanOrEqual(crashes.length * 15);
  await annotate(`${died} crashes while parking and resuming`, "cases");
});
