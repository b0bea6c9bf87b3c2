import type { ViewItem } from "@holdpoint/client";
import { CornerDownRight } from "lucide-react";
import type { ReactNode } from "react";

import { ClockTime } from "../parts/relative-time.tsx";
import { VisibleText } from "../parts/visible-text.tsx";

type UserMessageItem = Extract<ViewItem, { type: "user_message" }>;

const ORIGINS: Readonly<Record<UserMessageItem["origin"], string | undefined>> = {
  person: undefined,
  late_response: "Your late answer, sent to the agent as a message",
};

/** What was said to the agent, exactly as it was sent. */
export function UserMessage({ item }: { readonly item: UserMessageItem }): ReactNode {
  const origin = ORIGINS[item.origin];
  return (
    <div className="hp-user" data-origin={item.origin}>
      {origin !== undefined && (
        <p className="hp-user-origin">
          <CornerDownRight aria-hidden />
          {origin}
        </p>
      )}
      <span className="hp-user-at">
        <ClockTime at={item.at} />
      </span>
      <div className="hp-user-bubble">
        <span className="hp-visually-hidden">You: </span>
        <VisibleText text={item.content} />
      </div>
    </div>
  );
}
