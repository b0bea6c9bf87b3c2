import type { ViewItem } from "@holdpoint/client";
import { CornerDownRight } from "lucide-react";
import { use, type ReactNode } from "react";

import { ClockTime } from "../parts/relative-time.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { useWords, type Words } from "../words/use-words.ts";
import { CONVERSATION } from "./conversation-seam.ts";
import { SessionIdContext } from "./session-id-context.ts";

type UserMessageItem = Extract<ViewItem, { type: "user_message" }>;

const ORIGINS: Readonly<Record<UserMessageItem["origin"], Words | undefined>> = {
  person: undefined,
  late_response: "Your late answer, sent to the agent as a message",
};

/** A message to the agent, exactly as it was sent. */
export function UserMessage({ item }: { readonly item: UserMessageItem }): ReactNode {
  const say = useWords();
  const sessionId = use(SessionIdContext);
  const origin = ORIGINS[item.origin];
  const { attachments, content } = item;
  return (
    <div className="hp-user" data-origin={item.origin}>
      {origin !== undefined && (
        <p className="hp-user-origin">
          <CornerDownRight aria-hidden />
          {say(origin)}
        </p>
      )}
      <span className="hp-user-at">
        <ClockTime at={item.at} />
      </span>
      <div className="hp-user-said">
        {attachments && (
          <CONVERSATION.Part
            of="MessageAttachments"
            sessionId={sessionId}
            attachments={attachments}
          />
        )}
        {(content !== "" || !attachments) && (
          <div className="hp-user-bubble">
            <span className="hp-visually-hidden">{say("You:")} </span>
            <VisibleText text={content} />
          </div>
        )}
      </div>
    </div>
  );
}
