/**
 * The life of one interaction, without time, ids or storage: they are part of the inputs.
 *
 *   pending ─respond──▶ answered ─deliver─▶ delivered
 *      ├─────deadline─▶ expired  ─respond─▶ answered      (late; only with onTimeout `wait`)
 *      ├─────orphan───▶ orphaned ─respond─▶ answered      (late; only with onTimeout `wait`)
 *      ├─────withdraw─▶ withdrawn
 *      ├─────park─────▶ parked   ─respond─▶ resuming      (starts the agent again)
 *      │                   ├──────hold────▶ pending       (the agent has asked again)
 *      │                   ├──────orphan──▶ orphaned
 *      │                   └──────withdraw▶ withdrawn
 *      └─────queue────▶ queued   ─respond─▶ answered      (as a new message)
 *                          └──────lapse───▶ expired
 *   kept ─────respond─▶ answered ─deliver─▶ delivered     (when its program has fetched it)
 *      ├─────deadline─▶ expired
 *      └─────withdraw─▶ withdrawn
 *   resuming ─hold────▶ answered                          (the agent has asked again, and gets the response now)
 *   answered ─park────▶ resuming                          (the agent is gone, and never got the response)
 *   expired, orphaned ───────dismiss───▶ withdrawn         (if a late response would be accepted)
 *   resuming ─reopen──▶ parked                            (a person takes the response back; no one has got it)
 *   answered ─reopen──▶ queued, expired or orphaned       (a person takes back a response sent as a message)
 *
 * `parked` is `pending` with the hold `parked`: the agent has ended, and can be started again at its tool call.
 * `resuming` is
 * `answered` with the same hold: no one has received the response yet. `queued` is `pending` with the hold `queued`:
 * the agent has continued, and there is no deadline. With onTimeout `handler`, the deadline also leads to `queued`, and
 * the tool's handler decides whether the interaction stays there or lapses. `kept` is `pending` with the hold `kept`,
 * from the start: a program asked, and the end of a turn, a process or a gateway does not affect it.
 *
 * A `note` is an addition that is not an answer. It changes only the notes, and is possible as long as an answer is.
 *
 * If several people must approve (`responders`), each approval except the last is a `vote`: the phase stays the same,
 * and the agent is not notified. A single denial settles it.
 *
 * A denial that is `delivered` can be `overruled`: the agent was allowed elsewhere to run the call, and has run it.
 *
 * `transition` decides which event follows from an input; `foldInteraction` (interaction-event.ts) applies an event to
 * the interaction. The gateway and every client use the same fold, so that both show the same.
 */
import { afterEvent, toEvent } from "./interaction-event.ts";
import type {
  InteractionEffect,
  InteractionInput,
  InteractionMove,
  InteractionPhase,
  InteractionRefusal,
  InteractionTransition,
} from "./interaction-input.ts";
import {
  isKept,
  isParked,
  isQueued,
  isResuming,
  takesLateAnswer,
  type AnswerableStatus,
} from "./interaction-status.ts";
import type { Interaction } from "./interaction.ts";
import { refusalOfNote } from "./notes.ts";
import { moveOf, refusalOfVoter } from "./votes.ts";

type Step =
  | { readonly to: InteractionPhase; readonly effect?: InteractionEffect }
  | { readonly refusal: InteractionRefusal };
/** The `before` of a rule is the status that a reopened interaction had before its response. */
type Rule =
  | Step
  | ((interaction: Interaction, at: string, before: AnswerableStatus | undefined) => Step);

/** The rules of a phase in which no agent waits. Each such phase adds rules for responses, votes and notes. */
const NOBODY_WAITS: Record<Exclude<InteractionMove, "respond" | "vote" | "note">, Step> = {
  deadline: refuse("already_closed"),
  withdraw: refuse("already_closed"),
  orphan: refuse("already_closed"),
  park: refuse("already_closed"),
  hold: refuse("already_closed"),
  queue: refuse("already_closed"),
  lapse: refuse("already_closed"),
  dismiss: refuse("already_closed"),
  reopen: refuse("not_answered"),
  deliver: refuse("not_answered"),
  overrule: refuse("not_answered"),
};

/** The result of every input in every phase: a move, or a refusal with a reason, which changes nothing. */
const LIFE: Readonly<Record<InteractionPhase, Readonly<Record<InteractionMove, Rule>>>> = {
  pending: {
    respond: (interaction, at) =>
      isDue(interaction, at) ? refuse("deadline_passed") : move("answered", "wake"),
    vote: (interaction, at) =>
      isDue(interaction, at) ? refuse("deadline_passed") : move("pending"),
    note: (interaction, at) =>
      isDue(interaction, at) ? refuse("deadline_passed") : move("pending"),
    deadline: (interaction, at) => {
      if (!isDue(interaction, at)) return refuse("not_due");
      return move(interaction.onTimeout === "handler" ? "queued" : "expired", "wake");
    },
    withdraw: move("withdrawn", "wake"),
    orphan: move("orphaned", "wake"),
    // No effect: the wait does not end, and the agent must never be notified.
    park: move("parked"),
    hold: refuse("held"),
    queue: move("queued", "wake"),
    lapse: refuse("not_due"),
    dismiss: refuse("pending"),
    reopen: refuse("not_answered"),
    deliver: refuse("not_answered"),
    overrule: refuse("not_answered"),
  },
  parked: {
    respond: move("resuming", "resume"),
    vote: move("parked"),
    note: move("parked"),
    deadline: refuse("not_due"),
    withdraw: move("withdrawn", "wake"),
    orphan: move("orphaned", "wake"),
    park: refuse("parked"),
    hold: move("pending"),
    queue: refuse("parked"),
    lapse: refuse("not_due"),
    dismiss: refuse("pending"),
    reopen: refuse("not_answered"),
    deliver: refuse("not_answered"),
    overrule: refuse("not_answered"),
  },
  queued: {
    respond: move("answered", "queue_message"),
    vote: move("queued"),
    note: move("queued"),
    deadline: refuse("not_due"),
    withdraw: refuse("queued"),
    orphan: refuse("queued"),
    park: refuse("queued"),
    hold: refuse("queued"),
    queue: refuse("queued"),
    lapse: move("expired", "wake"),
    dismiss: refuse("queued"),
    reopen: refuse("not_answered"),
    deliver: refuse("not_answered"),
    overrule: refuse("not_answered"),
  },
  kept: {
    respond: (interaction, at) =>
      isDue(interaction, at) ? refuse("deadline_passed") : move("answered", "wake"),
    vote: (interaction, at) => (isDue(interaction, at) ? refuse("deadline_passed") : move("kept")),
    note: (interaction, at) => (isDue(interaction, at) ? refuse("deadline_passed") : move("kept")),
    deadline: (interaction, at) =>
      isDue(interaction, at) ? move("expired", "wake") : refuse("not_due"),
    withdraw: move("withdrawn", "wake"),
    orphan: refuse("kept"),
    park: refuse("kept"),
    hold: refuse("kept"),
    queue: refuse("kept"),
    lapse: refuse("not_due"),
    dismiss: refuse("pending"),
    reopen: refuse("not_answered"),
    deliver: refuse("not_answered"),
    overrule: refuse("not_answered"),
  },
  expired: {
    ...NOBODY_WAITS,
    respond: lateOr("expired"),
    vote: staysLateOr("expired"),
    note: staysLateOr("expired"),
    dismiss: dismissLate,
  },
  orphaned: {
    ...NOBODY_WAITS,
    respond: lateOr("orphaned"),
    vote: staysLateOr("orphaned"),
    note: staysLateOr("orphaned"),
    dismiss: dismissLate,
  },
  withdrawn: {
    ...NOBODY_WAITS,
    respond: refuse("withdrawn"),
    vote: refuse("withdrawn"),
    note: refuse("withdrawn"),
  },
  answered: {
    ...NOBODY_WAITS,
    respond: refuse("already_answered"),
    vote: refuse("already_answered"),
    note: refuse("already_answered"),
    park: move("resuming", "resume"),
    hold: refuse("held"),
    dismiss: refuse("already_answered"),
    reopen: reopenMessage,
    deliver: move("delivered"),
  },
  resuming: {
    ...NOBODY_WAITS,
    respond: refuse("already_answered"),
    vote: refuse("already_answered"),
    note: refuse("already_answered"),
    park: refuse("parked"),
    hold: move("answered"),
    dismiss: refuse("already_answered"),
    reopen: move("parked"),
    deliver: move("delivered"),
  },
  delivered: {
    ...NOBODY_WAITS,
    respond: refuse("already_answered"),
    vote: refuse("already_answered"),
    note: refuse("already_answered"),
    dismiss: refuse("already_answered"),
    reopen: refuse("taken"),
    deliver: refuse("already_delivered"),
    // Only once, and only for a denial that the agent got at its tool call, while the call could be allowed elsewhere.
    overrule: ({ how, response }) =>
      (how ?? "resumed") === "resumed" && response?.action !== "approve"
        ? move("delivered")
        : refuse("already_delivered"),
  },
};

/** Applies an input to an interaction. Pure: neither of them is changed. */
export function transition(
  interaction: Interaction,
  input: InteractionInput,
): InteractionTransition {
  const at = "by" in input ? input.by.at : input.at;
  const type = moveOf(interaction, input);
  const step = stepOf(interaction, type, at, input.type === "reopen" ? input.to : undefined);
  if ("refusal" in step) return { status: "refused", reason: step.refusal };
  const reason =
    input.type === "note" ? refusalOfNote(interaction, input) : refusalOfVoter(interaction, input);
  if (reason) return { status: "refused", reason };
  const event = toEvent(interaction, input, { ...step, type });
  const { effect } = step;
  return {
    status: "moved",
    interaction: afterEvent(interaction, event),
    event,
    ...(effect && { effect }),
  };
}

/** Returns why a response at `at` would be refused regardless of its content, or `undefined` if it may be accepted. */
export function refusalOfResponse(
  interaction: Interaction,
  at: string,
): InteractionRefusal | undefined {
  const step = stepOf(interaction, "respond", at);
  return "refusal" in step ? step.refusal : undefined;
}

function stepOf(
  interaction: Interaction,
  type: InteractionMove,
  at: string,
  before?: AnswerableStatus,
): Step {
  const rule = LIFE[phaseOf(interaction)][type];
  return typeof rule === "function" ? rule(interaction, at, before) : rule;
}

function phaseOf(interaction: Interaction): InteractionPhase {
  if (isParked(interaction)) return "parked";
  if (isResuming(interaction)) return "resuming";
  if (interaction.status === "pending" && isKept(interaction)) return "kept";
  return isQueued(interaction) ? "queued" : interaction.status;
}

function lateOr(refusal: InteractionRefusal): Rule {
  return (interaction) =>
    takesLateAnswer(interaction) ? move("answered", "queue_message") : refuse(refusal);
}

function staysLateOr(closed: "expired" | "orphaned"): Rule {
  return (interaction) => (takesLateAnswer(interaction) ? move(closed) : refuse(closed));
}

function dismissLate(interaction: Interaction): Step {
  return takesLateAnswer(interaction) ? move("withdrawn") : refuse("already_closed");
}

/** The rule for a response that travels as a message. The gateway's queue decides whether the message was sent. */
function reopenMessage(
  interaction: Interaction,
  _at: string,
  before: AnswerableStatus | undefined,
): Step {
  const { hold, closedAt } = interaction;
  if (before === "pending") return hold === "queued" ? move("queued") : refuse("taken");
  return before !== undefined && closedAt !== undefined ? move(before) : refuse("taken");
}

function isDue({ deadlineAt }: Interaction, at: string): boolean {
  return deadlineAt !== undefined && Date.parse(deadlineAt) <= Date.parse(at);
}

function move(to: InteractionPhase, effect?: InteractionEffect): Step {
  return { to, ...(effect && { effect }) };
}

function refuse(refusal: InteractionRefusal): Step {
  return { refusal };
}
