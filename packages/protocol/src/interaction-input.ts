import type { EventOf, UnplacedEvent } from "./event.ts";
import type { AnswerableStatus, InteractionStatus } from "./interaction-status.ts";
import type { Delivery, Interaction } from "./interaction.ts";
import type { Note } from "./note.ts";
import type { InteractionResponse, Responder } from "./response.ts";

/** An input that may change an interaction. */
export type InteractionInput =
  | {
      readonly type: "respond";
      readonly response: InteractionResponse;
      /** `by.at` decides whether the response came in time. */
      readonly by: Responder;
      /** How long the response can be taken back if no running agent waits for it, in milliseconds. */
      readonly undoMs?: number | undefined;
      /** Confirms that `refusalOfResponder` allows this response. Required if the interaction limits its responders. */
      readonly isResponder?: true | undefined;
      /** People who approved earlier, but may no longer do so. */
      readonly uncounted?: readonly string[] | undefined;
    }
  /** Adds something that is not an answer. */
  | { readonly type: "note"; readonly note: Note; readonly by: Responder }
  | { readonly type: "deadline"; readonly at: string }
  | { readonly type: "withdraw"; readonly at: string; readonly reason: string }
  | { readonly type: "orphan"; readonly at: string; readonly reason: string }
  /** The agent ends, and can be started again at the tool call. */
  | { readonly type: "park"; readonly at: string }
  /** The agent was started again, and has asked again. */
  | { readonly type: "hold"; readonly at: string }
  /** The agent continues. The response will reach it as a message. */
  | { readonly type: "queue"; readonly at: string }
  /** No one has answered, and an answer is no longer needed. */
  | { readonly type: "lapse"; readonly at: string }
  /** A person decides not to answer late. */
  | { readonly type: "dismiss"; readonly at: string; readonly reason: string }
  /** A person takes back a response that the agent has certainly not received. */
  | {
      readonly type: "reopen";
      readonly by: Responder;
      /** The status before the response. */
      readonly to: AnswerableStatus;
    }
  /** The agent was allowed elsewhere to run the call that was denied here, and has run it. */
  | { readonly type: "overrule"; readonly at: string }
  | {
      readonly type: "deliver";
      readonly at: string;
      readonly how: Delivery;
      /** The turn in which the agent received the response. */
      readonly turnId: string;
      /** Why the receiver could not handle the delivered response. */
      readonly failure?: string;
    };

/** Why an input changes nothing. */
export type InteractionRefusal =
  /** Only other people may respond. */
  | "not_responder"
  /** The person has already approved, and other people still have to. */
  | "already_voted"
  /** A duplicate: a comment with the same text, the same reassignment, or a second reminder within minutes. */
  | "already_noted"
  /** The limit for notes of this kind is reached. */
  | "notes_full"
  | "already_answered"
  | "already_closed"
  | "already_delivered"
  /** The agent has the response, or may have it. */
  | "taken"
  | "not_answered"
  | "not_due"
  /** A running agent is already waiting for it. */
  | "held"
  /** The agent has already ended, and the response will start it again. */
  | "parked"
  /** The interaction is still open. */
  | "pending"
  /** No agent is waiting, so there is no wait to end. */
  | "queued"
  /** A program asked, and only a response, the deadline or a withdrawal can end its wait. */
  | "kept"
  /** The deadline has passed, but the interaction has not expired yet: let it expire first. */
  | "deadline_passed"
  | "expired"
  | "withdrawn"
  | "orphaned";

export type InteractionEffect =
  /** End the wait of the agent that asked. */
  | "wake"
  /** Start the agent again at the tool call that asked. */
  | "resume"
  /** Send the response as a new message, because the agent is no longer waiting. */
  | "queue_message";

export type InteractionTransition =
  | {
      readonly status: "moved";
      readonly interaction: Interaction;
      /** To append in the same transaction that writes the interaction. */
      readonly event: UnplacedEvent;
      readonly effect?: InteractionEffect;
    }
  | { readonly status: "refused"; readonly reason: InteractionRefusal };

/** The moves in the table. An approval that is not the last one required is a `vote`. */
export type InteractionMove = InteractionInput["type"] | "vote";

/** The statuses, with `pending` and `answered` split by the hold. */
export type InteractionPhase = InteractionStatus | "queued" | "parked" | "resuming" | "kept";

/** An event that changes an interaction after its request. */
export type InteractionEvent =
  | EventOf<"interaction_response">
  | EventOf<"interaction_vote">
  | EventOf<"interaction_note">
  | EventOf<"interaction_reopened">
  | EventOf<"interaction_hold_changed">
  | EventOf<"interaction_closed">
  | EventOf<"interaction_delivered">
  | EventOf<"interaction_overruled">;
