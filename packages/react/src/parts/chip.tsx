import { VisibleText } from "./visible-text.tsx";

/** A short label, such as the header of a question. */
export function Chip({ text, tone = "accent" }: { text: string; tone?: "accent" | "plain" }) {
  return (
    <span className={`hp-chip hp-chip-${tone}`}>
      <VisibleText text={text} />
    </span>
  );
}
