const MAX_LENGTH = 60;

/** A title for a session that has none: the first line of its first message, shortened. */
export function titleFromMessage(content: string): string {
  const line = content.trim().split(/\r?\n/, 1)[0]?.replaceAll(/\s+/g, " ").trim() ?? "";
  const characters = Array.from(line);
  if (characters.length <= MAX_LENGTH) return line;
  return `${characters
    .slice(0, MAX_LENGTH - 1)
    .join("")
    .trimEnd()}…`;
}
