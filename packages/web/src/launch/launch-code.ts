/**
 * The one-time code of a launch URL, `/#code=…`. Taking it clears the address bar at once, so that it is neither
 * bookmarked, nor shared, nor in the history.
 */
export function takeLaunchCode(
  location: Pick<Location, "hash" | "pathname" | "search">,
  history: Pick<History, "replaceState">,
): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get("code");
  if (code === null) return undefined;
  history.replaceState(null, "", location.pathname + location.search);
  return code === "" ? undefined : code;
}
