import { foldInteraction, newerInteraction } from "@holdpoint/protocol";

import { toFurtherKey, toInteractionKey } from "./item-key.ts";
import type { SessionViewDraft } from "./session-view-draft.ts";
import type { ViewItem } from "./session-view.ts";

/** Puts an earlier part of the log before a later one and ties together what reaches over the seam. */
export function joinEarlier(later: SessionViewDraft, earlier: SessionViewDraft): void {
  hangOnEarlierCalls(later, earlier);
  hangOnLaterCalls(later, earlier);
  endEarlierCalls(later, earlier);
  joinInteractions(later, earlier);
  later.prepend(withOwnKeys(earlier.durable, later, earlier.facts.firstSeq));
  joinFacts(later, earlier);
}

function hangOnEarlierCalls(later: SessionViewDraft, earlier: SessionViewDraft): void {
  for (const { turnId, toolCallId } of later.index.awaitedCalls()) {
    if (earlier.index.findCall(turnId, toolCallId) === undefined) continue;
    const interactionIds = later.index.takeAlone(turnId, toolCallId);
    for (const interactionId of interactionIds) later.remove(toInteractionKey(interactionId));
    earlier.changeCall({ turnId, toolCallId }, (call) => ({
      ...call,
      interactionIds: [...call.interactionIds, ...interactionIds],
    }));
  }
}

function hangOnLaterCalls(later: SessionViewDraft, earlier: SessionViewDraft): void {
  for (const { turnId, toolCallId } of earlier.index.awaitedCalls()) {
    const interactionIds = earlier.index.takeAlone(turnId, toolCallId);
    const hangs = later.changeCall({ turnId, toolCallId }, (call) => ({
      ...call,
      interactionIds: [...interactionIds, ...call.interactionIds],
    }));
    if (hangs) for (const id of interactionIds) earlier.remove(toInteractionKey(id));
    else later.index.putAloneFirst({ turnId, toolCallId }, interactionIds);
  }
}

function endEarlierCalls(later: SessionViewDraft, earlier: SessionViewDraft): void {
  const { loose } = later.memory;
  const callEnds = loose.callEnds.filter(
    ({ turnId, toolCallId, end }) =>
      !earlier.changeCall({ turnId, toolCallId }, (call) => ({ ...call, ...end })),
  );
  later.remember({
    loose: { ...loose, callEnds: [...earlier.memory.loose.callEnds, ...callEnds] },
  });
}

function joinInteractions(later: SessionViewDraft, earlier: SessionViewDraft): void {
  const { loose } = later.memory;
  for (const [interactionId, folded] of earlier.interactions) {
    const row = later.interactions.get(interactionId);
    later.setInteraction(row ? newerInteraction(folded, row) : folded);
  }
  for (const change of [...earlier.memory.loose.changes, ...loose.changes]) {
    const known = later.interactions.get(change.interactionId);
    if (known) later.setInteraction(foldInteraction(known, change));
  }
  const changes = [...earlier.memory.loose.changes, ...loose.changes].filter(
    ({ interactionId }) => !later.interactions.has(interactionId),
  );
  later.remember({ loose: { ...loose, changes } });
}

/** Keys stay unique, and those of the later items stay as they are. */
function withOwnKeys(
  items: readonly ViewItem[],
  later: SessionViewDraft,
  firstSeq: number,
): readonly ViewItem[] {
  return items.map((item) =>
    later.index.has(item.key) ? { ...item, key: toFurtherKey(item.key, firstSeq) } : item,
  );
}

function joinFacts(later: SessionViewDraft, earlier: SessionViewDraft): void {
  const { title, permissionMode, model, firstSeq, turnId, status, grantUses } = earlier.facts;
  later.setFacts({
    grantUses: new Map([...grantUses, ...later.facts.grantUses]),
    title: later.facts.title ?? title,
    permissionMode: later.facts.permissionMode ?? permissionMode,
    model: later.facts.model ?? model,
    firstSeq,
  });
  if (later.memory.turnSeen || !earlier.memory.turnSeen) return;
  const isRunning = later.facts.status === "running" || later.facts.status === "waiting";
  if (!later.memory.statusKnown) later.setFacts({ status, turnId });
  else if (isRunning) later.setFacts({ turnId: later.facts.turnId ?? turnId });
  const { endedTurnId } = earlier.memory;
  later.remember({ turnSeen: true, statusKnown: true, endedTurnId });
}
