import { type TroubleWords, useAnnounce, useUiClock } from "@holdpoint/react";
import { useEffect, useState, type ReactNode, type RefObject } from "react";

import { useWords } from "./words/use-words.ts";

import "./styles/column-page.css";

/** What comes sooner does not flash. */
const LOADING_AFTER_MS = 300;

interface ColumnPageProps {
  readonly title: string;
  /** To move the focus there when the button that had it is gone. */
  readonly titleRef: RefObject<HTMLHeadingElement | null>;
  readonly inboxToggle: ReactNode;
  /** Why its content could not be read. */
  readonly trouble: TroubleWords | undefined;
  /** Its content is there. */
  readonly loaded: boolean;
  /** Its class gives the column its width and its gaps. */
  readonly column: string;
  readonly children: ReactNode;
}

/** The frame of a page that is no conversation: a title, and one column below it. */
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

/** In place of what the gateway has not told yet. */
function Loading(): ReactNode {
  const say = useWords();
  const clock = useUiClock();
  const announce = useAnnounce();
  const [isSlow, setSlow] = useState(false);
  useEffect(() => clock.schedule(LOADING_AFTER_MS, () => setSlow(true)), [clock]);
  useEffect(() => {
    if (!isSlow) return undefined;
    announce(say("Loading…"));
    // The live region must not say it of what is there, nor in a language that was left.
    return () => announce("");
  }, [isSlow, announce, say]);
  return isSlow && <p className="quiet">{say("Loading…")}</p>;
}
