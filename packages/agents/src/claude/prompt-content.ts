import type { UUID } from "node:crypto";

import type { SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import type { TurnMessage } from "@holdpoint/engine";
import { withoutMentions, type AttachmentData } from "@holdpoint/protocol";

export type PromptContent = SDKUserMessage["message"]["content"];
type PromptBlock = Exclude<PromptContent, string>[number];

/** The message in the SDK's format. The runtime names `uuid` in its answer. */
export function toPrompt(
  message: Pick<TurnMessage, "attachments" | "content">,
  uuid: UUID | undefined,
): SDKUserMessage {
  const content = toPromptContent(message);
  return {
    type: "user",
    ...(uuid !== undefined && { uuid }),
    message: { role: "user", content },
    parent_tool_use_id: null,
  };
}

/** The content that Claude gets: the attached files, in order, before the text. */
export function toPromptContent({
  content,
  attachments = [],
}: Pick<TurnMessage, "attachments" | "content">): PromptContent {
  if (attachments.length === 0) return content;
  const text: PromptBlock[] = content.trim() === "" ? [] : [{ type: "text", text: content }];
  return [...attachments.map(toBlock), ...text];
}

function toBlock({ name, mediaType, data }: AttachmentData): PromptBlock {
  // A file's name is not the person's text, so it must not be read as a mention of a file.
  const title = withoutMentions(name);
  switch (mediaType) {
    case "image/png":
    case "image/jpeg":
    case "image/gif":
    case "image/webp":
      return { type: "image", source: { type: "base64", media_type: mediaType, data } };
    case "application/pdf":
      return { type: "document", title, source: { type: "base64", media_type: mediaType, data } };
    case "text/plain": {
      const text = Buffer.from(data, "base64").toString("utf8");
      return {
        type: "document",
        title,
        source: { type: "text", media_type: mediaType, data: text },
      };
    }
  }
}
