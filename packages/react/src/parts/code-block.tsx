import type { ReactNode } from "react";

import { CopyButton } from "./copy-button.tsx";
import { VisibleText } from "./visible-text.tsx";

interface CodeBlockProps {
  readonly text: string;
  /** What it is, such as a path; shown above and used as the block's name. */
  readonly caption?: string;
  readonly children?: ReactNode;
}

/** Text that will run or was written by a program: wrapped, never scrolled out of sight, hidden characters marked. */
export function CodeBlock({ text, caption, children }: CodeBlockProps): ReactNode {
  return (
    <figure className="hp-code" aria-label={caption}>
      {caption !== undefined && <figcaption className="hp-code-caption">{caption}</figcaption>}
      <pre className="hp-code-text">
        <code>{children ?? <VisibleText text={text} />}</code>
      </pre>
      <CopyButton text={text} />
    </figure>
  );
}
