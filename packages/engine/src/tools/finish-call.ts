import { maskSecrets } from "../lib/mask-secrets.ts";
import { CONFLICT, retryConflicts } from "../lib/retry-conflicts.ts";
import { retryUntilDone, type RetryParts } from "../lib/retry-until-done.ts";
import type {
  AppendResult,
  Batch,
  InteractionWrite,
  KeptResult,
  Store,
  StoredInteraction,
} from "../ports/store.ts";
import type { SessionLog } from "../session/session-log.ts";

export interface FinishCallParts {
  readonly store: Pick<Store, "listToolCallInteractions">;
  readonly log: Pick<SessionLog, "append">;
}

export interface FinishedCall {
  readonly sessionId: string;
  readonly toolCallId: string;
  readonly interactionIds: ReadonlySet<string>;
  /** Interactions whose answers the handler received and whose agent has not confirmed them. */
  readonly taken: ReadonlySet<string>;
  /** Kept for a repetition of the call. If absent, nothing of the call is ever replayed. */
  readonly result?: KeptResult | undefined;
  /** Texts from sensitive fields that the result may repeat. */
  readonly secrets: ReadonlySet<string>;
}

/**
 * Marks the interactions of a call as finished and keeps its result with one of them, in one write. An interaction that
 * changes at the same time is marked in its new state; a deleted one is left out. Resolves to the id of the interaction
 * that keeps the result. Rejects when the store fails.
 */
export async function finishCall(
  { store, log }: FinishCallParts,
  call: FinishedCall,
): Promise<string | undefined> {
  const { sessionId, toolCallId, interactionIds } = call;
  if (interactionIds.size === 0) return undefined;
  const rows = await store.listToolCallInteractions(sessionId, toolCallId);
  const open = new Map(
    rows
      .filter((row) => interactionIds.has(row.interaction.interactionId))
      .map((row) => [row.interaction.interactionId, row]),
  );
  return retryConflicts<string | undefined>(async () => {
    const keeper = findKeeper([...open.values()], call);
    const interactions = [...open.values()].flatMap((row) =>
      toFinished(row, row === keeper ? keptIn(row, call) : {}),
    );
    if (interactions.length === 0) return undefined;
    const result = await log.append({ sessionId, interactions });
    if (result.status === "appended") return keeper?.interaction.interactionId;
    return takeNewer(open, result) ? CONFLICT : undefined;
  });
}

/**
 * Prefers an interaction whose answer is still to be delivered, since its delivery deletes the result in the same
 * write.
 */
function findKeeper(
  rows: readonly StoredInteraction[],
  { result, taken }: FinishedCall,
): StoredInteraction | undefined {
  if (!result) return undefined;
  return rows.findLast(({ interaction }) => taken.has(interaction.interactionId)) ?? rows.at(-1);
}

function keptIn(
  { secretValues }: StoredInteraction,
  { result, secrets }: FinishedCall,
): Pick<StoredInteraction, "keptResult" | "secretValues"> {
  if (!result) return {};
  const { content, isError } = result;
  const isSecret = maskSecrets(content, secrets) !== content;
  return {
    keptResult: { content, isError },
    ...(isSecret && {
      secretValues: { ...secretValues, ...Object.fromEntries([...secrets].entries()) },
    }),
  };
}

function toFinished(
  stored: StoredInteraction,
  kept: Pick<StoredInteraction, "keptResult" | "secretValues">,
): InteractionWrite[] {
  const { call, interaction } = stored;
  if (!call || call.finished) return [];
  const { status: expectedStatus, hold: expectedHold } = interaction;
  const row = { ...stored, ...kept, call: { ...call, finished: true } as const };
  return [{ row, expectedStatus, expectedHold }];
}

/** False when another attempt is pointless. */
function takeNewer(
  open: Map<string, StoredInteraction>,
  result: Extract<AppendResult, { status: "conflict" }>,
): boolean {
  const { conflict } = result;
  if (conflict.kind !== "interaction") return false;
  const { interactionId, current } = conflict;
  if (current) open.set(interactionId, current);
  else open.delete(interactionId);
  return true;
}

/**
 * Records whether the handler has an approval, before it gets it: a handler must never get an approval again that it
 * has acted on. Retries until that is written. Rejects when the gateway closes first.
 */
export async function noteBegun(
  parts: RetryParts & Pick<FinishCallParts, "log">,
  stored: StoredInteraction,
  isBegun = true,
): Promise<void> {
  let current: StoredInteraction | undefined = stored;
  await retryConflicts<undefined>(async () => {
    if (!current?.call) return undefined;
    const { begun: _before, ...call } = current.call;
    const row = { ...current, call: { ...call, ...(isBegun && { begun: true as const }) } };
    const { sessionId, status: expectedStatus } = current.interaction;
    const batch: Batch = { sessionId, interactions: [{ row, expectedStatus }] };
    const write = (): Promise<AppendResult> => parts.log.append(batch);
    const result: AppendResult = await retryUntilDone(parts, "tool", write);
    if (result.status === "appended") return undefined;
    current = result.conflict.kind === "interaction" ? result.conflict.current : undefined;
    return CONFLICT;
  });
}
