import type { ReactNode } from "react";

import { createLazyPart } from "../parts/lazy-part.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import type { NoticeItem } from "./notice.tsx";

interface NoticeProps {
  readonly item: NoticeItem;
}

/** Until its code is loaded, or if loading fails, an error shows its message only. */
const NOTICE = createLazyPart<NoticeProps>(
  ({ item }): ReactNode =>
    item.type === "error" && (
      <p className="hp-notice-detail">
        <VisibleText text={item.message} />
      </p>
    ),
  async () => (await import("./notice.tsx")).Notice,
);

/** A notice. Its code is loaded with the first one, since most conversations have none. */
export function LazyNotice({ item }: NoticeProps): ReactNode {
  return <NOTICE.Part item={item} />;
}
