import type { Session } from "@holdpoint/protocol";

const MAX_FOLDERS = 8;

/** The folders to suggest for a new session: the gateway's own, if any, then the most recently used. */
export function toFolders(
  own: string | undefined,
  sessions: readonly Pick<Session, "cwd" | "createdAt">[],
): readonly string[] {
  const newestFirst = sessions.toSorted(
    (a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt),
  );
  const used = [...new Set(newestFirst.map(({ cwd }) => cwd))].slice(0, MAX_FOLDERS);
  return own === undefined || used.includes(own) ? used : [...used, own];
}
