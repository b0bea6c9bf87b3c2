import { Toast } from "@base-ui/react/toast";
import { toPlainTitle, type Interaction } from "@holdpoint/protocol";
import { toAskedTitle, toVisibleString, UndoOffer, useTransport } from "@holdpoint/react";
import { X } from "lucide-react";
import { useCallback, useEffect, useEffectEvent, type ReactNode } from "react";

import { useWords, type Say } from "../words/use-words.ts";
import { toUndoable, undoAll, type Undoable, type UndoOutcome } from "./undo-all.ts";

import "../styles/toasts.css";

interface InboxToastsProps {
  /** The interactions answered here most recently, with one press. */
  readonly answered: readonly Interaction[];
  /** Called with the first of the reopened interactions. */
  readonly onUndone: (interactionId: string | undefined) => void;
}

interface ToastData {
  /** Set if the toast offers to undo an answer. */
  readonly offer?: { readonly interaction: Interaction; readonly undoable: readonly Undoable[] };
}

/** Long enough to read two sentences. */
const OUTCOME_MS = 12_000;

/**
 * At the bottom of the inbox, for a moment: an offer to undo the last answer, and the result of that. Never covers the
 * page, where the person may be about to press something.
 */
export function InboxToasts(props: InboxToastsProps): ReactNode {
  const say = useWords();
  return (
    <Toast.Provider timeout={OUTCOME_MS} limit={1}>
      <Toast.Viewport className="toasts" aria-label={say("Messages")}>
        <Toasts {...props} />
      </Toast.Viewport>
    </Toast.Provider>
  );
}

function Toasts({ answered, onUndone }: InboxToastsProps): ReactNode {
  const { toasts, add, close } = Toast.useToastManager<ToastData>();
  const say = useWords();
  const offer = useEffectEvent((given: readonly Interaction[]) => {
    const undoable = toUndoable(given);
    const interaction = given.find((one) => one.interactionId === undoable[0]?.interactionId);
    if (interaction === undefined) return;
    // An offer ends by the gateway's clock.
    add({ timeout: 0, data: { offer: { interaction, undoable } } });
  });
  useEffect(() => offer(answered), [answered]);
  const finish = (id: string, outcome: UndoOutcome): void => {
    close(id);
    if (outcome.trouble !== undefined) add({ title: toOutcomeWords(say, outcome) });
    onUndone(outcome.undone[0]);
  };
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className="toast" swipeDirection={[]}>
      <Toast.Content>
        {toast.data?.offer === undefined ? (
          <Outcome />
        ) : (
          <Offer
            {...toast.data.offer}
            onUndone={(outcome) => finish(toast.id, outcome)}
            onOver={() => close(toast.id)}
          />
        )}
      </Toast.Content>
    </Toast.Root>
  ));
}

function Outcome(): ReactNode {
  const say = useWords();
  return (
    <div className="toast-line">
      <Toast.Title className="toast-words" render={<p />} />
      {/* Base UI hides the button from screen readers until the toast has the focus, although Tab reaches it. */}
      <Toast.Close className="hp-button hp-button-quiet hp-button-icon" aria-hidden={false}>
        <X aria-hidden />
        <span className="hp-visually-hidden">{say("Close")}</span>
      </Toast.Close>
    </div>
  );
}

interface OfferProps {
  readonly interaction: Interaction;
  readonly undoable: readonly Undoable[];
  /** At least one of the interactions is open again. */
  readonly onUndone: (outcome: UndoOutcome) => void;
  readonly onOver: () => void;
}

function Offer({ interaction, undoable, onUndone, onOver }: OfferProps): ReactNode {
  const transport = useTransport();
  const say = useWords();
  const asked = toVisibleString(toPlainTitle(toAskedTitle(interaction, say.language)));
  // The request has been answered, so its title must not be a question.
  const title = asked.replace(/\?$/u, "");
  const n = undoable.length - 1;
  const what = n === 0 ? title : say("{what} and {n} more", { what: title, n });
  const undo = useCallback(async () => {
    const outcome = await undoAll(transport, undoable);
    if (outcome.undone.length === 0) throw outcome.trouble;
    onUndone(outcome);
  }, [transport, undoable, onUndone]);
  const [first] = undoable;
  if (first === undefined) return null;
  return (
    <UndoOffer
      answeredAt={first.answeredAt}
      undoUntil={first.undoUntil}
      what={<Toast.Title render={<span />}>{toAnswerWords(say, interaction, what)}</Toast.Title>}
      onUndo={undo}
      onOver={onOver}
    />
  );
}

function toAnswerWords(say: Say, { response }: Interaction, what: string): string {
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

function toOutcomeWords(say: Say, { undone, late, failed }: UndoOutcome): string {
  return [
    say("{count} answer undone.|{count} answers undone.", { count: undone.length }),
    late.length > 0 &&
      say(
        "{count} too late to undo: its agent has the answer.|{count} too late to undo: their agents have the answers.",
        {
          count: late.length,
        },
      ),
    failed.length > 0 && say("{n} not confirmed as undone by the gateway.", { n: failed.length }),
  ]
    .filter(Boolean)
    .join(" ");
}
