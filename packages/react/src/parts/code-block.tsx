import { useRef, type ReactNode } from "react";

import { CopyButton } from "./copy-button.tsx";
import { useInView } from "./in-view.tsx";
import { NEXT_PART } from "./text-parts.ts";
import { PartView, useTextParts } from "./visible-text.tsx";

interface CodeBlockProps {
  readonly text: string;
  /** What it is, such as a path; shown above and used as the block's name. */
  readonly caption?: string;
  readonly children?: ReactNode;
}

/**
 * Text that will run or was written by a program: wrapped, never scrolled out of sight, with marks, and of a long one a
 * press shows more.
 */
export function CodeBlock({ text, caption, children }: CodeBlockProps): ReactNode {
  const figure = useRef<HTMLElement>(null);
  useInView(figure);
  return (
    <figure ref={figure} className="hp-code" aria-label={caption}>
      {caption !== undefined && <figcaption className="hp-code-caption">{caption}</figcaption>}
      <pre className="hp-code-text">
        <code>{children ?? <CodeText text={text} />}</code>
      </pre>
      <CopyButton text={text} />
    </figure>
  );
}

function CodeText({ text }: { readonly text: string }): ReactNode {
  const { parts, more } = useTextParts(text, "exact", NEXT_PART);
  return (
    <>
      {parts.map((part, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- parts have no identity but their place
        <PartView key={index} part={part} />
      ))}
      {more}
    </>
  );
}
