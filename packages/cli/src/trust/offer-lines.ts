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
export function toTextLines({ files }: FolderOffer): string[] {
  return files
    .filter(({ change }) => change !== "same")
    .flatMap(({ name, path, text, difference = text }) => [
      "",
      `  ── ${toLine(name)}  ${toLine(path)}`,
      ...difference.split("\n").map((line) => `  ${toPlain(line)}`),
    ]);
}

function toLine(text: string): string {
  return toPlain(text).replaceAll(/[\n\t]/g, " ");
}
