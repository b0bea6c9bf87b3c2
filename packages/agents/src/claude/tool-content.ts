export interface ToolContent {
  /** Content that is neither text nor a picture is named in square brackets, never dropped silently. */
  readonly content: string;
  /** In Base64. */
  readonly pictures?: readonly string[];
}

/** A tool's result. */
export function toToolContent(content: unknown): ToolContent {
  if (content === undefined || content === null) return { content: "" };
  if (typeof content === "string") return { content };
  if (!Array.isArray(content)) return { content: JSON.stringify(content) };
  const pictures: string[] = [];
  const texts: string[] = [];
  for (const block of content as readonly (ContentBlock | null)[]) {
    const data = pictureIn(block);
    if (data === undefined) texts.push(toBlockText(block));
    else pictures.push(data);
  }
  return { content: texts.join("\n"), ...(pictures.length > 0 && { pictures }) };
}

interface ContentBlock {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly source?: {
    readonly type?: unknown;
    readonly media_type?: unknown;
    readonly data?: unknown;
  };
  /** As an MCP server says it. */
  readonly data?: unknown;
}

/** The bytes of a picture; its address is never loaded. */
function pictureIn(block: ContentBlock | null): string | undefined {
  if (block === null || typeof block !== "object" || block.type !== "image") return undefined;
  const data = block.source?.data ?? block.data;
  return typeof data === "string" ? data : undefined;
}

function toBlockText(block: ContentBlock | null): string {
  if (block === null || typeof block !== "object") return String(block);
  if (typeof block.text === "string") return block.text;
  if (block.type === "image" && block.source?.type === "url") {
    return "[image at an address, not loaded]";
  }
  if (block.type !== "document") return `[${String(block.type)}]`;
  const { media_type: mediaType, data } = block.source ?? {};
  const details = [
    ...(typeof mediaType === "string" ? [mediaType] : []),
    ...(typeof data === "string" ? [`${Math.ceil((data.length * 3) / 4 / 1024)} KiB`] : []),
  ];
  return details.length === 0 ? "[document]" : `[document: ${details.join(", ")}]`;
}
