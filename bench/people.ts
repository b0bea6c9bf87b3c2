// The lists of a person among very many sessions of others, relative to the lists of the gateway's owner, who sees
// everything.
import {
  type Batch,
  createSystemClock,
  createSystemIds,
  type Gateway,
  openGateway,
  type Store,
} from "@holdpoint/engine";
import {
  type Caller,
  type Interaction,
  namedIn,
  type Responders,
  seenByOf,
  type Session,
} from "@holdpoint/protocol";
import { openSqliteStore } from "@holdpoint/store-sqlite";

import { withFolder } from "./support/processes.ts";
import { atMost, median, type Row } from "./support/report.ts";

const FOREIGN = 10_000;
const OWN = 50;
const RUNS = 41;
const LIMIT = 50;
const TEAMS = 10;
const MAX_MS = 10;
const ISSUER = "https://login.example";
const START_MS = Date.parse("2026-01-01T00:00:00.000Z");
const OPS = { group: "ops", issuer: ISSUER };

const OWNER: Caller = { principal: "person", person: "bench", client: "bench" };
/** A person with 50 sessions. */
const ADA: Caller = {
  ...OWNER,
  person: "Ada",
  personId: "per_ada",
  role: "responder",
  signIn: { issuer: ISSUER, subject: "ada", groups: ["ops"] },
};

/** A person who sees all sessions. */
const BEA: Caller = {
  ...ADA,
  person: "Bea",
  personId: "per_bea",
  signIn: {
    issuer: ISSUER,
    subject: "bea",
    groups: ["ops", ...Array.from({ length: TEAMS }, (_, index) => `team ${index}`)],
  },
};

type List = (gateway: Gateway, caller: Caller) => Promise<unknown>;

const LISTS: Readonly<Record<string, List>> = {
  sessions: (gateway, caller) => gateway.listSessions(caller, { limit: LIMIT }),
  "pending interactions": (gateway, caller) =>
    gateway.listInteractions(caller, { status: ["pending"], limit: LIMIT }),
  history: (gateway, caller) => gateway.listHistory(caller, { limit: LIMIT }),
  "names in the history": (gateway, caller) => gateway.listHistoryNames(caller),
};

/** Shown without a budget: reads as many pending interactions as a gateway accepts at all. */
const UNBOUND = "pending interactions";

/** The first page of each list, for a person with 50 sessions among 10,000 of others. */
export async function measurePeople(): Promise<Row[]> {
  return withFolder(async (dataDir) => {
    await using store = await openSqliteStore({ dataDir });
    await fill(store);
    await using gateway = await openGateway({
      store,
      clock: createSystemClock(),
      ids: createSystemIds(),
      agents: new Map(),
      defaultCwd: "/",
    });
    const rows: Row[] = [];
    for (const [name, list] of Object.entries(LISTS)) {
      rows.push(...(await measure(name, gateway, list)));
    }
    return rows;
  });
}

/** Alternates between the people, so that other work of the machine affects all. */
async function measure(name: string, gateway: Gateway, list: List): Promise<Row[]> {
  const callers = [ADA, BEA, OWNER];
  const times: number[][] = callers.map(() => []);
  for (let run = 0; run < RUNS; run += 1) {
    for (const [index, caller] of callers.entries()) {
      times[index]?.push(await timeOf(() => list(gateway, caller)));
    }
  }
  const [few = Number.NaN, all = Number.NaN, owner = Number.NaN] = times.map(median);
  const row = (whose: string, ms: number): Row => ({
    what: `CPU time of ${name} of a person who sees ${whose}, p50`,
    figure: `${ms.toFixed(1)} ms, ${(ms / owner).toFixed(1)} × the owner's (${owner.toFixed(1)} ms)`,
    ...(name !== UNBOUND && { budget: atMost(ms, MAX_MS, `${MAX_MS} ms`) }),
  });
  return [row(`${OWN} sessions of ${FOREIGN + OWN}`, few), row("all of them by groups", all)];
}

/** CPU time in milliseconds, which does not depend on other work of the machine. */
async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Each session has one pending and one answered interaction; half of the sessions belong to a group. */
async function fill(store: Store): Promise<void> {
  const every = FOREIGN / OWN;
  const batches: Promise<unknown>[] = [];
  for (let number = 0; number < FOREIGN + OWN; number += 1) {
    const isOwn = number % (every + 1) === every;
    batches.push(store.append(toBatch(number, isOwn)));
  }
  await Promise.all(batches);
}

function toBatch(number: number, isOwn: boolean): Batch {
  const at = new Date(START_MS + number * 1000).toISOString();
  const belongsTo = { personId: isOwn ? "per_ada" : `per_${number % 100}`, person: "Somebody" };
  const givenTo = [{ group: `team ${number % TEAMS}`, issuer: ISSUER }];
  const shared: Pick<Session, "belongsTo" | "givenTo"> = isOwn
    ? { belongsTo, givenTo: [OPS] }
    : { belongsTo, givenTo };
  const sessionId = `ses_${number}`;
  const session = {
    sessionId,
    agent: "asking",
    cwd: "/work/project",
    title: `Session ${number}`,
    permissionMode: "default",
    status: "idle" as const,
    createdAt: at,
    updatedAt: at,
    seenBy: seenByOf(shared),
    ...shared,
  };
  const responders = number % 2 === 0 ? { circles: [{ who: givenTo }] } : undefined;
  const asked = [false, true].map((isAnswered) =>
    toInteraction({ sessionId, number, at, isAnswered, responders }),
  );
  return {
    sessionId,
    session,
    // The request is in the log, as a gateway writes it.
    events: asked.map((interaction) => ({
      type: "interaction_request",
      at,
      turnId: `trn_${number}`,
      interaction: { ...interaction, status: "pending" },
    })),
    interactions: asked.map((interaction) => ({
      row: { interaction, named: namedIn(responders) },
      expectedStatus: undefined,
    })),
  };
}

function toInteraction({
  sessionId,
  number,
  at,
  isAnswered,
  responders,
}: {
  readonly sessionId: string;
  readonly number: number;
  readonly at: string;
  readonly isAnswered: boolean;
  readonly responders: Responders | undefined;
}): Interaction {
  return {
    interactionId: `int_${number}${isAnswered ? "_answered" : ""}`,
    sessionId,
    turnId: `trn_${number}`,
    toolCallId: `toolu_${number}`,
    toolName: "Bash",
    kind: "approval",
    status: isAnswered ? "delivered" : "pending",
    attempt: 1,
    approval: {
      input: { command: "npm test -- dates", note: "x".repeat(300) },
      cwd: "/work/project",
      display: { description: "Runs a part of the tests" },
      digest: "0".repeat(64),
      scopes: ["once"],
      scopeText: {},
      editable: true,
    },
    presentation: "tool",
    startedAt: at,
    onTimeout: "wait",
    hold: isAnswered ? "held" : "queued",
    ...(responders && { responders }),
    ...(isAnswered && {
      response: { action: "approve" },
      by: { person: `Person ${number % 100}`, client: "laptop", at },
      how: "resumed",
    }),
  };
}
