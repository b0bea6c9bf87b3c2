import { Button, RelativeTime, toVisibleString, VisibleText } from "@holdpoint/react";
import { Bot, SquareTerminal } from "lucide-react";
import type { ReactNode } from "react";

import { Link } from "../link.tsx";
import { useListedSession } from "../use-listed-session.ts";
import { AccessEntry, LastUse } from "./access-entry.tsx";
import type { AgentAccess, Program } from "./use-credentials.ts";

export const SCOPE_WORDS: Readonly<Record<Program["scope"], string>> = {
  respond: "May answer",
  read: "Only reads",
};

/** One program of the person. */
export function ProgramEntry({
  program: { label, scope, createdAt, lastUsedAt, expiresAt },
  onRevoke,
}: {
  readonly program: Program;
  readonly onRevoke: () => void;
}): ReactNode {
  return (
    <AccessEntry
      icon={<SquareTerminal aria-hidden />}
      name={<VisibleText text={label} short />}
      tag={SCOPE_WORDS[scope]}
      facts={[
        ["Made", <RelativeTime key="at" at={createdAt} />],
        ["Last used", <LastUse key="at" at={lastUsedAt} />],
        ["Ends", <EndDate key="at" at={expiresAt} />],
      ]}
      actions={
        <Button aria-label={`Revoke ${toVisibleString(label)}`} onClick={onRevoke}>
          Revoke
        </Button>
      }
    />
  );
}

/** One agent that somebody else starts. Its name is always drawn as an agent's. */
export function AgentEntry({
  agent: { label, sessionId, createdAt, lastUsedAt },
  onRevoke,
}: {
  readonly agent: AgentAccess;
  readonly onRevoke: () => void;
}): ReactNode {
  const session = useListedSession(sessionId);
  return (
    <AccessEntry
      icon={<Bot aria-hidden />}
      name={<AgentName label={label} />}
      facts={[
        ["Made", <RelativeTime key="at" at={createdAt} />],
        ["Last used", <LastUse key="at" at={lastUsedAt} />],
        ...(session === undefined
          ? []
          : ([
              [
                "Session",
                <Link key="session" to={{ name: "session", sessionId: session.sessionId }}>
                  <VisibleText text={session.title} short />
                </Link>,
              ],
            ] as const)),
      ]}
      actions={
        <Button aria-label={`Revoke agent “${toVisibleString(label)}”`} onClick={onRevoke}>
          Revoke
        </Button>
      }
    />
  );
}

/** An agent's name, which somebody else has chosen, so that it cannot be taken for anything of the gateway. */
export function AgentName({ label }: { readonly label: string }): ReactNode {
  return (
    <span>
      Agent “
      <VisibleText text={label} exact short />”
    </span>
  );
}

function EndDate({ at }: { readonly at: string }): ReactNode {
  const end = new Date(at);
  const words = end.toLocaleDateString(undefined, {
    day: "numeric",
    month: "short",
    year: "numeric",
  });
  return (
    <time dateTime={at} title={end.toLocaleString()}>
      {words}
    </time>
  );
}
