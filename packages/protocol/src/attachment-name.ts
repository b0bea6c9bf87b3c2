import { HIDDEN } from "./character-facts.ts";

const MAX_NAME = 120;
const UNNAMED = "file";
const HIDDEN_CHARACTERS = new RegExp(`[${HIDDEN}]+`, "gu");

/**
 * Cleans a file name for people and agents: without folders, without characters that are invisible or reverse the text
 * direction, and short enough to show. Keeps the extension. The result is never empty and never a folder.
 */
export function toAttachmentName(given: string): string {
  const last =
    given
      .toWellFormed()
      .split(/[/\\]/u)
      .findLast((part) => part.trim() !== "") ?? "";
  const name = last.replaceAll("\uFFFD", "").replaceAll(HIDDEN_CHARACTERS, " ").trim();
  if (!/[\p{L}\p{N}]/u.test(name)) return UNNAMED;
  return shorten(name);
}

/** Shortens the middle of a name, so that its extension stays. */
function shorten(name: string): string {
  const characters = Array.from(name);
  if (characters.length <= MAX_NAME) return name;
  const half = (MAX_NAME - 1) / 2;
  const [head, tail] = [characters.slice(0, Math.ceil(half)), characters.slice(-Math.floor(half))];
  return `${head.join("")}…${tail.join("")}`;
}
