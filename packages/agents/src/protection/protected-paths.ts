/** Files and folders that an agent must leave alone, as absolute paths. They need not exist. */
export interface ProtectedPaths {
  /** No agent may read or change these paths or anything below them. */
  readonly deny: readonly string[];
  /** A person is asked about each change of these paths and of anything below them. */
  readonly ask: readonly string[];
  /** Exceptions within `ask`: these paths and anything below them may be changed without asking. */
  readonly free?: readonly string[];
}

/** The decision about a tool call; the reason is for the person and the model. */
export interface Verdict {
  readonly action: "deny" | "ask";
  readonly reason: string;
}

/** How a path relates to protected paths: `inside` if it is the same or below one, `above` if it contains one. */
export interface Relations {
  readonly denied: "inside" | "above" | undefined;
  readonly asked: "inside" | "above" | undefined;
}

const CONFIG_NAME = /^holdpoint\.config\.[cm]?[jt]s(?:on)?$/i;

/** Whether this is the name of a config file, which a gateway may load from any folder. */
export function isConfigName(name: string): boolean {
  return CONFIG_NAME.test(name);
}

/**
 * How a real path relates to the protected ones, which must be real as well. Letter case is ignored, as in some file
 * systems; elsewhere this may also protect a folder that differs only in case.
 */
export function relate(path: string, { deny, ask, free = [] }: ProtectedPaths): Relations {
  const isFree = relateToAny(path, free) === "inside";
  return {
    denied: relateToAny(path, deny),
    asked: isFree ? undefined : relateToAny(path, ask),
  };
}

function relateToAny(path: string, places: readonly string[]): "inside" | "above" | undefined {
  const own = toComparable(path);
  const others = places.map(toComparable);
  if (others.some((other) => own.startsWith(other))) return "inside";
  return others.some((other) => other.startsWith(own)) ? "above" : undefined;
}

/** Ends with a separator, so that `/data` does not contain `/database`. */
function toComparable(path: string): string {
  const folded = path.normalize("NFC").toLowerCase().replaceAll("\\", "/");
  return folded.endsWith("/") ? folded : `${folded}/`;
}
