import {
  type EventOf,
  foldInteraction,
  type Interaction,
  isFinal,
  type Note,
  type SessionEvent,
} from "@holdpoint/protocol";

/** An interaction's history so far. */
interface Story {
  interaction: Interaction;
  readonly shown: { readonly seq: number; readonly hash: string; readonly digest?: string };
  readonly steps: object[];
  grantMade?: object;
}

type InteractionEvent = Exclude<
  Extract<SessionEvent, { interactionId: string; type: `interaction_${string}` }>,
  { type: "interaction_request" }
>;

/**
 * Builds the lines about a session's interactions from its events: each once it is final, the rest at the end. The same
 * events always give the same lines. Holds only open interactions in memory.
 */
export class InteractionRecords {
  readonly #sessionId: string;
  readonly #agent: string;
  readonly #open = new Map<string, Story>();

  constructor({ sessionId, agent }: { readonly sessionId: string; readonly agent: string }) {
    this.#sessionId = sessionId;
    this.#agent = agent;
  }

  /** The lines that follow this event. */
  add({ hash, json }: { readonly hash: string; readonly json: string }): string[] {
    const event = JSON.parse(json) as SessionEvent;
    switch (event.type) {
      case "interaction_request":
        this.#begin(event, hash);
        return [];
      case "grant_added":
        this.#noteGrant(event);
        return [];
      case "grant_used":
        return [this.#automatic(event)];
      case "interaction_response":
      case "interaction_vote":
      case "interaction_note":
      case "interaction_reopened":
      case "interaction_closed":
      case "interaction_hold_changed":
      case "interaction_delivered":
      case "interaction_overruled":
        return this.#move(event);
      default:
        return [];
    }
  }

  /** The lines of interactions that are not final, in the order of their requests. */
  end(): string[] {
    const lines = [...this.#open.values()].map((story) => this.#record(story));
    this.#open.clear();
    return lines;
  }

  #begin({ seq, interaction }: EventOf<"interaction_request">, hash: string): void {
    const digest = interaction.approval?.digest;
    this.#open.set(interaction.interactionId, {
      interaction,
      shown: { seq, hash, ...(digest !== undefined && { digest }) },
      steps: [],
    });
  }

  #move(event: InteractionEvent): string[] {
    const { type, seq, at, interactionId } = event;
    const story = this.#open.get(interactionId);
    if (!story) {
      const facts = { interactionId, sessionId: this.#sessionId, seq, at };
      return [JSON.stringify({ type: "later", what: type, ...facts })];
    }
    story.interaction = foldInteraction(story.interaction, event);
    story.steps.push(toStep(event));
    if (!isFinal(story.interaction.status)) return [];
    this.#open.delete(interactionId);
    return [this.#record(story)];
  }

  #noteGrant({ grant }: EventOf<"grant_added">): void {
    const story = this.#open.get(grant.interactionId ?? "");
    if (!story) return;
    const { grantId, scope, text, cwd, expiresAt, usesLeft } = grant;
    story.grantMade = { grantId, scope, text, cwd, expiresAt, usesLeft };
  }

  /** The line for a call that a grant decided. */
  #automatic(event: EventOf<"grant_used">): string {
    const { seq, at, toolCallId, toolName, grantId, verdict = "allow" } = event;
    const call = { sessionId: this.#sessionId, agent: this.#agent, toolCallId, toolName };
    return JSON.stringify({ type: "automatic", ...call, seq, at, grantId, verdict });
  }

  #record({ interaction, shown, steps, grantMade }: Story): string {
    const { interactionId, turnId, toolCallId, toolName, agentId, askedBy, kind } = interaction;
    const { status, startedAt, responders, votes, response, by, how, failure } = interaction;
    return JSON.stringify({
      type: "interaction",
      interactionId,
      sessionId: this.#sessionId,
      agent: this.#agent,
      subAgent: agentId,
      turnId,
      toolCallId,
      toolName,
      askedBy: askedBy ?? "agent",
      kind,
      askedAt: startedAt,
      shown,
      status,
      responders,
      votes,
      by,
      said: response,
      ...(response?.action === "approve" && { runs: response.editedInput ?? "as shown" }),
      grantMade,
      delivery: how,
      failure,
      steps,
    });
  }
}

const WORDS_OF_NOTES: Readonly<Record<Note["type"], string>> = {
  comment: "commented",
  hand_over: "handed over",
  reminder: "reminded",
};

function wordsOf(note: Note): string {
  return note.type === "hand_over" && note.back ? "given back" : WORDS_OF_NOTES[note.type];
}

/** The note's fields for its step; comments and reassignments appear nowhere else in the record. */
function saidIn(note: Note): object {
  const { type: _type, ...said } = note;
  return said;
}

/** A step's kind and time; a response's content is in the record itself. */
function toStep(event: InteractionEvent): object {
  const { type, seq, at } = event;
  switch (type) {
    case "interaction_response":
      return { what: "answered", seq, at, by: event.by, uncounted: event.uncounted };
    case "interaction_vote":
      return { what: "voted yes", seq, at, by: event.by, uncounted: event.uncounted };
    case "interaction_note":
      return {
        what: wordsOf(event.note),
        seq,
        at,
        by: event.by,
        ...saidIn(event.note),
      };
    case "interaction_reopened":
      return { what: "taken back", seq, at, by: event.by };
    case "interaction_closed":
      return { what: event.status, seq, at, reason: event.reason };
    case "interaction_hold_changed":
      return { what: event.hold, seq, at };
    case "interaction_delivered":
      return { what: "delivered", seq, at, how: event.how };
    case "interaction_overruled":
      return { what: "overruled", seq, at };
  }
}
