import { markText, type TextSegment, type TextUse } from "@holdpoint/protocol";
import { memo, useMemo, useState, type ReactNode } from "react";

import { useWords } from "../words/use-words.ts";
import { NEXT_PART, TextParts, type PartSize, type TextPart } from "./text-parts.ts";
import { useUnshown } from "./unshown.tsx";

interface VisibleTextProps {
  readonly text: string;
  /** For code and names: marks every character that can be mistaken for another. Default: prose. */
  readonly exact?: boolean;
  /** For places with little room: a long text has a button to show more. */
  readonly short?: boolean;
}

const INLINE: PartSize = { characters: 2000, marks: 80 };
const BRIEF: PartSize = { characters: 300, marks: 40 };

/**
 * Untrusted text, with a visible mark in place of every character that hides or misleads. A long text shows its
 * beginning, and a button to show more.
 */
export function VisibleText({ text, exact = false, short = false }: VisibleTextProps): ReactNode {
  const { parts, more } = useTextParts(text, exact ? "exact" : "prose", short ? BRIEF : INLINE);
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

/** The beginning of an untrusted text and its remaining length, for places where nothing can be pressed. */
export function BriefText({ text, exact = false }: Omit<VisibleTextProps, "short">): ReactNode {
  const say = useWords();
  const { parts, left } = useMemo(
    () => new TextParts(text, exact ? "exact" : "prose", BRIEF).take(1),
    [text, exact],
  );
  return (
    <>
      {parts.map((part) => (
        <PartView key={part.text} part={part} />
      ))}
      {left > 0 && (
        <span className="hp-hint">
          {" "}
          {say("… and {count} character|… and {count} characters", { count: left })}
        </span>
      )}
    </>
  );
}

export const PartView = memo(function PartView({ part }: { readonly part: TextPart }): ReactNode {
  return <Segments segments={part.segments} />;
});

/** The beginning of a text in parts, and a button for the next part; the button is absent once all are shown. */
export function useTextParts(
  text: string,
  use: TextUse,
  first: PartSize,
): { readonly parts: readonly TextPart[]; readonly more: ReactNode } {
  const [count, setCount] = useState(1);
  const all = useMemo(() => new TextParts(text, use, first), [text, use, first]);
  const { parts, left } = useMemo(() => all.take(count), [all, count]);
  return { parts, more: useMore(left, () => setCount(parts.length + 1)) };
}

function useMore(left: number, onMore: () => void): ReactNode {
  const say = useWords();
  const isMore = left > 0;
  useUnshown(isMore ? say("Show the rest of it first") : undefined);
  if (!isMore) return null;
  const next = Math.min(left, NEXT_PART.characters);
  return (
    <button type="button" className="hp-more" onClick={onMore}>
      {say("Show more ({some} of {all} characters)", { some: next, all: left })}
    </button>
  );
}

/** A piece of text that is certain to be short. */
export function ShortText({
  text,
  use,
}: {
  readonly text: string;
  readonly use: TextUse;
}): ReactNode {
  return <Segments segments={markText(text, use)} />;
}

function Segments({ segments }: { readonly segments: readonly TextSegment[] }): ReactNode {
  return segments.map((segment, index) => <Segment key={index} segment={segment} />);
}

function Segment({ segment }: { readonly segment: TextSegment }): ReactNode {
  switch (segment.type) {
    case "text":
      return segment.text;
    case "reversed":
      return <Reversed text={segment.text} />;
    case "mark":
      return <Mark segment={segment} />;
  }
}

function Reversed({ text }: { readonly text: string }): ReactNode {
  const say = useWords();
  return (
    <bdo
      dir="ltr"
      className="hp-mark-reversed"
      title={say("right-to-left letters, in stored order")}
    >
      {text}
    </bdo>
  );
}

function Mark({ segment }: { readonly segment: TextSegment & { type: "mark" } }): ReactNode {
  const { raw, label, name } = segment;
  const isTab = raw === "\t";
  const kind = isTab ? " hp-mark-tab" : segment.isMild ? " hp-mark-mild" : "";
  return (
    <span className={`hp-mark${kind}`} title={name} data-raw={raw}>
      {label}
      {isTab && "\t"}
    </span>
  );
}
