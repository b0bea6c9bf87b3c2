import type { Interaction } from "@holdpoint/protocol";
import { LazyUndoOffer, toAskedTitle, toVisibleString, useTransport } from "@holdpoint/react";
import type { ReactNode } from "react";

interface InboxUndoProps {
  /** What was answered here last, at one press. */
  readonly answered: readonly Interaction[];
  /** Called with the first of what is open again. */
  readonly onUndone: (interactionId: string) => void;
}

/** At the foot of the inbox, for a moment: takes back what was answered last, as far as no agent has it. */
export function InboxUndo({ answered, onUndone }: InboxUndoProps): ReactNode {
  const transport = useTransport();
  const undoable = answered.flatMap(({ interactionId, by, undoUntil }) =>
    by !== undefined && undoUntil !== undefined
      ? [{ interactionId, answeredAt: by.at, undoUntil }]
      : [],
  );
  const [first] = undoable;
  const interaction = answered.find(({ interactionId }) => interactionId === first?.interactionId);
  if (first === undefined || interaction === undefined) return null;
  const more = undoable.length > 1 ? ` and ${undoable.length - 1} more` : "";
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
        what={`${answerWords(interaction)} ${toVisibleString(toAskedTitle(interaction))}${more}.`}
        onUndo={undo}
      />
    </div>
  );
}

function answerWords({ response }: Interaction): string {
  switch (response?.action) {
    case "approve":
      return "Allowed:";
    case "deny":
      return "Denied:";
    case "submit":
    case "cancel":
    case undefined:
      return "Answered:";
  }
}
