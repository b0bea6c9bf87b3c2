import type { SessionView, ViewItem } from "@holdpoint/client";
import type { Interaction } from "@holdpoint/protocol";
import { memo, type ReactNode } from "react";

import { Boundary } from "../parts/boundary.tsx";
import { AssistantMessage } from "./assistant-message.tsx";
import { InteractionRounds } from "./interaction-rounds.tsx";
import { LazyNotice } from "./lazy-notice.tsx";
import { ToolBlock } from "./tool-block.tsx";
import type { TranscriptRow } from "./transcript-rows.ts";
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
      return <LazyNotice item={item} />;
  }
}

/** The estimated number of characters of a text that are shown at first. */
function shownOf(text: string): number {
  return Math.min(text.length, 6000);
}

/** The estimated height of a row before it is measured, in CSS pixels. */
export function estimateRowHeight({ item, joined }: TranscriptRow): number {
  switch (item.type) {
    case "user_message":
      return 64 + Math.ceil(shownOf(item.content) / 70) * 21;
    case "assistant_message":
      return item.channel === "thinking" ? 40 : 24 + Math.ceil(shownOf(item.text) / 90) * 22;
    case "tool_call":
      return item.interactionIds.length > 0 ? 120 : joined ? 30 : 44;
    case "interaction":
      return 120;
    case "mode_ended":
    case "turn_end":
    case "turn_usage":
      return 40;
    case "error":
      return 112;
  }
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
