import type { EphemeralFrame } from "@holdpoint/protocol";

import type { SessionViewDraft } from "./session-view-draft.ts";
import { foldDelta, toDeltaKey } from "./streams.ts";

/** Folds a frame that is not in the log. One of a type that is not known yet is ignored. */
export function foldEphemeral(draft: SessionViewDraft, frame: EphemeralFrame): void {
  switch (frame.type) {
    case "text_delta":
    case "tool_call_delta": {
      const isOver =
        frame.turnId === draft.memory.endedTurnId || draft.index.has(toDeltaKey(frame));
      const streams = isOver ? draft.memory.streams : foldDelta(draft.memory.streams, frame);
      if (streams !== draft.memory.streams) draft.remember({ streams });
      return;
    }
    case "session_status": {
      const { status, turnId } = frame;
      draft.remember({ statusKnown: true });
      draft.setFacts({ status, turnId });
      return;
    }
    case "queue_changed":
      draft.setFacts({ queue: frame.messages });
      return;
    case "presence":
    case "ping":
    case "reset":
    case "closing":
      return;
  }
}
