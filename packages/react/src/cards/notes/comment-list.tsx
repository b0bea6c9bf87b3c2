import type { Comment } from "@holdpoint/protocol";
import type { ReactNode } from "react";

import { ClockTime } from "../../parts/relative-time.tsx";
import { VisibleText } from "../../parts/visible-text.tsx";
import { useWords } from "../../words/use-words.ts";

/** All comments, oldest first, in a place that scrolls by itself. */
export function CommentList({ comments }: { readonly comments: readonly Comment[] }): ReactNode {
  const say = useWords();
  if (comments.length === 0) return <p className="hp-hint">{say("No comments yet")}</p>;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keyboard
    <ol className="hp-comments" tabIndex={0}>
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
