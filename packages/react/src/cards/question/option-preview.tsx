import type { QuestionOption } from "@holdpoint/protocol";
import type { ReactNode } from "react";

import { Boundary } from "../../parts/boundary.tsx";
import { BriefText } from "../../parts/visible-text.tsx";
import { useWords } from "../../words/use-words.ts";
import { PreviewContent } from "./preview-content.tsx";

/** The preview of an option, next to the options. */
export function OptionPreviewPane({
  option: { label, preview },
}: {
  readonly option: QuestionOption;
}): ReactNode {
  const say = useWords();
  return (
    <figure className="hp-preview">
      <figcaption className="hp-preview-caption">
        {say.rich("Preview · {option}", { option: <BriefText text={label} /> })}
      </figcaption>
      <div
        className="hp-preview-body"
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- several cards may have one, so it is no landmark
        role="group"
        aria-label={say("Preview")}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- an area that scrolls must be reachable by keyboard
        tabIndex={0}
      >
        {preview === undefined ? (
          <p className="hp-preview-none">{say("This option has no preview.")}</p>
        ) : (
          <Boundary>
            <PreviewContent label={label} preview={preview} />
          </Boundary>
        )}
      </div>
    </figure>
  );
}
