import type { EventOf, UnplacedEvent } from "./event.ts";
import type { AnswerableStatus, InteractionStatus } from "./interaction-status.ts";
import type { Delivery, Interaction } from "./interaction.ts";
import type { Note } from "./note.ts";
import type { InteractionResponse, Responder } from "./response.ts";

/** What happens to an interaction. */
export type InteractionInput =
  | {
      readonly type: "respond";
      readonly response: InteractionResponse;
      /** `by.at` is the instant that decides whether the response came in time. */
      readonly by: Responder;
      /** How long it can be taken back, where nobody waits for it. */
      readonly undoMs?: number | undefined;
      /** The person may say so: `refusalOfResponder` has nothing against it. Needed where not everybody may. */
      readonly isResponder?: true | undefined;
      /** People who have said yes before, and could not say it now. */
      readonly uncounted?: readonly string[] | undefined;
    }
  /** Something is added that is no answer. */
  | { readonly type: "note"; readonly note: Note; readonly by: Responder }
  | { readonly type: "deadline"; readonly at: string }
  | { readonly type: "withdraw"; readonly at: string; readonly reason: string }
  | { readonly type: "orphan"; readonly at: string; readonly reason: string }
  /** The agent ends, and can be started again at the tool call. */
  | { readonly type: "park"; readonly at: string }
  /** The agent was started again, and has asked again. */
  | { readonly type: "hold"; readonly at: string }
  /** The agent continues; the response will reach it as a message. */
  | { readonly type: "queue"; readonly at: string }
  /** Nobody has answered, and nobody needs an answer any more. */
  | { readonly type: "lapse"; readonly at: string }
  /** A person does not want to answer it late. */
  | { readonly type: "dismiss"; readonly at: string; readonly reason: string }
  /** A person takes the response back, which the agent has certainly not got. */
  | {
      readonly type: "reopen";
      readonly by: Responder;
      /** As it was before the response. */
      readonly to: AnswerableStatus;
    }
  /** The agent was allowed elsewhere what was denied here, and has run it. */
  | { readonly type: "overrule"; readonly at: string }
  | {
      readonly type: "deliver";
      readonly at: string;
      readonly how: Delivery;
      /** The turn in which the agent got the response. */
      readonly turnId: string;
      /** The response was delivered, but its receiver could not handle it. */
      readonly failure?: string;
    };

/** Why an input changes nothing. */
export type InteractionRefusal =
  /** Its responders are others. */
  | "not_responder"
  /** The person has said yes, and others have to as well. */
  | "already_voted"
  /** It has been added before: a comment with the same words, the same hand-over, or a reminder a moment ago. */
  | "already_noted"
  /** There is no room for more of it. */
  | "notes_full"
  | "already_answered"
  | "already_closed"
  | "already_delivered"
  /** The agent has the response, or may have it. */
  | "taken"
  | "not_answered"
  | "not_due"
  /** A running agent waits for it already. */
  | "held"
  /** Its agent has ended already, and the response will start it again. */
  | "parked"
  /** It is still to be answered. */
  | "pending"
  /** No agent waits for it: there is no wait to end. */
  | "queued"
  /** A program asked, and its wait ends by a response, the deadline or a withdrawal only. */
  | "kept"
  /** Not answered in time, though it has not expired yet: let it expire first. */
  | "deadline_passed"
  | "expired"
  | "withdrawn"
  | "orphaned";

export type InteractionEffect =
  /** Settle the wait of the agent that asked. */
  | "wake"
  /** Start the agent again at the tool call that asked. */
  | "resume"
  /** The agent no longer waits: the response reaches it as a new message. */
  | "queue_message";

export type InteractionTransition =
  | {
      readonly status: "moved";
      readonly interaction: Interaction;
      /** To be appended in the transaction that writes the interaction. */
      readonly event: UnplacedEvent;
      readonly effect?: InteractionEffect;
    }
  | { readonly status: "refused"; readonly reason: InteractionRefusal };

/** What is looked up in the table: a yes that is not the last one needed is a `vote`. */
export type InteractionMove = InteractionInput["type"] | "vote";

/** The statuses, with `pending` and `answered` told apart by the hold. */
export type InteractionPhase = InteractionStatus | "queued" | "parked" | "resuming" | "kept";

/** An event that changes an interaction which was requested before. */
export type InteractionEvent =
  | EventOf<"interaction_response">
  | EventOf<"interaction_vote">
  | EventOf<"interaction_note">
  | EventOf<"interaction_reopened">
  | EventOf<"interaction_hold_changed">
  | EventOf<"interaction_closed">
  | EventOf<"interaction_delivered">
  | EventOf<"interaction_overruled">;
