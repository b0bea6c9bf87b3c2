/** The page named by the address bar. */
export type Route =
  | { readonly name: "home" }
  | { readonly name: "session"; readonly sessionId: string }
  /** A single interaction, for links in notifications. */
  | { readonly name: "interaction"; readonly interactionId: string }
  /** The list of all grants. */
  | { readonly name: "grants" }
  /** The files that the gateway loads from its folder. */
  | { readonly name: "folder" }
  /** The history of answers. */
  | { readonly name: "history" }
  /** Archived sessions. */
  | { readonly name: "archived" }
  /** Devices, programs and agents. */
  | { readonly name: "devices" }
  | { readonly name: "unknown" };

/** Routes whose path is their name. */
const PLAIN: ReadonlySet<string> = new Set([
  "grants",
  "folder",
  "history",
  "devices",
  "archived",
] satisfies Route["name"][]);

/** The route of a path, such as `/s/<sessionId>`. Never throws. */
export function parseRoute(pathname: string): Route {
  const [first, id, ...rest] = pathname.split("/").filter((part) => part !== "");
  if (first === undefined) return { name: "home" };
  if (PLAIN.has(first) && id === undefined) return { name: first } as Route;
  const decoded = id === undefined ? undefined : safeDecode(id);
  if (decoded === undefined || rest.length > 0) return { name: "unknown" };
  if (first === "s") return { name: "session", sessionId: decoded };
  if (first === "i") return { name: "interaction", interactionId: decoded };
  return { name: "unknown" };
}

/** The path of a route. `parseRoute` parses it. */
export function toPath(route: Route): string {
  if (route.name === "session") return `/s/${encodeURIComponent(route.sessionId)}`;
  if (route.name === "interaction") return `/i/${encodeURIComponent(route.interactionId)}`;
  return route.name === "home" || route.name === "unknown" ? "/" : `/${route.name}`;
}

function safeDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
