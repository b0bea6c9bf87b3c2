import { toTitleParts } from "@holdpoint/protocol";
import type { ReactNode } from "react";

import { BriefText, VisibleText } from "./visible-text.tsx";

interface TitleTextProps {
  readonly text: string;
  /** For places where nothing can be pressed, such as buttons. */
  readonly brief?: boolean;
}

/** The title of a request, with its code drawn as code. Untrusted text. */
export function TitleText({ text, brief = false }: TitleTextProps): ReactNode {
  return toTitleParts(text).map(({ text, isCode }, index) => {
    const shown = brief ? (
      <BriefText text={text} exact={isCode} />
    ) : (
      <VisibleText text={text} exact={isCode} short />
    );
    // oxlint-disable-next-line react/no-array-index-key -- parts have no identity but their place
    return isCode ? <code key={index}>{shown}</code> : <span key={index}>{shown}</span>;
  });
}
