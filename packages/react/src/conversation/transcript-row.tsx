import type { SessionView, ViewItem } from "@holdpoint/client";
import type { Interaction } from "@holdpoint/protocol";
import { memo, type ReactNode } from "react";

import { Boundary } from "../parts/boundary.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { AssistantMessage } from "./assistant-message.tsx";
import { CONVERSATION } from "./conversation-seam.ts";
import { InteractionRounds } from "./interaction-rounds.tsx";
import type { NoticeItem } from "./notice.tsx";
import { ToolBlock } from "./tool-block.tsx";
import { UserMessage } from "./user-message.tsx";

interface TranscriptRowViewProps {
  readonly item: ViewItem;
  readonly stepCount: number | undefined;
  readonly stepsOpen: boolean;
  readonly turnId: string | undefined;
  readonly isBehind: boolean;
  readonly interactions: SessionView["interactions"];
  /** A grant allowed the call without asking. */
  readonly allowedEarlier: boolean;
  readonly onToggleSteps: (key: string, open: boolean) => void;
}

/** The content of one row. Rendered again only when its own item or an interaction changes. */
export const TranscriptRowView = memo(function TranscriptRowView(
  props: TranscriptRowViewProps,
): ReactNode {
  return (
    <Boundary>
      <RowContent {...props} />
    </Boundary>
  );
});

function RowContent(props: TranscriptRowViewProps): ReactNode {
  const { item, interactions } = props;
  switch (item.type) {
    case "user_message":
      return <UserMessage item={item} />;
    case "assistant_message":
      return <AssistantMessage item={item} />;
    case "tool_call":
      return (
        <ToolBlock
          item={item}
          interactions={pick(interactions, item.interactionIds)}
          turnId={props.turnId}
          isBehind={props.isBehind}
          allowedEarlier={props.allowedEarlier}
          onToggleSteps={(open) => props.onToggleSteps(item.key, open)}
          {...(props.stepCount !== undefined && {
            steps: { count: props.stepCount, open: props.stepsOpen },
          })}
        />
      );
    case "interaction":
      return <InteractionRounds interactions={toRounds(interactions, item.interactionId)} />;
    case "mode_ended":
    case "turn_end":
    case "turn_usage":
    case "error":
      return <NoticeRow item={item} />;
  }
}

/** A notice. Until its code is loaded, or if loading fails, an error shows its message only. */
function NoticeRow({ item }: { readonly item: NoticeItem }): ReactNode {
  const parts = CONVERSATION.useModule();
  if (typeof parts !== "string") return <parts.Notice item={item} />;
  return (
    item.type === "error" && (
      <p className="hp-notice-detail">
        <VisibleText text={item.message} />
      </p>
    )
  );
}

/** The rounds of an interaction without a tool call, ending with `lastId`. */
function toRounds(
  interactions: SessionView["interactions"],
  lastId: string,
): readonly Interaction[] {
  const rounds: Interaction[] = [];
  for (let id: string | undefined = lastId; id !== undefined;) {
    const round: Interaction | undefined = interactions.get(id);
    if (round === undefined || rounds.includes(round)) break;
    rounds.unshift(round);
    id = round.previousId;
  }
  return rounds;
}

function pick(
  interactions: SessionView["interactions"],
  ids: readonly string[],
): readonly Interaction[] {
  return ids.flatMap((id) => interactions.get(id) ?? []);
}
