import { NOTE_LIMITS } from "@holdpoint/protocol";
import { useId, type ReactNode } from "react";

import { useDraft } from "../../hooks/use-draft.ts";
import { Button } from "../../parts/button.tsx";
import { useWords } from "../../words/use-words.ts";

interface WriteCommentProps {
  readonly interactionId: string;
  /** The requester is a program, which can read the comment. */
  readonly isProgram: boolean;
  readonly busy: boolean;
  /** Resolves to whether the comment was accepted. */
  readonly onSend: (text: string) => Promise<boolean>;
}

/** The field for a comment. Enter starts a new line, so that a comment is not sent by accident. */
export function WriteComment({
  interactionId,
  isProgram,
  busy,
  onSend,
}: WriteCommentProps): ReactNode {
  const say = useWords();
  const [text, setText] = useDraft(`comment:${interactionId}`);
  const fieldId = useId();
  const send = async (): Promise<void> => {
    if (await onSend(text.trim())) setText("");
  };
  return (
    <div className="hp-notes-form">
      <label className="hp-label" htmlFor={fieldId}>
        {say("Your comment")}{" "}
        <span className="hp-hint">
          {isProgram
            ? say("Comments do not answer the request: it stays open. The program can read them.")
            : say(
                "Comments do not answer the request: it stays open, and the agent does not see them.",
              )}
        </span>
      </label>
      <textarea
        id={fieldId}
        className="hp-input"
        rows={2}
        maxLength={NOTE_LIMITS.commentUnits}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button blocked={busy || text.trim() === ""} onClick={() => void send()}>
        {say("Send comment")}
      </Button>
    </div>
  );
}
