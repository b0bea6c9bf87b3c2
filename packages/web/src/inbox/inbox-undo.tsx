import { toPlainTitle, type Interaction } from "@holdpoint/protocol";
import { LazyUndoOffer, toAskedTitle, toVisibleString, useTransport } from "@holdpoint/react";
import type { ReactNode } from "react";

import { useWords, type Say } from "../words/use-words.ts";

interface InboxUndoProps {
  /** What was answered here last, at one press. */
  readonly answered: readonly Interaction[];
  /** Called with the first of what is open again. */
  readonly onUndone: (interactionId: string) => void;
}

/** At the foot of the inbox, for a moment: takes back what was answered last, as far as no agent has it. */
export function InboxUndo({ answered, onUndone }: InboxUndoProps): ReactNode {
  const transport = useTransport();
  const say = useWords();
  const undoable = answered.flatMap(({ interactionId, by, undoUntil }) =>
    by !== undefined && undoUntil !== undefined
      ? [{ interactionId, answeredAt: by.at, undoUntil }]
      : [],
  );
  const [first] = undoable;
  const interaction = answered.find(({ interactionId }) => interactionId === first?.interactionId);
  if (first === undefined || interaction === undefined) return null;
  const n = undoable.length - 1;
  const title = toVisibleString(toPlainTitle(toAskedTitle(interaction, say.language)));
  const what = n === 0 ? title : say("{what} and {n} more", { what: title, n });
  const undo = async (): Promise<void> => {
    await Promise.all(
      undoable.map(({ interactionId, answeredAt }) =>
        transport.undoResponse(interactionId, { answeredAt }),
      ),
    );
    onUndone(first.interactionId);
  };
  return (
    <div className="inbox-undo">
      <LazyUndoOffer
        key={`${first.interactionId} ${first.answeredAt}`}
        answeredAt={first.answeredAt}
        undoUntil={first.undoUntil}
        what={answerWords(say, interaction, what)}
        onUndo={undo}
      />
    </div>
  );
}

function answerWords(say: Say, { response }: Interaction, what: string): string {
  switch (response?.action) {
    case "approve":
      return say("Allowed: {what}.", { what });
    case "deny":
      return say("Denied: {what}.", { what });
    case "submit":
    case "cancel":
    case undefined:
      return say("Answered: {what}.", { what });
  }
}
