import type { ReactNode, RefObject } from "react";

import { CopyButton } from "./copy-button.tsx";
import { HighlightedCode } from "./highlighted-code.tsx";
import { NEXT_PART } from "./text-parts.ts";
import { PartView, useTextParts } from "./visible-text.tsx";

export interface CodeFigureProps {
  readonly text: string;
  /** A caption, such as a path, which is also the block's accessible name. */
  readonly caption?: string;
  /** The language of the code, for its colours. Default: one colour. */
  readonly language?: string;
  readonly children?: ReactNode;
  readonly ref?: RefObject<HTMLElement | null>;
}

/**
 * Code or a program's text. Wrapped, never scrolled out of sight, with marks for misleading characters. A long text
 * has a button to show more.
 */
export function CodeFigure(props: CodeFigureProps): ReactNode {
  const { text, caption, language, children, ref } = props;
  return (
    <figure ref={ref} className="hp-code" aria-label={caption}>
      {caption !== undefined && <figcaption className="hp-code-caption">{caption}</figcaption>}
      <pre className="hp-code-text">
        <code>{children ?? <CodeText text={text} language={language} />}</code>
      </pre>
      <CopyButton text={text} />
    </figure>
  );
}

function CodeText({
  text,
  language,
}: {
  readonly text: string;
  readonly language: string | undefined;
}): ReactNode {
  const { parts, more } = useTextParts(text, "exact", NEXT_PART);
  const marked = parts.map((part, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- parts have no identity but their place
    <PartView key={index} part={part} />
  ));
  if (language === undefined || more !== null) {
    return (
      <>
        {marked}
        {more}
      </>
    );
  }
  return (
    <HighlightedCode text={text} language={language}>
      {marked}
    </HighlightedCode>
  );
}
