/** A tool's result as text. Other content is named in square brackets, never dropped silently. */
export function toResultText(content: unknown): string {
  if (content === undefined || content === null) return "";
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return JSON.stringify(content);
  return content.map(toBlockText).join("\n");
}

interface ContentBlock {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly source?: { readonly media_type?: unknown; readonly data?: unknown };
}

function toBlockText(block: ContentBlock | null): string {
  if (block === null || typeof block !== "object") return String(block);
  if (typeof block.text === "string") return block.text;
  if (block.type !== "image" && block.type !== "document") return `[${String(block.type)}]`;
  const { media_type: mediaType, data } = block.source ?? {};
  const details = [
    ...(typeof mediaType === "string" ? [mediaType] : []),
    ...(typeof data === "string" ? [`${Math.ceil((data.length * 3) / 4 / 1024)} KiB`] : []),
  ];
  return details.length === 0 ? `[${block.type}]` : `[${block.type}: ${details.join(", ")}]`;
}
