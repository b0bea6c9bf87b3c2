const MAX_LENGTH = 60;
/** A word is cut only if it would leave less than this. */
const MIN_LENGTH = 40;
/** A title is found in so much of a message. */
const MAX_READ = 4000;
/** What a line of Markdown begins with. */
const MARKUP = /^(?:#{1,6}|>|[-*+]|\d{1,3}[.)])\s+/u;
/** A line without any says nothing. */
const SAYS_SOMETHING = /[\p{L}\p{N}\p{Extended_Pictographic}]/u;
const FENCE = /^(?:```|~~~)/u;

/**
 * A title for a session that has none: the first line of its first message that says something, shortened. Empty where
 * none does.
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
