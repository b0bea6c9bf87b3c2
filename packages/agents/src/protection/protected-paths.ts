/** Files and folders that an agent must leave alone, as absolute paths. They need not exist. */
export interface ProtectedPaths {
  /** No agent reads or changes these, nor anything below them. */
  readonly deny: readonly string[];
  /** A person is asked about each change of these, and of anything below them. */
  readonly ask: readonly string[];
  /** Below those: changes of these, and of anything below them, are nobody's to be asked about. */
  readonly free?: readonly string[];
}

/** What is to be done about a tool call; the reason is for the person and the model. */
export interface Verdict {
  readonly action: "deny" | "ask";
  readonly reason: string;
}

/** How a path lies to a protected one: `inside` if it is the same or below it, `above` if it holds it. */
export interface Relations {
  readonly denied: "inside" | "above" | undefined;
  readonly asked: "inside" | "above" | undefined;
}

const CONFIG_NAME = /^holdpoint\.config\.[cm]?[jt]s(?:on)?$/i;

/** True for the name of a config file, which a gateway may be told to load wherever it lies. */
export function isConfigName(name: string): boolean {
  return CONFIG_NAME.test(name);
}

/**
 * How a real path lies to the protected ones, whose paths are real as well. Letter case is ignored: some file systems
 * do so, and where they do not, a folder that differs in nothing else can be spared.
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

/** Ends with a separator, so that `/data` does not hold `/database`. */
function toComparable(path: string): string {
  const folded = path.normalize("NFC").toLowerCase().replaceAll("\\", "/");
  return folded.endsWith("/") ? folded : `${folded}/`;
}
