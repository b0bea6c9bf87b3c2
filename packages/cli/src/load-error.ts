/** Why a file cannot be loaded, in one line, with the error's place if known. */
export function toLoadReason(error: unknown): string {
  const [said = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  const reason = said === "" ? "It cannot be loaded" : said;
  const place = placeOf(error);
  return place === undefined ? reason : `${reason} (${place})`;
}

/** The place of a syntax error, which Node writes before the stack; it may be in an imported file. */
function placeOf(error: unknown): string | undefined {
  if (!(error instanceof SyntaxError)) return undefined;
  return /^(?:file:\/\/)?(\/.*:\d+|[A-Za-z]:\\.*:\d+)\n/
    .exec(error.stack ?? "")?.[1]
    ?.replace(/\?version=\d+(?=:\d+$)/, "");
}
