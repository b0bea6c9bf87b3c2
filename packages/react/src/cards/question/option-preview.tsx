import type { QuestionOption } from "@holdpoint/protocol";
import { lazy, Suspense, type ReactNode } from "react";

import { BriefText } from "../../parts/visible-text.tsx";

/** Loaded on first use: few questions have previews. */
const PreviewContent = lazy(async () => {
  try {
    return { default: (await import("./preview-content.tsx")).PreviewContent };
  } catch {
    // Offline, or a newer version of the page has replaced its files.
    return { default: NotLoaded };
  }
});

/** What an option would look like, beside the options. */
export function OptionPreviewPane({
  option: { label, preview },
}: {
  readonly option: QuestionOption;
}): ReactNode {
  return (
    <figure className="hp-preview">
      <figcaption className="hp-preview-caption">
        Preview · <BriefText text={label} />
      </figcaption>
      <div className="hp-preview-body">
        {preview === undefined ? (
          <p className="hp-preview-none">This option has no preview.</p>
        ) : (
          <Suspense>
            <PreviewContent label={label} preview={preview} />
          </Suspense>
        )}
      </div>
    </figure>
  );
}

function NotLoaded(): ReactNode {
  return <p className="hp-preview-none">The preview could not be loaded. Reload the page.</p>;
}
