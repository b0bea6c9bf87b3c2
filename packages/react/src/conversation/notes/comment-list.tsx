import type { Comment } from "@holdpoint/protocol";
import type { ReactNode } from "react";

import { ClockTime } from "../../parts/relative-time.tsx";
import { VisibleText } from "../../parts/visible-text.tsx";
import { useWords } from "../../words/use-words.ts";

/** All comments, oldest first, in a scroll area of fixed size, so that a new comment moves nothing around it. */
export function CommentList({ comments }: { readonly comments: readonly Comment[] }): ReactNode {
  const say = useWords();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable area must be reachable by keyboard
    <ol className="hp-comments" tabIndex={0}>
      {comments.length === 0 && <li className="hp-hint">{say("No comments yet")}</li>}
      {comments.map((comment) => (
        <li key={keyOf(comment)}>
          <p className="hp-hint">
            <strong>
              <VisibleText text={comment.by.person} short />
            </strong>
            <CommentMarks comment={comment} /> · <ClockTime at={comment.by.at} />
          </p>
          <p className="hp-comment-text">
            <VisibleText text={comment.text} />
          </p>
        </li>
      ))}
    </ol>
  );
}

/** Labels for the writer of a comment: the program that asks, or a person who cannot answer. */
export function CommentMarks({
  comment: { program, outsider },
}: {
  readonly comment: Comment;
}): ReactNode {
  const say = useWords();
  return (
    <>
      {program && <> · {say("the program")}</>}
      {outsider && <> · {say("cannot answer it")}</>}
    </>
  );
}

function keyOf({ by, text }: Comment): string {
  return `${by.at} ${by.personId ?? by.person} ${text}`;
}
