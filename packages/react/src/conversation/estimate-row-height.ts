import type { TranscriptRow } from "./transcript-rows.ts";

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
