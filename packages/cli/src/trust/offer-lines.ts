import type { FolderOffer, FolderTrust } from "@holdpoint/protocol";

/** Text of a file in one line or several, in which nothing moves the cursor or hides. Line ends and tabs stay. */
export function toPlain(text: string): string {
  return text.replaceAll(
    /[^\P{C}\n\t]|[\p{Zl}\p{Zp}]/gu,
    (character) => `<U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}>`,
  );
}

/** What a person must know before saying yes, for a terminal. */
export function toOfferLines({ path, loaded }: FolderTrust, offer: FolderOffer): string[] {
  const changed = offer.files.filter(({ change }) => change !== "same");
  const rows = changed.map(({ name, role, change }) => {
    const what = role === "module" ? `${change}, imported` : change;
    return `    ${toLine(name)}  (${what})`;
  });
  return [
    "",
    loaded
      ? `  Files in ${toLine(path)} have changed. They are loaded only if you trust them:`
      : `  ${toLine(path)} has files that are loaded only if you trust them. They can do what you can:`,
    "",
    ...rows,
    ...offer.removed.map((name) => `    ${toLine(name)}  (gone)`),
    ...offer.settings.map(
      ({ name, value, now }) =>
        `    setting ${toLine(name)}: ${toLine(value)}${now === undefined ? "" : ` (now ${toLine(now)})`}`,
    ),
    ...(offer.packages.length === 0
      ? []
      : [`    packages, whose content is not looked at: ${offer.packages.map(toLine).join(", ")}`]),
    "",
  ];
}

/** The text of everything that is new, and what has changed of the rest. */
export function toTextLines(offer: FolderOffer, before: ReadonlyMap<string, string>): string[] {
  return offer.files
    .filter(({ change }) => change !== "same")
    .flatMap(({ name, path, text }) => [
      "",
      `  ── ${toLine(name)}  ${toLine(path)}`,
      ...toChangedLines(before.get(name), text).map((line) => `  ${toPlain(line)}`),
    ]);
}

/** All lines of a new text; of a changed one those from the first to the last change, old ones first. */
export function toChangedLines(before: string | undefined, text: string): string[] {
  const now = text.split("\n");
  if (before === undefined) return now;
  const old = before.split("\n");
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start += 1;
  let same = 0;
  while (
    same < Math.min(old.length, now.length) - start &&
    old[old.length - 1 - same] === now[now.length - 1 - same]
  ) {
    same += 1;
  }
  return [
    `@@ line ${start + 1} @@`,
    ...old.slice(start, old.length - same).map((line) => `- ${line}`),
    ...now.slice(start, now.length - same).map((line) => `+ ${line}`),
  ];
}

function toLine(text: string): string {
  return toPlain(text).replaceAll(/[\n\t]/g, " ");
}
