/** Why a file cannot be loaded, in one line: some errors quote the program that they are in. Names the line, if it is known. */
export function toLoadReason(error: unknown): string {
  const [said = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  const reason = said === "" ? "It cannot be loaded" : said;
  const place = placeOf(error);
  return place === undefined ? reason : `${reason} (${place})`;
}

/** Node writes where a program breaks the language's rules before the error's stack; it may be in a file that was imported. */
function placeOf(error: unknown): string | undefined {
  if (!(error instanceof SyntaxError)) return undefined;
  return /^(?:file:\/\/)?(\/.*:\d+|[A-Za-z]:\\.*:\d+)\n/
    .exec(error.stack ?? "")?.[1]
    ?.replace(/\?version=\d+(?=:\d+$)/, "");
}
