import type { ViewItem } from "@holdpoint/client";
import type { AgentErrorCode } from "@holdpoint/protocol";
import { CircleStop, Moon, OctagonAlert } from "lucide-react";
import { lazy, Suspense, type ReactNode } from "react";

import type { TroubleWords } from "../hooks/trouble-words.ts";
import { VisibleText } from "../parts/visible-text.tsx";

interface TroubleProps {
  readonly code: AgentErrorCode;
}

/** Its words are loaded with the first error; the runtime's own message is shown at once. */
const AgentTrouble = lazy(async () => {
  try {
    const { toAgentTroubleWords } = await import("./agent-trouble.ts");
    return {
      default: ({ code }: TroubleProps) => <Trouble {...toAgentTroubleWords(code)} />,
    };
  } catch {
    // Offline, or a newer version of the page has replaced its files.
    return { default: () => <Trouble {...SOME_TROUBLE} /> };
  }
});

const SOME_TROUBLE: TroubleWords = {
  title: "The agent reported an error",
  wayOut: "The conversation is kept. Send a message to try again.",
};

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
        <Suspense fallback={<Trouble {...SOME_TROUBLE} />}>
          <AgentTrouble code={item.code} />
        </Suspense>
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
