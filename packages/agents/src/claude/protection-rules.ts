import type { ProtectedPaths } from "../protection/protected-paths.ts";

/** Rules with which the runtime protects paths by itself, beside the hook that looks at each call. */
export function toProtectionRules({ deny, ask }: ProtectedPaths): {
  deny: string[];
  ask: string[];
} {
  return {
    deny: deny.flatMap((path) => [...rules("Read", path), ...rules("Edit", path)]),
    ask: ask.flatMap((path) => rules("Edit", path)),
  };
}

/** For no agent: else the runtime lets its agent read what was said in each session of the same folder, whoever had it. */
export function toRecordRule(configDir: string): string {
  return `Read(/${toPattern(configDir)}/projects/**/*.jsonl)`;
}

/** For the file tools the rules of `Edit` are those of `Write` and of notebooks as well. */
function rules(tool: string, path: string): string[] {
  const pattern = toPattern(path);
  return [`${tool}(/${pattern})`, `${tool}(/${pattern}/**)`];
}

/**
 * Two slashes begin an absolute path. Signs with a meaning of their own in rules become `?`, which stands for any one
 * character: that spares too much rather than too little.
 */
function toPattern(path: string): string {
  const slashed = path
    .replaceAll("\\", "/")
    .replace(/^([A-Za-z]):/u, (_, drive: string) => `/${drive.toLowerCase()}`);
  return slashed.replaceAll(/[^\p{L}\p{N}/._-]/gu, "?");
}
