import {
  type EventOf,
  foldInteraction,
  type Interaction,
  type InteractionEvent,
  type SessionEvent,
} from "@holdpoint/protocol";

import {
  appendItem,
  closeDraft,
  createFoldedLog,
  type FoldedLog,
  type LogDraft,
  openDraft,
} from "./folded-log.ts";
import { toCallKey, toEventKey, toInteractionKey, toMessageKey } from "./item-key.ts";
import type { ToolCallItem } from "./session-view.ts";

/**
 * Folds events into a log. Live events and loaded events go through this same fold. It starts from the gateway's
 * records of interactions, if any were read, because an event only moves an interaction forward.
 */
export function foldLog(
  events: readonly SessionEvent[],
  known: ReadonlyMap<string, Interaction>,
): FoldedLog {
  const draft = openDraft(createFoldedLog(known));
  for (const event of events) foldEvent(draft, event);
  return closeDraft(draft);
}

/** Folds the next event of the log. Ignores events of unknown types. */
export function foldEvent(draft: LogDraft, event: SessionEvent): void {
  switch (event.type) {
    case "user_message":
      return addUserMessage(draft, event);
    case "turn_started":
      draft.facts = { ...draft.facts, status: "running", turnId: event.turnId };
      return;
    case "turn_ended":
      return endTurn(draft, event);
    case "assistant_message":
      return addAssistantMessage(draft, event);
    case "tool_call":
      return addToolCall(draft, event);
    case "tool_result": {
      const { content, isError, at, refused, attachments } = event;
      const result = { content, isError, ...(attachments && { attachments }) };
      const ended = { result, endedAt: at };
      const denied = refused && { isDenied: refused };
      changeCall(draft, event, (call) => ({ ...call, ...ended, ...denied }));
      draft.parkedCalls.delete(event.toolCallId);
      return;
    }
    case "interaction_request":
      return addInteraction(draft, event);
    case "interaction_response":
    case "interaction_vote":
    case "interaction_note":
    case "interaction_reopened":
    case "interaction_hold_changed":
    case "interaction_closed":
    case "interaction_delivered":
    case "interaction_overruled":
      return changeInteraction(draft, event);
    case "grant_added":
    case "grant_revoked":
      return;
    case "grant_used":
      return useGrant(draft, event);
    case "session_updated":
      return updateSession(draft, event);
    case "error": {
      const { at, code, message, retryAt, seq } = event;
      const until = retryAt === undefined ? {} : { retryAt };
      const key = toEventKey(event);
      appendItem(draft, { type: "error", key, at, code, message, ...until }, seq);
      return;
    }
  }
}

function addUserMessage(draft: LogDraft, event: EventOf<"user_message">): void {
  const { at, content, attachments, origin, interactionId, seq } = event;
  const carried = attachments && { attachments };
  const answers = interactionId === undefined ? {} : { interactionId };
  const key = toEventKey(event);
  appendItem(
    draft,
    { type: "user_message", key, at, content, ...carried, origin, ...answers },
    seq,
  );
}

function updateSession(draft: LogDraft, event: EventOf<"session_updated">): void {
  const { at, title, permissionMode, limitedMode, endedMode, seq } = event;
  draft.facts = {
    ...draft.facts,
    ...(title !== undefined && { title }),
    ...(permissionMode !== undefined && { permissionMode, limitedMode }),
    ...toModel(event),
  };
  if (endedMode === undefined) return;
  appendItem(draft, { type: "mode_ended", key: toEventKey(event), at, mode: endedMode }, seq);
}

/** A newly chosen model clears the active model, which the agent has not reported yet. */
function toModel({ model, activeModel }: EventOf<"session_updated">): Partial<LogDraft["facts"]> {
  if (model !== undefined) return { model, activeModel };
  return activeModel === undefined ? {} : { activeModel };
}

function endTurn(draft: LogDraft, event: EventOf<"turn_ended">): void {
  const { turnId, at, reason, usage, seq } = event;
  const isCurrent = draft.facts.turnId === undefined || draft.facts.turnId === turnId;
  draft.facts = {
    ...draft.facts,
    endedTurnId: turnId,
    ...(isCurrent && { status: "idle", turnId: undefined }),
  };
  const key = toEventKey(event);
  if (reason !== "done") appendItem(draft, { type: "turn_end", key, at, reason }, seq);
  if (usage !== undefined) appendItem(draft, { type: "turn_usage", key, usage }, seq);
}

function addAssistantMessage(draft: LogDraft, event: EventOf<"assistant_message">): void {
  const { at, text, channel, parentToolCallId, seq } = event;
  appendItem(
    draft,
    {
      type: "assistant_message",
      key: toMessageKey(event),
      at,
      text,
      channel,
      streaming: false,
      ...(parentToolCallId !== undefined && { parentToolCallId }),
    },
    seq,
  );
}

function addToolCall(draft: LogDraft, event: EventOf<"tool_call">): void {
  const { turnId, toolCallId, toolName, input, at, parentToolCallId, seq } = event;
  const callKey = toCallKey(event);
  const interactionIds = draft.beforeCall.get(callKey) ?? [];
  draft.beforeCall.delete(callKey);
  for (const interactionId of interactionIds) draft.items.delete(toInteractionKey(interactionId));
  const call: ToolCallItem = {
    type: "tool_call",
    key: callKey,
    ...(turnId !== undefined && { turnId }),
    toolCallId,
    toolName,
    input,
    startedAt: at,
    interactionIds,
    ...(parentToolCallId !== undefined && { parentToolCallId }),
  };
  const key = appendItem(draft, call, seq);
  if (key !== callKey) draft.usedAgain.set(callKey, key);
}

interface CallId {
  readonly turnId?: string | undefined;
  readonly toolCallId: string;
}

/** Returns the newest call with this id in the turn, or the parked one, which continues in a later turn. */
function findCall(draft: LogDraft, id: CallId): ToolCallItem | undefined {
  const callKey = toCallKey(id);
  const ownKey = draft.usedAgain.get(callKey) ?? callKey;
  for (const key of [ownKey, draft.parkedCalls.get(id.toolCallId)]) {
    const call = key === undefined ? undefined : draft.items.get(key);
    if (call?.type === "tool_call") return call;
  }
  return undefined;
}

/** Changes the call with this id. Returns `false` if the log has no such call. */
function changeCall(
  draft: LogDraft,
  id: CallId,
  change: (call: ToolCallItem) => ToolCallItem,
): boolean {
  const call = findCall(draft, id);
  if (call) draft.items.replace(change(call));
  return call !== undefined;
}

function useGrant(draft: LogDraft, event: EventOf<"grant_used">): void {
  const { grantId, verdict = "allow" } = event;
  const callKey = findCall(draft, event)?.key ?? toCallKey(event);
  if (verdict === "allow") draft.grantUses.set(callKey, grantId);
  if (verdict === "deny") changeCall(draft, event, (call) => ({ ...call, isDenied: true }));
}

function addInteraction(
  draft: LogDraft,
  { interaction, seq }: EventOf<"interaction_request">,
): void {
  const { interactionId, presentation } = interaction;
  if (!draft.interactions.has(interactionId)) draft.interactions.set(interactionId, interaction);
  const callKey = toCallKey(interaction);
  const isPartOfCall = presentation === "tool";
  const hangs =
    isPartOfCall &&
    changeCall(draft, interaction, (call) => ({
      ...call,
      interactionIds: [...call.interactionIds, interactionId],
    }));
  if (hangs) return;
  const key = toInteractionKey(interactionId);
  appendItem(draft, { type: "interaction", key, interactionId }, seq);
  if (!isPartOfCall) return;
  draft.beforeCall.set(callKey, [...(draft.beforeCall.get(callKey) ?? []), interactionId]);
}

function changeInteraction(draft: LogDraft, event: InteractionEvent): void {
  const known = draft.interactions.get(event.interactionId);
  const next = known && foldInteraction(known, event);
  if (next && next !== known) draft.interactions.set(event.interactionId, next);
  if (known) noteParking(draft, event, known);
  if (event.type !== "interaction_response" || !known) return;
  changeCall(draft, known, (call) => ({ ...call, answeredAt: event.at }));
}

/** Tracks parked calls, because an agent restarted at a parked call gets the result in another turn. */
function noteParking(draft: LogDraft, event: InteractionEvent, id: CallId): void {
  if (event.type === "interaction_hold_changed" && event.hold === "parked") {
    const call = findCall(draft, id);
    if (call) draft.parkedCalls.set(id.toolCallId, call.key);
  }
  const isGivenUp =
    event.type === "interaction_closed" ||
    (event.type === "interaction_delivered" && event.how === "user_message");
  if (isGivenUp) draft.parkedCalls.delete(id.toolCallId);
}
