import type { Saying } from "@holdpoint/protocol";
import type { ReactNode } from "react";

import { useWords } from "../words/use-words.ts";
import { BriefText, VisibleText } from "./visible-text.tsx";

interface SaidTextProps {
  /** The text as it came, in English. */
  readonly text: string;
  /** The sayings that came with the text. Absent: it is the requester's own text, and is marked like commands. */
  readonly said: readonly Saying[] | undefined;
  /** For places where nothing can be pressed, such as buttons. */
  readonly brief?: boolean;
}

/** The gateway's text of a coverage: its own words as prose, and the values from the agent in their exact form. */
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
  /** From outside. Everything else is the gateway's. */
  readonly isValue: boolean;
}

/**
 * Splits a text at the values in it, in their order. A value found too early equals words of the gateway's own, so no
 * other text from outside passes for the gateway's. If a value is not found, the whole text counts as from outside.
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

/** The values from outside. A label is the gateway's own and translated; a number is formatted for the language. */
function textsOf({ values = {} }: Saying): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    name === "label" || typeof value === "number" ? [] : [value],
  );
}
