const MAX_LENGTH = 60;
/** A word is cut only if the title would otherwise be shorter than this. */
const MIN_LENGTH = 40;
/** How much of a message is searched for a title. */
const MAX_READ = 4000;
/** Markup at the beginning of a Markdown line. */
const MARKUP = /^(?:#{1,6}|>|[-*+]|\d{1,3}[.)])\s+/u;
/** A line without any of these has no content. */
const SAYS_SOMETHING = /[\p{L}\p{N}\p{Extended_Pictographic}]/u;
const FENCE = /^(?:```|~~~)/u;

/**
 * A title for a session without one: the first line with content in its first message, shortened. Empty if there is
 * none.
 */
export function titleFromMessage(content: string): string {
  const lines = content
    .slice(0, MAX_READ)
    .split(/[\r\n\u2028\u2029]+/u)
    .map((line) => line.replaceAll(/\s+/gu, " ").trim());
  const line = lines.find((one) => SAYS_SOMETHING.test(one) && !FENCE.test(one)) ?? "";
  return shorten(line.replace(MARKUP, ""));
}

function shorten(line: string): string {
  const characters = Array.from(line);
  if (characters.length <= MAX_LENGTH) return line;
  const start = characters.slice(0, MAX_LENGTH - 1);
  const isWordCut = characters[MAX_LENGTH - 1] !== " ";
  const space = isWordCut ? start.lastIndexOf(" ") : -1;
  const end = space >= MIN_LENGTH ? space : start.length;
  return `${start.slice(0, end).join("").trimEnd()}…`;
}
