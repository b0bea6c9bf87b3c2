import type { ViewItem } from "@holdpoint/client";
import type { AgentErrorCode } from "@holdpoint/protocol";
import { CircleStop, Moon, OctagonAlert } from "lucide-react";
import type { ReactNode } from "react";

import type { TroubleWords } from "../hooks/trouble-words.ts";
import { createLazyPart } from "../parts/lazy-part.tsx";
import { VisibleText } from "../parts/visible-text.tsx";

interface TroubleProps {
  readonly code: AgentErrorCode;
}

const SOME_TROUBLE: TroubleWords = {
  title: "The agent reported an error",
  wayOut: "The conversation is kept. Send a message to try again.",
};

/** Its words are loaded with the first error; the runtime's own message is shown at once. */
const AGENT_TROUBLE = createLazyPart<TroubleProps>(
  () => <Trouble {...SOME_TROUBLE} />,
  async () => {
    const { toAgentTroubleWords } = await import("./agent-trouble.ts");
    return ({ code }) => <Trouble {...toAgentTroubleWords(code)} />;
  },
);

function Trouble({ title, wayOut }: TroubleWords): ReactNode {
  return (
    <>
      <p className="hp-notice-title">{title}</p>
      <p>{wayOut}</p>
    </>
  );
}

/** What went wrong, the runtime's own message, and the way out. */
export function ErrorNotice({
  item,
}: {
  readonly item: Extract<ViewItem, { type: "error" }>;
}): ReactNode {
  return (
    <div className="hp-notice hp-notice-error">
      <OctagonAlert aria-hidden />
      <div>
        <AGENT_TROUBLE.Part code={item.code} />
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
          Parked: nothing runs until there is an answer.
        </p>
      );
  }
}
