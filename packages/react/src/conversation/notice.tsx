import type { ViewItem } from "@holdpoint/client";
import { OctagonAlert, CircleStop, Moon } from "lucide-react";
import type { ReactNode } from "react";

import { VisibleText } from "../parts/visible-text.tsx";
import { toAgentTroubleWords } from "./trouble-words.ts";

/** What went wrong, what the agent's runtime said about it, and the way out. */
export function ErrorNotice({
  item,
}: {
  readonly item: Extract<ViewItem, { type: "error" }>;
}): ReactNode {
  const words = toAgentTroubleWords(item.code);
  return (
    <div className="hp-notice hp-notice-error">
      <OctagonAlert aria-hidden />
      <div>
        <p className="hp-notice-title">{words.title}</p>
        <p>{words.wayOut}</p>
        {item.message !== "" && (
          <p className="hp-notice-detail">
            <VisibleText text={item.message} />
          </p>
        )}
      </div>
    </div>
  );
}

/** A turn that did not simply end. */
export function TurnEndNotice({
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
          Parked: no process runs, and it goes on with your answer.
        </p>
      );
  }
}
