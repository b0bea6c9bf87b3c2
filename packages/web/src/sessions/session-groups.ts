import type { Session } from "@holdpoint/protocol";

export type SessionGroupName = "waiting" | "working" | "earlier";

export interface SessionGroup {
  readonly name: SessionGroupName;
  readonly title: string;
  readonly sessions: readonly Session[];
}

const titles: Readonly<Record<SessionGroupName, string>> = {
  waiting: "Waiting for you",
  working: "Working",
  earlier: "Earlier",
};

/** Sessions as the rail shows them: newest activity first in each group, groups without sessions left out. */
export function groupSessions(sessions: Iterable<Session>): readonly SessionGroup[] {
  const groups: Record<SessionGroupName, Session[]> = { waiting: [], working: [], earlier: [] };
  for (const session of sessions) groups[groupOf(session)].push(session);
  return (["waiting", "working", "earlier"] as const).flatMap((name) => {
    const members = groups[name].toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt));
    return members.length === 0 ? [] : [{ name, title: titles[name], sessions: members }];
  });
}

function groupOf(session: Session): SessionGroupName {
  switch (session.status) {
    case "waiting":
    case "parked":
      return "waiting";
    case "running":
      return "working";
    case "idle":
    case "offline":
      return "earlier";
  }
}
