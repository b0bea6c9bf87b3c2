import type { InteractionResponse, TurnUsage } from "@holdpoint/protocol";

import type {
  AgentDelta,
  AgentEvent,
  HoldRequest,
  HoldResult,
  TurnContext,
} from "../ports/agent-adapter.ts";

/** The outcome of a request, decided by a scripted person or the clock. The turn adds ids and `delivered`. */
export type ScriptedOutcome =
  | {
      readonly outcome: "answered";
      readonly response: InteractionResponse;
      /** For approvals. Default: the person's edit, or the input of the request. */
      readonly input?: Record<string, unknown>;
      /** For forms: all values, including those of sensitive fields. */
      readonly values?: Record<string, unknown>;
    }
  | { readonly outcome: "expired"; readonly takesLateAnswer?: boolean }
  | { readonly outcome: "withdrawn"; readonly reason: string };

/** Answers each request of a turn. One that never resolves waits until the turn is stopped. */
export type HoldScript = (request: HoldRequest) => ScriptedOutcome | Promise<ScriptedOutcome>;

/** An entry in the record of a turn. */
export type TurnEntry =
  | { readonly kind: "event"; readonly event: AgentEvent }
  | { readonly kind: "delta"; readonly delta: AgentDelta }
  | { readonly kind: "hold"; readonly interactionId: string; readonly request: HoldRequest }
  | { readonly kind: "held"; readonly interactionId: string; readonly result: HoldResult }
  | { readonly kind: "delivered"; readonly interactionId: string; readonly knowledge?: "unknown" }
  | { readonly kind: "mode"; readonly mode: string }
  | { readonly kind: "model"; readonly model: string }
  | { readonly kind: "retrying"; readonly isRetrying: boolean }
  | { readonly kind: "usage"; readonly usage: TurnUsage }
  | { readonly kind: "state"; readonly state: string };

/** A turn for tests: records what an adapter does with it. */
export interface RecordingTurn extends TurnContext {
  readonly entries: readonly TurnEntry[];
  readonly events: readonly AgentEvent[];
  readonly deltas: readonly AgentDelta[];
  readonly requests: readonly HoldRequest[];
  /** The last state kept by `saveState`. */
  readonly state: string | undefined;
  /** Entries after `end`, which no adapter may produce. */
  readonly lateEntries: readonly TurnEntry[];
  /** Aborts the turn's signal. */
  stop(): void;
  /** Call it when `runTurn` has resolved. */
  end(): void;
}

/** Without a script, requests stay unanswered. */
export function createRecordingTurn(
  options: { readonly turnId?: string; readonly script?: HoldScript } = {},
): RecordingTurn {
  const { turnId = "trn_recorded", script = () => new Promise<never>(() => undefined) } = options;
  const stopper = new AbortController();
  const entries: TurnEntry[] = [];
  const lateEntries: TurnEntry[] = [];
  let isEnded = false;
  let holdCount = 0;
  const note = (entry: TurnEntry): void => {
    (isEnded ? lateEntries : entries).push(entry);
  };

  return {
    turnId,
    signal: stopper.signal,
    entries,
    lateEntries,
    get events() {
      return entries.flatMap((entry) => (entry.kind === "event" ? [entry.event] : []));
    },
    get deltas() {
      return entries.flatMap((entry) => (entry.kind === "delta" ? [entry.delta] : []));
    },
    get requests() {
      return entries.flatMap((entry) => (entry.kind === "hold" ? [entry.request] : []));
    },
    get state() {
      return entries.flatMap((entry) => (entry.kind === "state" ? [entry.state] : [])).at(-1);
    },
    stop: () => stopper.abort(),
    end() {
      isEnded = true;
    },
    emit(event) {
      note({ kind: "event", event: structuredClone(event) });
      return Promise.resolve();
    },
    delta(delta) {
      note({ kind: "delta", delta });
    },
    permissionModeChanged(mode) {
      note({ kind: "mode", mode });
      return Promise.resolve();
    },
    usesModel(model) {
      note({ kind: "model", model });
      return Promise.resolve();
    },
    retrying(isRetrying) {
      note({ kind: "retrying", isRetrying });
    },
    used(usage) {
      note({ kind: "usage", usage });
    },
    saveState(state) {
      note({ kind: "state", state });
      return Promise.resolve();
    },
    async hold(request, { signal }) {
      const interactionId = `int_${++holdCount}`;
      note({ kind: "hold", interactionId, request: structuredClone(request) });
      const cancelled = AbortSignal.any([signal, stopper.signal]);
      const outcome = await untilAborted(cancelled, () => script(request));
      const result = toResult(outcome, { request, interactionId, note });
      note({ kind: "held", interactionId, result });
      return result;
    },
  };
}

async function untilAborted(
  signal: AbortSignal,
  ask: () => ScriptedOutcome | Promise<ScriptedOutcome>,
): Promise<ScriptedOutcome> {
  const withdrawn: ScriptedOutcome = { outcome: "withdrawn", reason: "The turn was stopped." };
  if (signal.aborted) return withdrawn;
  const { promise, resolve } = Promise.withResolvers<ScriptedOutcome>();
  const abort = (): void => resolve(withdrawn);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([promise, ask()]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

function toResult(
  outcome: ScriptedOutcome,
  {
    request,
    interactionId,
    note,
  }: { request: HoldRequest; interactionId: string; note: (entry: TurnEntry) => void },
): HoldResult {
  switch (outcome.outcome) {
    case "withdrawn":
      return outcome;
    case "expired":
      return {
        outcome: "expired",
        interactionId,
        takesLateAnswer: outcome.takesLateAnswer ?? request.onTimeout !== "deny",
      };
    case "answered": {
      const asked = request.kind === "approval" ? request.input : undefined;
      const input = outcome.input ?? outcome.response.editedInput ?? asked;
      return {
        outcome: "answered",
        interactionId,
        response: outcome.response,
        ...(input === undefined ? {} : { input: structuredClone(input) }),
        ...(outcome.values && { values: structuredClone(outcome.values) }),
        delivered(knowledge) {
          note({ kind: "delivered", interactionId, ...(knowledge && { knowledge }) });
          return Promise.resolve();
        },
      };
    }
  }
}
