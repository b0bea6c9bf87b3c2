import type { Interaction, UnplacedEvent } from "@holdpoint/protocol";
import { openSqliteStore, type SqliteStore } from "@holdpoint/store-sqlite";

const AT = "2026-01-01T00:00:00.000Z";

/** Writes a history as a killed gateway leaves it: idle sessions, and some whose turn was running and had asked. */
export async function fillHistory(
  dataDir: string,
  { settled, pending, perSession = 100 }: HistorySize,
): Promise<void> {
  await using store = await openSqliteStore({ dataDir });
  for (let first = 0; first < settled + pending; first += perSession) {
    const status = first < settled ? "delivered" : "pending";
    await writeSession(store, { first, count: perSession, status });
  }
}

interface HistorySize {
  readonly settled: number;
  readonly pending: number;
  readonly perSession?: number;
}

interface SessionContent {
  /** The number of its first interaction over all sessions. */
  readonly first: number;
  readonly count: number;
  readonly status: "pending" | "delivered";
}

async function writeSession(
  store: SqliteStore,
  { first, count, status }: SessionContent,
): Promise<void> {
  const sessionId = `ses_${idOf(first)}`;
  const turnId = `trn_${idOf(first)}`;
  const rows = Array.from({ length: count }, (_, index) =>
    toInteraction({ sessionId, turnId, number: first + index, status }),
  );
  const events: UnplacedEvent[] = [
    { type: "turn_started", at: AT, turnId },
    ...rows.flatMap(eventsOf),
    ...(status === "delivered"
      ? [{ type: "turn_ended", at: AT, turnId, reason: "done" } as const]
      : []),
  ];
  await store.append({
    sessionId,
    session: {
      sessionId,
      agent: "asking",
      cwd: "/work/project",
      title: `Session of ${first}`,
      permissionMode: "default",
      status: status === "delivered" ? "idle" : "running",
      createdAt: AT,
      updatedAt: AT,
    },
    events,
    interactions: rows.map((interaction) => ({ row: { interaction }, expectedStatus: undefined })),
  });
}

function idOf(number: number): string {
  return number.toString(16).padStart(38, "0");
}

function toInteraction(options: {
  readonly sessionId: string;
  readonly turnId: string;
  readonly number: number;
  readonly status: "pending" | "delivered";
}): Interaction {
  const { sessionId, turnId, number, status } = options;
  return {
    interactionId: `int_${idOf(number)}`,
    sessionId,
    turnId,
    toolCallId: `toolu_${idOf(number)}`,
    toolName: "Bash",
    kind: "approval",
    status,
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
    startedAt: new Date(Date.parse(AT) + number * 1000).toISOString(),
    onTimeout: "wait",
    hold: "held",
    ...(status === "delivered" && {
      response: { action: "approve" },
      by: { person: "Ada", client: "laptop", at: AT },
      how: "resumed",
    }),
  };
}

function eventsOf(interaction: Interaction): UnplacedEvent[] {
  const { interactionId, turnId, response, by, status } = interaction;
  const { response: _response, by: _by, how: _how, ...asked } = interaction;
  const requested: UnplacedEvent = {
    type: "interaction_request",
    at: AT,
    turnId,
    interaction: { ...asked, status: "pending" },
  };
  if (status === "pending" || !response || !by) return [requested];
  return [
    requested,
    { type: "interaction_response", at: AT, turnId, interactionId, ...response, by },
    { type: "interaction_delivered", at: AT, turnId, interactionId, how: "resumed" },
  ];
}
