import { type FolderOffer, type FolderTrust, toMarkedString } from "@holdpoint/protocol";

/** Everything that a person must know before saying yes, as terminal lines. */
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

/** The text of new files, and the differences of changed ones. */
export function toTextLines({ files }: FolderOffer): string[] {
  return files
    .filter(({ change }) => change !== "same")
    .flatMap(({ name, path, text, difference = text }) => [
      "",
      `  ── ${toLine(name)}  ${toLine(path)}`,
      ...difference.split("\n").map((line) => `  ${toMarkedString(line, "exact")}`),
    ]);
}

function toLine(text: string): string {
  return toMarkedString(text, "exact").replaceAll(/[\n\t]/g, " ");
}
