import type { ViewItem } from "@holdpoint/client";
import { CircleStop, Moon, OctagonAlert, ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";

import { VisibleText } from "../parts/visible-text.tsx";
import { toAgentTroubleWords } from "./agent-trouble.ts";

export type NoticeItem = Extract<ViewItem, { type: "error" | "mode_ended" | "turn_end" }>;

/** What happened to the session or its turn, and what to do next. */
export function Notice({ item }: { readonly item: NoticeItem }): ReactNode {
  switch (item.type) {
    case "error":
      return <ErrorNotice item={item} />;
    case "mode_ended":
      return <ModeEndNotice />;
    case "turn_end":
      return <TurnEndNotice item={item} />;
  }
}

/** What went wrong, the runtime's own message, and the way out. */
function ErrorNotice({
  item: { code, message },
}: {
  readonly item: Extract<ViewItem, { type: "error" }>;
}): ReactNode {
  const { title, wayOut } = toAgentTroubleWords(code);
  const saysMore = message !== "" && message !== `${title}.`;
  return (
    <div className="hp-notice hp-notice-error">
      <OctagonAlert aria-hidden />
      <div>
        <p className="hp-notice-title">{title}</p>
        <p>{wayOut}</p>
        {saysMore && (
          <p className="hp-notice-detail">
            <VisibleText text={message} />
          </p>
        )}
      </div>
    </div>
  );
}

/** The time was over in which the agent ran everything without asking. */
function ModeEndNotice(): ReactNode {
  return (
    <p className="hp-turn-end">
      <ShieldCheck aria-hidden />
      The time to run everything without asking is over. The agent asks again.
    </p>
  );
}

/** A turn that did not simply end. */
function TurnEndNotice({
  item,
}: {
  readonly item: Extract<ViewItem, { type: "turn_end" }>;
}): ReactNode {
  switch (item.reason) {
    case "stopped":
      return (
        <p className="hp-turn-end">
          <CircleStop aria-hidden />
          Stopped. Send a message to go on.
        </p>
      );
    case "error":
      return (
        <p className="hp-turn-end">
          <OctagonAlert aria-hidden />
          The turn ended with an error. Send a message to try again.
        </p>
      );
    case "parked":
      return (
        <p className="hp-turn-end">
          <Moon aria-hidden />
          Parked here until the answer.
        </p>
      );
  }
}
