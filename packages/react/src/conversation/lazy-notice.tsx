import type { ReactNode } from "react";

import { createLazyPart } from "../parts/lazy-part.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import type { NoticeItem } from "./notice.tsx";

/** Most conversations have none. Until its code is there, and where it cannot be loaded, an error says what it is. */
export const NOTICE = createLazyPart<{ readonly item: NoticeItem }>(
  ({ item }): ReactNode =>
    item.type === "error" && (
      <p className="hp-notice-detail">
        <VisibleText text={item.message} />
      </p>
    ),
  async () => (await import("./notice.tsx")).Notice,
);
