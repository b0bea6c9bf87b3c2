import { keepMark, toFeedText } from "./line-endings.ts";

/** The text after Claude's Edit. `undefined`: Claude makes no edit, or its edit cannot be predicted. */
export function editText(
  before: string | undefined,
  input: Record<string, unknown>,
): string | undefined {
  const { old_string: oldText, new_string: newText, replace_all: replaceAll } = input;
  if (!isPlain(oldText) || !isPlain(newText) || oldText === newText) return undefined;
  if (oldText === "") return fill(before, newText);
  const file = before === undefined ? undefined : toFeedText(before);
  if (!file) return undefined;
  // If the exact old text is not found, Claude also tries other quotation marks and escapes.
  const places = file.text.split(oldText).length - 1;
  const fits = places === 1 || (places > 1 && replaceAll === true);
  return fits ? file.write(replaceIn(file.text, oldText, newText)) : undefined;
}

/** Replaces the text. A deleted line takes its line ending along. */
function replaceIn(text: string, oldText: string, newText: string): string {
  const line = `${oldText}\n`;
  const takesEnding = newText === "" && !oldText.endsWith("\n") && text.includes(line);
  return text.replaceAll(takesEnding ? line : oldText, () => newText);
}

/** The text after Claude's Write. */
export function writeText(
  before: string | undefined,
  { content }: Record<string, unknown>,
): string | undefined {
  return typeof content === "string" && content.isWellFormed()
    ? keepMark(before, content)
    : undefined;
}

/** Fills a new file or a blank one; `undefined` for any other. */
function fill(before: string | undefined, newText: string): string | undefined {
  const isBlank = before === undefined || (before.trim() === "" && !before.includes("\r"));
  return isBlank ? keepMark(before, newText) : undefined;
}

function isPlain(text: unknown): text is string {
  return typeof text === "string" && text.isWellFormed() && !/[\r\ufeff]/.test(text);
}
