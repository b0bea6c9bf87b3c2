import type { ReactNode } from "react";

import { createLazyPart } from "../parts/lazy-part.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import type { NoticeItem } from "./notice.tsx";

interface NoticeProps {
  readonly item: NoticeItem;
}

/** Until its code is there, and where it cannot be loaded, an error says what it is. */
const NOTICE = createLazyPart<NoticeProps>(
  ({ item }): ReactNode =>
    item.type === "error" && (
      <p className="hp-notice-detail">
        <VisibleText text={item.message} />
      </p>
    ),
  async () => (await import("./notice.tsx")).Notice,
);

/** A notice, whose code is loaded with the first one: most conversations have none. */
export function LazyNotice({ item }: NoticeProps): ReactNode {
  return <NOTICE.Part item={item} />;
}
