import type { TroubleWords } from "@holdpoint/react";
import type { ReactNode, RefObject } from "react";

import "./styles/column-page.css";

interface ColumnPageProps {
  readonly title: string;
  /** To move the focus there when the button that had it is gone. */
  readonly titleRef: RefObject<HTMLHeadingElement | null>;
  readonly inboxToggle: ReactNode;
  /** Why its content could not be read. */
  readonly trouble: TroubleWords | undefined;
  /** Its class gives the column its width and its gaps. */
  readonly column: string;
  readonly children: ReactNode;
}

/** The frame of a page that is no conversation: a title, and one column below it. */
export function ColumnPage(props: ColumnPageProps): ReactNode {
  const { title, titleRef, inboxToggle, trouble, column, children } = props;
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
        </div>
      </div>
    </>
  );
}
