import type { Comment } from "@holdpoint/protocol";
import type { ReactNode } from "react";

import { ClockTime } from "../../parts/relative-time.tsx";
import { VisibleText } from "../../parts/visible-text.tsx";
import { useWords } from "../../words/use-words.ts";

/** All comments, oldest first, in a place of one size that scrolls by itself: one more moves nothing around it. */
export function CommentList({ comments }: { readonly comments: readonly Comment[] }): ReactNode {
  const say = useWords();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keyboard
    <ol className="hp-comments" tabIndex={0}>
      {comments.length === 0 && <li className="hp-hint">{say("No comments yet")}</li>}
      {comments.map(({ by, text, program, outsider }) => (
        <li key={`${by.at} ${by.personId ?? by.person} ${text}`}>
          <p className="hp-hint">
            <strong>
              <VisibleText text={by.person} short />
            </strong>
            {program && <> · {say("the program")}</>}
            {outsider && <> · {say("cannot answer it")}</>} · <ClockTime at={by.at} />
          </p>
          <p className="hp-comment-text">
            <VisibleText text={text} />
          </p>
        </li>
      ))}
    </ol>
  );
}
