import {
  isAnswerable,
  isKept,
  newerInteraction,
  NOTE_LIMITS,
  refusalOfHandOver,
  type Interaction,
} from "@holdpoint/protocol";
import { useId, useState, type ReactNode } from "react";

import { useInteractionMode } from "../../hooks/use-interaction-mode.ts";
import { useOwnPerson } from "../../hooks/use-own-person.ts";
import { useRole } from "../../hooks/use-role.ts";
import { useTransport } from "../../hooks/use-transport.ts";
import { Button } from "../../parts/button.tsx";
import { ClockTime } from "../../parts/relative-time.tsx";
import { useNow, useUiClock } from "../../parts/ui-clock.tsx";
import { BriefText } from "../../parts/visible-text.tsx";
import { useWords } from "../../words/use-words.ts";
import { CommentList, CommentMarks } from "./comment-list.tsx";
import { HandOverForm } from "./hand-over-form.tsx";
import { HandedOver } from "./handed-over.tsx";
import { useSending } from "./use-sending.ts";
import { WriteComment } from "./write-comment.tsx";

interface CardNotesProps {
  readonly interaction: Interaction;
}

type Opened = "comments" | "hand_over";

/**
 * The notes of an interaction, which do not answer it. They are below the card, in one line until a person opens them,
 * so that the buttons of the card stay in place when other people add notes.
 */
export function CardNotes(props: CardNotesProps): ReactNode {
  const say = useWords();
  const transport = useTransport();
  const [opened, setOpened] = useState<Opened>();
  const [sent, setSent] = useState<Interaction>();
  const interaction = sent ? newerInteraction(sent, props.interaction) : props.interaction;
  const { send, busy, trouble } = useSending(setSent);
  const panelId = useId();
  const can = useRights(interaction);
  const { interactionId, notes } = interaction;
  if (!notes && !isAnswerable(interaction)) return null;
  return (
    <section className="hp-notes" aria-label={say("Comments on this request")}>
      <div className="hp-card-notice hp-undo">
        <NotesLine interaction={interaction} />
        <NotesButtons
          {...{ interaction, can, opened, panelId }}
          onToggle={(what) => setOpened(opened === what ? undefined : what)}
          onRemind={() => void send(() => transport.remind(interactionId))}
          busy={busy}
        />
      </div>
      <div id={panelId}>
        {opened === "comments" && <CommentList comments={notes?.comments ?? []} />}
        {opened === "comments" && can.comment && (
          <WriteComment
            interactionId={interactionId}
            isProgram={isKept(interaction)}
            busy={busy}
            onSend={(text) => send(() => transport.addComment(interactionId, { text }))}
          />
        )}
        {opened === "hand_over" && can.handOver && (
          <HandOverForm
            interaction={interaction}
            busy={busy}
            onSend={async (to) => {
              const isTaken = await send(() => transport.handOver(interactionId, { to }));
              if (isTaken) setOpened(undefined);
              return isTaken;
            }}
          />
        )}
        {trouble !== undefined && (
          <p className="hp-field-error" role="alert">
            {trouble}
          </p>
        )}
      </div>
    </section>
  );
}

interface NotesButtonsProps extends CardNotesProps {
  readonly can: ReturnType<typeof useRights>;
  readonly opened: Opened | undefined;
  readonly panelId: string;
  readonly busy: boolean;
  readonly onToggle: (what: Opened) => void;
  readonly onRemind: () => void;
}

function NotesButtons(props: NotesButtonsProps): ReactNode {
  const say = useWords();
  const { can, opened, panelId, busy, onToggle, onRemind } = props;
  const count = props.interaction.notes?.comments?.length ?? 0;
  const opens = (what: Opened) => ({
    "aria-expanded": opened === what,
    "aria-controls": panelId,
    onClick: () => onToggle(what),
  });
  return (
    <>
      {can.remind && (
        <Button tone="quiet" blocked={busy || can.isQuiet} onClick={onRemind}>
          {say("Remind")}
        </Button>
      )}
      {can.handOver && (
        <Button tone="quiet" {...opens("hand_over")}>
          {say("Hand over")}
        </Button>
      )}
      {(can.comment || count > 0) && (
        <Button tone="quiet" {...opens("comments")}>
          {count > 0 ? say("Comments ({count})", { count }) : say("Comment")}
        </Button>
      )}
    </>
  );
}

/** The newest notes, in one line. */
function NotesLine({ interaction }: CardNotesProps): ReactNode {
  const say = useWords();
  const { notes } = interaction;
  const last = notes?.comments?.at(-1);
  const at = notes?.reminded?.by.at;
  return (
    <p className="hp-notes-line">
      {at !== undefined && (
        <span>{say.rich("Reminded {when}", { when: <ClockTime at={at} /> })} </span>
      )}
      <HandedOver interaction={interaction} />
      {last && (
        <>
          <strong>
            <BriefText text={last.by.person} />
            <CommentMarks comment={last} />:
          </strong>{" "}
          <BriefText text={last.text} />
        </>
      )}
    </p>
  );
}

/** The notes that the person of this page may add. The gateway enforces it, not the page. */
function useRights(
  interaction: Interaction,
): Readonly<Record<"comment" | "handOver" | "isQuiet" | "remind", boolean>> {
  const role = useRole();
  const voter = useOwnPerson() ?? {};
  const { enabled } = useInteractionMode();
  const clock = useUiClock();
  const { reminded } = interaction.notes ?? {};
  const quietMs = reminded
    ? Date.parse(reminded.by.at) + NOTE_LIMITS.remindEveryMs - clock.now()
    : 0;
  useNow(Math.max(quietMs, 0));
  const isOpen = isAnswerable(interaction);
  const at = new Date(clock.now()).toISOString();
  return {
    comment: isOpen && role !== "viewer",
    remind: interaction.status === "pending",
    isQuiet: quietMs > 0,
    handOver:
      isOpen &&
      enabled &&
      (interaction.responders?.circles.length ?? 0) > 0 &&
      refusalOfHandOver(interaction, voter, at) === undefined,
  };
}
