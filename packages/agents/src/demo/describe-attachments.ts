import type { Attachment } from "@holdpoint/protocol";

import type { Step } from "./step.ts";

/** The demo agent's reply to the files of a message. */
export function describeAttachments(attachments: readonly Attachment[]): readonly Step[] {
  if (attachments.length === 0) return [];
  const files = attachments.map(
    (attachment) => `- ${toCode(attachment.name)}, ${describe(attachment)}`,
  );
  const text = `I got these files, and I look at none of them, because there is no model:\n\n${files.join("\n")}`;
  return [{ kind: "say", text }];
}

function toCode(name: string): string {
  return `\`${name.replaceAll("`", "'")}\``;
}

function describe({ mediaType, bytes, width, height }: Attachment): string {
  const size = width === undefined || height === undefined ? "" : ` of ${width} × ${height} pixels`;
  return `${mediaType}${size}, ${bytes} bytes`;
}
