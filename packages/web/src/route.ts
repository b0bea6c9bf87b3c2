/** What the address bar names. */
export type Route =
  | { readonly name: "home" }
  | { readonly name: "session"; readonly sessionId: string }
  /** One interaction by itself, for links from notifications. */
  | { readonly name: "interaction"; readonly interactionId: string }
  /** The list of all grants. */
  | { readonly name: "grants" }
  /** What the gateway loads from its folder. */
  | { readonly name: "folder" }
  /** What was answered. */
  | { readonly name: "history" }
  /** Sessions that were put away. */
  | { readonly name: "archived" }
  /** Devices, programs and agents. */
  | { readonly name: "devices" }
  | { readonly name: "unknown" };

/** Paths of one word, which is the name of the route. */
const PLAIN: ReadonlySet<string> = new Set([
  "grants",
  "folder",
  "history",
  "devices",
  "archived",
] satisfies Route["name"][]);

/** The route of a path, such as `/s/<sessionId>`. Never throws, whatever the path holds. */
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

/** The path of a route; `parseRoute` reads it back. */
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
