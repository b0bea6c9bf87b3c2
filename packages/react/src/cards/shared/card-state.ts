import {
  isAnswered,
  isKept,
  isParked,
  isQueued,
  isResuming,
  newerInteraction,
  takesLateAnswer,
  type Delivery,
  type Interaction,
  type InteractionResponse,
  type Problem,
  type Responder,
} from "@holdpoint/protocol";

/**
 * The state of a card. It follows from the interaction and from the result of the response that this card has sent.
 *
 *   pending ──send──▶ submitting ──acknowledged──▶ answered_here
 *      ▲                  ├─ lost the race ──────▶ answered_elsewhere
 *      │                  ├─ 422 ────────────────▶ invalid ──┐
 *      │                  ├─ digest ─────────────▶ changed ──┤ all keep the draft
 *      │                  └─ no answer, other ───▶ failed ───┘
 *   parked: the answer restarts the agent; otherwise like pending
 *   queued: the agent has continued, and gets the answer as a message; otherwise like pending
 *   expired, orphaned: can be answered late if `canAnswer`; withdrawn, read_only: never
 */
export type CardState =
  | { readonly phase: "pending" }
  | { readonly phase: "parked" }
  | { readonly phase: "queued" }
  | { readonly phase: "submitting" }
  /** Without a message, it is unknown whether the gateway has the response. */
  | { readonly phase: "failed"; readonly message?: string }
  | {
      readonly phase: "invalid";
      readonly message: string;
      readonly fieldErrors: Readonly<Record<string, string>>;
    }
  | { readonly phase: "changed" }
  | ({ readonly phase: "answered_here" } & CardAnswer)
  | ({ readonly phase: "answered_elsewhere" } & CardAnswer)
  | ({ readonly phase: "expired"; readonly denied: boolean } & Late)
  | ({ readonly phase: "orphaned" } & Late)
  | { readonly phase: "withdrawn"; readonly reason?: string }
  | { readonly phase: "read_only"; readonly why: ReadOnlyReason };

export type AnsweredState = CardState & { phase: "answered_here" | "answered_elsewhere" };

interface CardAnswer {
  /** Absent only if the gateway named no winner. */
  readonly response?: InteractionResponse;
  readonly by?: Responder;
  /** How the answer was delivered to the agent; absent: not yet. */
  readonly how?: Delivery;
  /** The requester is a program, which fetches the answer. */
  readonly isProgram?: true;
  /** Not delivered yet because the agent has to be restarted first. */
  readonly starting?: true;
  /** The time of delivery to the agent. Before it, the answer can be undone. */
  readonly undoUntil?: string;
  /** Why the recipient could not handle the answer, in plain words. */
  readonly failure?: string;
}

interface Late {
  /** A late answer would still reach the agent, as a message. */
  readonly takesLate: boolean;
  /** This client may give a late answer. */
  readonly canAnswer: boolean;
}

/** Why this client is read-only. */
export type ReadOnlyReason = "interaction_off" | "no_right";

/** Why the gateway refused the response. */
type RefusingProblem = Pick<Problem, "code" | "detail" | "fieldErrors" | "winner">;

/** The result of the response that this card has sent. */
export type Submission =
  | { readonly status: "none" }
  | { readonly status: "sending" }
  | { readonly status: "acknowledged"; readonly interaction: Interaction }
  | { readonly status: "refused"; readonly problem: RefusingProblem }
  /** The gateway was not reached, or its reply was not understood. */
  | { readonly status: "failed" }
  /** It failed, and the gateway has said since that it does not have it. */
  | { readonly status: "lost" };

interface CardStateInput {
  readonly interaction: Interaction;
  readonly submission: Submission;
  readonly clientId: string;
  /** The person of this page, as in `Person`; absent for the gateway's owner. */
  readonly personId?: string | undefined;
  readonly canRespond: boolean;
  readonly readOnlyReason?: ReadOnlyReason | undefined;
}

/** The state of a card. The gateway's interaction takes precedence over the card's own submission. */
export function toCardState(input: CardStateInput): CardState {
  const { interaction, submission } = input;
  const settled = toSettledState(interaction, input);
  if (settled !== undefined) return settled;
  switch (submission.status) {
    case "acknowledged":
      // A person has undone the answer in between.
      if (newerInteraction(interaction, submission.interaction) === interaction) {
        return toOpenState(input);
      }
      return (
        toSettledState(submission.interaction, input) ?? toAnswered(submission.interaction, true)
      );
    case "sending":
      return { phase: "submitting" };
    case "refused":
      return toRefusedState(submission.problem, input);
    case "failed":
      return input.canRespond ? { phase: "failed" } : toOpenState(input);
    case "lost":
      return input.canRespond
        ? { phase: "failed", message: "The gateway does not have it." }
        : toOpenState(input);
    case "none":
      return toOpenState(input);
  }
}

/** Whether the person can change and send an answer in this state. */
export function acceptsAnswer(state: CardState): boolean {
  switch (state.phase) {
    case "pending":
    case "parked":
    case "queued":
    case "failed":
    case "invalid":
    case "changed":
      return true;
    case "expired":
    case "orphaned":
      return state.canAnswer;
    case "submitting":
    case "answered_here":
    case "answered_elsewhere":
    case "withdrawn":
    case "read_only":
      return false;
  }
}

/** Whether this client gave the response. Compares the person too, since clients choose their own ids. */
function isHere(
  by: Responder | undefined,
  { clientId, personId }: Pick<CardStateInput, "clientId" | "personId">,
): boolean {
  return by !== undefined && by.clientId === clientId && by.personId === personId;
}

function toSettledState(interaction: Interaction, input: CardStateInput): CardState | undefined {
  const { status, by, closedReason } = interaction;
  if (isAnswered(status)) return toAnswered(interaction, isHere(by, input));
  return status === "withdrawn" ? withdrawn(closedReason) : undefined;
}

function toAnswered(interaction: Interaction, here: boolean): CardState {
  const { response, by, status, how, failure, undoUntil } = interaction;
  return {
    phase: here ? "answered_here" : "answered_elsewhere",
    ...(response !== undefined && { response }),
    ...(by !== undefined && { by }),
    ...(status === "delivered" && { how: how ?? "resumed" }),
    ...(isKept(interaction) && { isProgram: true as const }),
    ...(isResuming(interaction) && { starting: true as const }),
    ...(status === "answered" && undoUntil !== undefined && { undoUntil }),
    ...(failure !== undefined && { failure }),
  };
}

function withdrawn(reason: string | undefined): CardState {
  return { phase: "withdrawn", ...(reason !== undefined && { reason }) };
}

/** The state of an unanswered interaction while this card is not sending. */
function toOpenState({ interaction, canRespond, readOnlyReason }: CardStateInput): CardState {
  const takesLate = takesLateAnswer(interaction);
  const canAnswer = takesLate && canRespond;
  if (interaction.status === "expired") {
    return { phase: "expired", denied: isDeniedLate(interaction), takesLate, canAnswer };
  }
  if (interaction.status === "orphaned") return { phase: "orphaned", takesLate, canAnswer };
  if (!canRespond) return { phase: "read_only", why: readOnlyReason ?? "interaction_off" };
  if (isParked(interaction)) return { phase: "parked" };
  return { phase: isQueued(interaction) ? "queued" : "pending" };
}

/** Silence does not deny a server's request: the server gets the result that there was no answer. */
function isDeniedLate({ onTimeout, form }: Interaction): boolean {
  return onTimeout === "deny" && form?.server === undefined;
}

function toRefusedState(problem: RefusingProblem, input: CardStateInput): CardState {
  switch (problem.code) {
    case "ALREADY_ANSWERED": {
      if (problem.winner === undefined) return { phase: "answered_elsewhere" };
      const { by, ...response } = problem.winner;
      const here = isHere(by, input);
      return { phase: here ? "answered_here" : "answered_elsewhere", response, by };
    }
    case "EXPIRED":
      return {
        phase: "expired",
        denied: isDeniedLate(input.interaction),
        takesLate: false,
        canAnswer: false,
      };
    case "WITHDRAWN":
      return withdrawn(undefined);
    case "INTERACTION_DISABLED":
      return input.canRespond ? { phase: "read_only", why: "interaction_off" } : toOpenState(input);
    case "FORBIDDEN":
      return { phase: "read_only", why: "no_right" };
    default:
      break;
  }
  const open = toOpenState(input);
  if (!acceptsAnswer(open)) return open;
  if (problem.code === "DIGEST_MISMATCH") return { phase: "changed" };
  if (problem.code === "INVALID_RESPONSE" || problem.code === "INVALID_REQUEST") {
    return { phase: "invalid", message: problem.detail, fieldErrors: problem.fieldErrors ?? {} };
  }
  const mayHaveIt = problem.code === "OUTCOME_UNKNOWN" || problem.code === "INTERNAL";
  return mayHaveIt ? { phase: "failed" } : { phase: "failed", message: problem.detail };
}
