import {
  type EventOf,
  foldInteraction,
  type Interaction,
  type InteractionEvent,
  type SessionEvent,
} from "@holdpoint/protocol";

import { toCallKey, toEventKey, toInteractionKey, toMessageKey } from "./item-key.ts";
import type { CallEnd } from "./loose-ends.ts";
import type { SessionViewDraft } from "./session-view-draft.ts";

/** Folds one durable event, the next of its log. An event of a type that is not known yet only counts. */
export function foldEvent(draft: SessionViewDraft, event: SessionEvent): void {
  const { firstSeq } = draft.facts;
  draft.setFacts({ lastSeq: event.seq, firstSeq: firstSeq === 0 ? event.seq : firstSeq });
  switch (event.type) {
    case "user_message":
      return addUserMessage(draft, event);
    case "turn_started":
      return startTurn(draft, event);
    case "turn_ended":
      return endTurn(draft, event);
    case "assistant_message":
      return addAssistantMessage(draft, event);
    case "tool_call":
      return addToolCall(draft, event);
    case "tool_result":
      return endToolCall(draft, event);
    case "interaction_request":
      return addInteraction(draft, event.interaction, event.seq);
    case "interaction_response":
    case "interaction_hold_changed":
    case "interaction_closed":
    case "interaction_delivered":
      return changeInteraction(draft, event);
    case "grant_added":
    case "grant_revoked":
      return;
    case "grant_used": {
      const { grantUses } = draft.facts;
      return draft.setFacts({ grantUses: new Map(grantUses).set(toCallKey(event), event.grantId) });
    }
    case "session_updated": {
      const { title, permissionMode, model } = event;
      return draft.setFacts({
        ...(title !== undefined && { title }),
        ...(permissionMode !== undefined && { permissionMode }),
        ...(model !== undefined && { model }),
      });
    }
    case "error": {
      const { at, code, message, seq } = event;
      return draft.append({ type: "error", key: toEventKey(event), at, code, message }, seq);
    }
  }
}

function addUserMessage(draft: SessionViewDraft, event: EventOf<"user_message">): void {
  const { at, content, origin, interactionId, seq } = event;
  const answers = interactionId === undefined ? {} : { interactionId };
  draft.append(
    { type: "user_message", key: toEventKey(event), at, content, origin, ...answers },
    seq,
  );
}

function startTurn(draft: SessionViewDraft, { turnId }: EventOf<"turn_started">): void {
  const streams = draft.memory.streams.filter((stream) => stream.turnId === turnId);
  draft.remember({ turnSeen: true, statusKnown: true });
  if (streams.length < draft.memory.streams.length) draft.remember({ streams });
  draft.setFacts({ turnId, status: "running" });
}

function endTurn(draft: SessionViewDraft, event: EventOf<"turn_ended">): void {
  const { turnId, at, reason, seq } = event;
  const streams = draft.memory.streams.filter((stream) => stream.turnId !== turnId);
  draft.remember({ turnSeen: true, statusKnown: true, endedTurnId: turnId });
  if (streams.length < draft.memory.streams.length) draft.remember({ streams });
  const isCurrent = draft.facts.turnId === undefined || draft.facts.turnId === turnId;
  if (isCurrent) {
    draft.setFacts({ turnId: undefined, status: reason === "parked" ? "parked" : "idle" });
  }
  if (reason !== "done")
    draft.append({ type: "turn_end", key: toEventKey(event), at, reason }, seq);
}

function addAssistantMessage(draft: SessionViewDraft, event: EventOf<"assistant_message">): void {
  const { at, text, channel, parentToolCallId, seq } = event;
  const key = toMessageKey(event);
  dropStream(draft, key);
  draft.append(
    {
      type: "assistant_message",
      key,
      at,
      text,
      channel,
      streaming: false,
      ...(parentToolCallId !== undefined && { parentToolCallId }),
    },
    seq,
  );
}

function addToolCall(draft: SessionViewDraft, event: EventOf<"tool_call">): void {
  const { turnId, toolCallId, toolName, input, at, parentToolCallId, seq } = event;
  const key = toCallKey(event);
  dropStream(draft, key);
  const interactionIds = draft.index.takeAlone(turnId, toolCallId);
  for (const interactionId of interactionIds) draft.remove(toInteractionKey(interactionId));
  draft.append(
    {
      type: "tool_call",
      key,
      ...(turnId !== undefined && { turnId }),
      toolCallId,
      toolName,
      input,
      startedAt: at,
      interactionIds,
      ...(parentToolCallId !== undefined && { parentToolCallId }),
    },
    seq,
  );
}

function endToolCall(draft: SessionViewDraft, event: EventOf<"tool_result">): void {
  const { turnId, toolCallId, content, isError, at } = event;
  const end: CallEnd = { result: { content, isError }, endedAt: at };
  if (draft.changeCall({ turnId, toolCallId }, (call) => ({ ...call, ...end }))) return;
  const { loose } = draft.memory;
  const callEnds = [...loose.callEnds, { turnId, toolCallId, end }];
  draft.remember({ loose: { ...loose, callEnds } });
}

function addInteraction(draft: SessionViewDraft, interaction: Interaction, seq: number): void {
  const { interactionId, turnId, toolCallId, presentation } = interaction;
  if (!draft.interactions.has(interactionId)) draft.setInteraction(interaction);
  const hangs =
    presentation === "tool" &&
    draft.changeCall({ turnId, toolCallId }, (call) => ({
      ...call,
      interactionIds: [...call.interactionIds, interactionId],
    }));
  if (hangs) return;
  draft.append({ type: "interaction", key: toInteractionKey(interactionId), interactionId }, seq);
  draft.index.addAlone(interaction);
}

function changeInteraction(draft: SessionViewDraft, event: InteractionEvent): void {
  const known = draft.interactions.get(event.interactionId);
  if (known) {
    const next = foldInteraction(known, event);
    if (next !== known) draft.setInteraction(next);
    return;
  }
  const { loose } = draft.memory;
  draft.remember({ loose: { ...loose, changes: [...loose.changes, event] } });
}

function dropStream(draft: SessionViewDraft, key: string): void {
  const { streams } = draft.memory;
  const place = streams.findIndex(({ item }) => item.key === key);
  if (place >= 0) draft.remember({ streams: streams.toSpliced(place, 1) });
}
