import type { ReactNode } from "react";

import { BriefText } from "../../parts/visible-text.tsx";

/** The chosen labels, and the person's own words in quotation marks. */
export function ChosenList({
  labels,
  other,
}: {
  readonly labels: readonly string[];
  readonly other: string;
}): ReactNode {
  return (
    <ul className="hp-chosen">
      {labels.map((label, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- labels may repeat and never move
        <li key={index}>
          <BriefText text={label} />
        </li>
      ))}
      {other !== "" && (
        <li className="hp-chosen-own">
          “<BriefText text={other} />”
        </li>
      )}
    </ul>
  );
}
