import { type FolderOffer, type FolderTrust, toMarkedString } from "@holdpoint/protocol";

/** Whether a person trusted an earlier state of these files. */
export function isTrustedBefore({ files, removed }: FolderOffer): boolean {
  return removed.length > 0 || files.some(({ change }) => change !== "new");
}

/** The question for a terminal: which files are new or changed, and what they would set. */
export function toOfferLines(trust: FolderTrust, offer: FolderOffer): string[] {
  const changed = offer.files.filter(({ change }) => change !== "same");
  const rows = changed.map(({ name, role, change }) => {
    const what = role === "module" ? `${change}, imported` : change;
    return `    ${toLine(name)}  (${what})`;
  });
  const same = offer.files.length - changed.length;
  return [
    "",
    `  ${toHeading(trust, offer)}`,
    "",
    ...rows,
    ...offer.removed.map((name) => `    ${toLine(name)}  (gone)`),
    ...(same === 0 ? [] : [`    ${same} more as you trusted them`]),
    ...offer.settings.map(
      ({ name, value, now }) =>
        `    setting ${toLine(name)}: ${toLine(value)}${now === undefined ? "" : ` (now ${toLine(now)})`}`,
    ),
    ...(offer.packages.length === 0
      ? []
      : [`    packages, whose content is not checked: ${offer.packages.map(toLine).join(", ")}`]),
    "",
  ];
}

function toHeading({ path, loaded }: FolderTrust, offer: FolderOffer): string {
  const folder = toLine(path);
  if (loaded) return `Files in ${folder} have changed. They are loaded only if you trust them:`;
  return isTrustedBefore(offer)
    ? `Files in ${folder} have changed since you trusted them. None is loaded until you trust them again:`
    : `${folder} has files that are loaded only if you trust them. They can do what you can:`;
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
