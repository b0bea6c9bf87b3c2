import { type TroubleWords, useAnnounce, useUiClock } from "@holdpoint/react";
import { useEffect, useState, type ReactNode, type RefObject } from "react";

import { useWords } from "./words/use-words.ts";

import "./styles/column-page.css";

/** A faster page shows no "Loading…", so that it does not flash. */
const LOADING_AFTER_MS = 300;

interface ColumnPageProps {
  readonly title: string;
  /** The title, which gets the focus when the focused button is removed. */
  readonly titleRef: RefObject<HTMLHeadingElement | null>;
  readonly inboxToggle: ReactNode;
  /** The failure to load the content. */
  readonly trouble: TroubleWords | undefined;
  /** The content is loaded. */
  readonly loaded: boolean;
  /** The class that sets the column's width and gaps. */
  readonly column: string;
  readonly children: ReactNode;
}

/** The frame of a page without a conversation: a title, and one column below it. */
export function ColumnPage(props: ColumnPageProps): ReactNode {
  const { title, titleRef, inboxToggle, trouble, loaded, column, children } = props;
  return (
    <>
      <header className="head">
        <h1 className="head-title" ref={titleRef} tabIndex={-1}>
          {title}
        </h1>
        <span className="space" />
        {inboxToggle}
      </header>
      <div className="column-page">
        <div className={`column-page-column ${column}`}>
          {trouble !== undefined && (
            <p className="field-error" role="alert">
              {trouble.title}. {trouble.wayOut}
            </p>
          )}
          {children}
          {!loaded && trouble === undefined && <Loading />}
        </div>
      </div>
    </>
  );
}

/** Shown in place of content that is not loaded yet. */
function Loading(): ReactNode {
  const say = useWords();
  const clock = useUiClock();
  const announce = useAnnounce();
  const [isSlow, setSlow] = useState(false);
  useEffect(() => clock.schedule(LOADING_AFTER_MS, () => setSlow(true)), [clock]);
  useEffect(() => {
    if (!isSlow) return undefined;
    announce(say("Loading…"));
    // Cleared, so that the live region does not announce it after loading, or in a previous language.
    return () => announce("");
  }, [isSlow, announce, say]);
  return isSlow && <p className="quiet">{say("Loading…")}</p>;
}
