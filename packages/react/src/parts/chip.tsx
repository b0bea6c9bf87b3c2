import type { ReactNode } from "react";

import { BriefText } from "./visible-text.tsx";

/** A short label, such as the header of a question. */
export function Chip({
  text,
  tone = "accent",
}: {
  readonly text: string;
  readonly tone?: "accent" | "plain";
}): ReactNode {
  return (
    <span className={`hp-chip hp-chip-${tone}`}>
      <BriefText text={text} />
    </span>
  );
}
