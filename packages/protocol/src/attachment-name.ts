import { HIDDEN } from "./character-facts.ts";

const MAX_NAME = 120;
const UNNAMED = "file";
const HIDDEN_CHARACTERS = new RegExp(`[${HIDDEN}]+`, "gu");

/**
 * The name of a file as people and agents get it: without its folders, without characters that nobody sees or that turn
 * others round, and not longer than can be shown. The ending is kept. Never empty, never a folder.
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

/** In the middle, so that the ending stays. */
function shorten(name: string): string {
  const characters = Array.from(name);
  if (characters.length <= MAX_NAME) return name;
  const half = (MAX_NAME - 1) / 2;
  const [head, tail] = [characters.slice(0, Math.ceil(half)), characters.slice(-Math.floor(half))];
  return `${head.join("")}…${tail.join("")}`;
}
