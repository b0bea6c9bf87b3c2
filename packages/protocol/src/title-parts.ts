/** A part of a title. Code comes without its backticks. */
export interface TitlePart {
  readonly text: string;
  readonly isCode: boolean;
}

/** The most runs of backticks. A title with more is shown as it is. */
const MAX_RUNS = 40;

/** Splits a title into parts, without losing text. As in Markdown, equally long runs of backticks enclose code. */
export function toTitleParts(title: string): readonly TitlePart[] {
  const runs = [...title.matchAll(/`+/gu)];
  if (runs.length > MAX_RUNS) return [{ text: title, isCode: false }];
  const parts: TitlePart[] = [];
  let from = 0;
  for (const [place, run] of runs.entries()) {
    const [fence] = run;
    if (run.index < from) continue;
    const end = runs.slice(place + 1).find(([other]) => other.length === fence.length);
    if (end === undefined) continue;
    parts.push({ text: title.slice(from, run.index), isCode: false });
    parts.push({ text: inside(title.slice(run.index + fence.length, end.index)), isCode: true });
    from = end.index + fence.length;
  }
  parts.push({ text: title.slice(from), isCode: false });
  return parts.filter(({ text }) => text !== "");
}

/** Returns the title without the backticks around code, for places that cannot show code. */
export function toPlainTitle(title: string): string {
  return toTitleParts(title)
    .map(({ text }) => text)
    .join("");
}

/** Encloses a text as code in a title. */
export function asTitleCode(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/gu) ?? []).map(({ length }) => length));
  if (longest === 0) return `\`${text}\``;
  const fence = "`".repeat(longest + 1);
  return `${fence} ${text} ${fence}`;
}

/** Removes one space on both sides, which separates a backtick in the code from the fence. */
function inside(code: string): string {
  const isPadded = code.startsWith(" ") && code.endsWith(" ") && code.trim() !== "";
  return isPadded ? code.slice(1, -1) : code;
}
