import { Fragment, type ReactNode } from "react";

import { VisibleText } from "../parts/visible-text.tsx";
import { toColouredRuns } from "./coloured-runs.ts";

/** A program's terminal output in its colours. Every other control character keeps its mark. */
export function ColouredText({ text }: { readonly text: string }): ReactNode {
  return toColouredRuns(text).map(({ text, looks }, index) => {
    const shown = <VisibleText text={text} exact />;
    // oxlint-disable-next-line react/no-array-index-key -- runs have no identity but their place
    if (looks.length === 0) return <Fragment key={index}>{shown}</Fragment>;
    return (
      // oxlint-disable-next-line react/no-array-index-key -- runs have no identity but their place
      <span key={index} className={looks.map((look) => `hp-ansi-${look}`).join(" ")}>
        {shown}
      </span>
    );
  });
}
