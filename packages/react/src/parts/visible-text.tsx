import { useMemo, type ReactNode } from "react";

import { markHidden } from "./mark-hidden.ts";

/** Text from outside, with a visible mark in place of every character that hides or misleads. */
export function VisibleText({ text }: { readonly text: string }): ReactNode {
  const segments = useMemo(() => markHidden(text), [text]);
  return segments.map((segment, index) =>
    segment.type === "text" ? (
      segment.text
    ) : (
      <span
        // oxlint-disable-next-line react/no-array-index-key -- segments have no identity but their place
        key={index}
        className={segment.raw === "\t" ? "hp-mark hp-mark-tab" : "hp-mark"}
        title={segment.name}
      >
        {segment.label}
        {segment.raw === "\t" ? "\t" : null}
      </span>
    ),
  );
}
