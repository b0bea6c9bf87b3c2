import type { ViewItem } from "@holdpoint/client";
import type { AgentErrorCode } from "@holdpoint/protocol";
import { CircleStop, Moon, OctagonAlert, ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";

import type { TroubleWords } from "../hooks/trouble-words.ts";
import { createLazyPart } from "../parts/lazy-part.tsx";
import { VisibleText } from "../parts/visible-text.tsx";

interface TroubleProps {
  readonly code: AgentErrorCode;
  /** The runtime's own words; empty where it has none. */
  readonly message: string;
}

const SOME_TROUBLE: TroubleWords = {
  title: "The agent reported an error",
  wayOut: "The conversation is kept. Send a message to try again.",
};

/** Its words are loaded with the first error; the runtime's own message is shown at once. */
const AGENT_TROUBLE = createLazyPart<TroubleProps>(
  ({ message }) => <Trouble words={SOME_TROUBLE} message={message} />,
  async () => {
    const { toAgentTroubleWords } = await import("./agent-trouble.ts");
    return ({ code, message }) => <Trouble words={toAgentTroubleWords(code)} message={message} />;
  },
);

interface TroubleWordsProps extends Pick<TroubleProps, "message"> {
  readonly words: TroubleWords;
}

function Trouble({ words: { title, wayOut }, message }: TroubleWordsProps): ReactNode {
  const saysMore = message !== "" && message !== `${title}.`;
  return (
    <>
      <p className="hp-notice-title">{title}</p>
      <p>{wayOut}</p>
      {saysMore && (
        <p className="hp-notice-detail">
          <VisibleText text={message} />
        </p>
      )}
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
        <AGENT_TROUBLE.Part code={item.code} message={item.message} />
      </div>
    </div>
  );
}

/** The time was over in which the agent ran everything without asking. */
export function ModeEndNotice(): ReactNode {
  return (
    <p className="hp-turn-end">
      <ShieldCheck aria-hidden />
      The time to run everything without asking is over. The agent asks again.
    </p>
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
          Parked here until the answer.
        </p>
      );
  }
}
