import type { ViewItem } from "@holdpoint/client";
import { CircleStop, Moon, OctagonAlert, ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";

import { ClockTime } from "../parts/relative-time.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { useWords } from "../words/use-words.ts";
import { toAgentTroubleWords } from "./agent-trouble.ts";
import { TurnUsageLine } from "./turn-usage-line.tsx";

export type NoticeItem = Extract<
  ViewItem,
  { type: "error" | "mode_ended" | "turn_end" | "turn_usage" }
>;

/** An event of the session or its turn, and the next step for the person. */
export function Notice({ item }: { readonly item: NoticeItem }): ReactNode {
  switch (item.type) {
    case "error":
      return <ErrorNotice item={item} />;
    case "mode_ended":
      return <ModeEndNotice />;
    case "turn_end":
      return <TurnEndNotice item={item} />;
    case "turn_usage":
      return <TurnUsageLine usage={item.usage} />;
  }
}

/** An error, the runtime's own message, and a remedy. */
function ErrorNotice({
  item: { code, message, retryAt },
}: {
  readonly item: Extract<ViewItem, { type: "error" }>;
}): ReactNode {
  const say = useWords();
  const { title, wayOut } = toAgentTroubleWords(code);
  const saysMore = message !== "" && message !== `${title}.`;
  return (
    <div className="hp-notice hp-notice-error">
      <OctagonAlert aria-hidden />
      <div>
        <p className="hp-notice-title">{say(title)}</p>
        <p>{say(wayOut)}</p>
        {retryAt !== undefined && (
          <p>
            {say("The limit resets:")} <ClockTime at={retryAt} />
          </p>
        )}
        {saysMore && (
          <p className="hp-notice-detail">
            <VisibleText text={say.translate(message)} />
          </p>
        )}
      </div>
    </div>
  );
}

/** The time is up in which the agent ran everything without asking. */
function ModeEndNotice(): ReactNode {
  const say = useWords();
  return (
    <p className="hp-turn-end">
      <ShieldCheck aria-hidden />
      {say(
        "The time limit for running everything without asking has expired. The agent asks again.",
      )}
    </p>
  );
}

/** A turn that did not end normally. */
function TurnEndNotice({
  item,
}: {
  readonly item: Extract<ViewItem, { type: "turn_end" }>;
}): ReactNode {
  const say = useWords();
  switch (item.reason) {
    case "stopped":
      return (
        <p className="hp-turn-end">
          <CircleStop aria-hidden />
          {say("Stopped. Send a message to continue.")}
        </p>
      );
    case "error":
      return (
        <p className="hp-turn-end">
          <OctagonAlert aria-hidden />
          {say("The turn ended with an error. Send a message to try again.")}
        </p>
      );
    case "parked":
      return (
        <p className="hp-turn-end">
          <Moon aria-hidden />
          {say("Parked here until the answer arrives.")}
        </p>
      );
  }
}
