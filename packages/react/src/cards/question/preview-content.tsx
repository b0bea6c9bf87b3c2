import type { QuestionOption } from "@holdpoint/protocol";
import { useEffect, useMemo, useRef, type ReactNode } from "react";

import { Markdown } from "../../parts/markdown.tsx";
import { toVisibleString } from "../../parts/visible-string.ts";
import { VisibleText } from "../../parts/visible-text.tsx";
import { useWords } from "../../words/use-words.ts";
import { toPreviewDocument, toTrustedPreview } from "./preview-document.ts";

interface PreviewContentProps {
  readonly label: string;
  readonly preview: NonNullable<QuestionOption["preview"]>;
}

/** An option's preview in its format. */
export function PreviewContent({
  label,
  preview: { format, content },
}: PreviewContentProps): ReactNode {
  if (format === "markdown") return <MarkdownPreview content={content} />;
  return <HtmlPreview key={content} content={content} label={label} />;
}

/** Character drawings keep their columns; other text is rendered as markdown. */
function MarkdownPreview({ content }: { readonly content: string }): ReactNode {
  if (isDrawing(content)) {
    return (
      <pre className="hp-preview-drawing">
        <VisibleText text={content} />
      </pre>
    );
  }
  return <Markdown text={content} />;
}

/** Whether the text depends on columns: it has box characters or runs of spaces, and no markdown. */
function isDrawing(content: string): boolean {
  if (/^(?:#{1,6} |```|[-*] |\d+\. |> |\|.*\|)/mu.test(content)) return false;
  return /[\u2500-\u257F\u2580-\u259F]/u.test(content) || /\S {2,}\S|^ {2,}\S/mu.test(content);
}

function HtmlPreview({
  content,
  label,
}: {
  readonly content: string;
  readonly label: string;
}): ReactNode {
  const say = useWords();
  const frame = useRef<HTMLIFrameElement>(null);
  const trusted = useMemo(() => toTrustedPreview(toPreviewDocument(content)), [content]);
  // Not a prop: React would turn it into a plain string, which a page with Trusted Types rejects.
  useEffect(() => {
    if (frame.current !== null && trusted !== undefined) frame.current.srcdoc = trusted;
  }, [trusted]);
  if (trusted === undefined) {
    return (
      <pre className="hp-preview-drawing">
        <VisibleText text={content} />
      </pre>
    );
  }
  return (
    <iframe
      ref={frame}
      className="hp-preview-frame"
      title={say("Preview of {option}", { option: toVisibleString(label) })}
      sandbox=""
      referrerPolicy="no-referrer"
    />
  );
}
