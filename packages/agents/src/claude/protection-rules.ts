import type { ProtectedPaths } from "../protection/protected-paths.ts";

/** The runtime's own rules that protect paths, in addition to the hook before each call. */
export function toProtectionRules({ deny, ask }: ProtectedPaths): {
  deny: string[];
  ask: string[];
} {
  return {
    deny: deny.flatMap((path) => [...rules("Read", path), ...rules("Edit", path)]),
    ask: ask.flatMap((path) => rules("Edit", path)),
  };
}

/**
 * A rule for every agent: without it, the runtime lets its agent read the records of all sessions of the same folder,
 * including other people's.
 */
export function toRecordRule(configDir: string): string {
  return `Read(/${toPattern(configDir)}/projects/**/*.jsonl)`;
}

/** For the file tools, `Edit` rules also cover `Write` and notebooks. */
function rules(tool: string, path: string): string[] {
  const pattern = toPattern(path);
  return [`${tool}(/${pattern})`, `${tool}(/${pattern}/**)`];
}

/**
 * Two slashes begin an absolute path. Characters with a special meaning in rules become `?`, which matches any one
 * character: this protects too much rather than too little.
 */
function toPattern(path: string): string {
  const slashed = path
    .replaceAll("\\", "/")
    .replace(/^([A-Za-z]):/u, (_, drive: string) => `/${drive.toLowerCase()}`);
  return slashed.replaceAll(/[^\p{L}\p{N}/._-]/gu, "?");
}
