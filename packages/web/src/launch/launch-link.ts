/** The contents of a launch URL's fragment. */
export interface LaunchLink {
  /** Works once. */
  readonly code: string;
  /** The thumbprint of the gateway's key: the code must be sent to no other gateway. */
  readonly gateway: string | undefined;
}

/**
 * Takes the launch URL, `/#code=…&gateway=…`. Clears the address bar at once, so that it is neither bookmarked, nor
 * shared, nor in the browser's history.
 */
export function takeLaunchLink(
  location: Pick<Location, "hash" | "pathname" | "search">,
  history: Pick<History, "replaceState">,
): LaunchLink | undefined {
  const fragment = fragmentOf(location);
  const code = fragment.get("code");
  if (code === null) return undefined;
  history.replaceState(null, "", location.pathname + location.search);
  return code === "" ? undefined : { code, gateway: fragment.get("gateway") ?? undefined };
}

export function hasLaunchLink(location: Pick<Location, "hash">): boolean {
  return fragmentOf(location).has("code");
}

function fragmentOf({ hash }: Pick<Location, "hash">): URLSearchParams {
  return new URLSearchParams(hash.slice(1));
}
