import type { Saying } from "@holdpoint/protocol";
import type { ReactNode } from "react";

import { useWords } from "../words/use-words.ts";
import { BriefText, VisibleText } from "./visible-text.tsx";

interface SaidTextProps {
  /** As it came, in English. */
  readonly text: string;
  /** The sayings that came with it. Absent: the asker has written the text, and all of it is marked as what runs. */
  readonly said: readonly Saying[] | undefined;
  /** Where nothing can be pressed, as on a button. */
  readonly brief?: boolean;
}

/** What the gateway says something covers: its own words as words, and what comes from the agent as exactly what it is. */
export function SaidText({ text, said, brief = false }: SaidTextProps): ReactNode {
  const say = useWords();
  const Text = brief ? BriefText : VisibleText;
  return toSaidParts(say.told(text, said), said).map(({ text, isValue }, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- parts have no identity but their place
    <span key={index} className={isValue ? "hp-said-value" : undefined}>
      <Text text={text} exact={isValue} />
    </span>
  ));
}

interface SaidPart {
  readonly text: string;
  /** From outside. The rest is the gateway's. */
  readonly isValue: boolean;
}

/**
 * Finds the values in the text, in their order. One that is found too early has only words of the gateway's in it, so
 * nothing from outside is taken for them. Where one is not found, all is from outside.
 */
export function toSaidParts(
  text: string,
  said: readonly Saying[] | undefined,
): readonly SaidPart[] {
  const whole = [{ text, isValue: true }];
  if (said === undefined) return whole;
  const parts: SaidPart[] = [];
  let end = 0;
  for (const value of said.flatMap(textsOf)) {
    const start = text.indexOf(value, end);
    if (start === -1) return whole;
    parts.push({ text: text.slice(end, start), isValue: false }, { text: value, isValue: true });
    end = start + value.length;
  }
  return [...parts, { text: text.slice(end), isValue: false }].filter((part) => part.text !== "");
}

/** A label is the gateway's, and translated; a number is written as its language does. */
function textsOf({ values = {} }: Saying): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    name === "label" || typeof value === "number" ? [] : [value],
  );
}
