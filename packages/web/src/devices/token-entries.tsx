import { Button, RelativeTime, toVisibleString, useLanguage, VisibleText } from "@holdpoint/react";
import { Bot, SquareTerminal } from "lucide-react";
import type { ReactNode } from "react";

import { Link } from "../link.tsx";
import { useListedSession } from "../use-listed-session.ts";
import { useWords, type Words } from "../words/use-words.ts";
import { AccessEntry, LastUse } from "./access-entry.tsx";
import type { AgentAccess, Program } from "./use-credentials.ts";

export const SCOPE_WORDS: Readonly<Record<Program["scope"], Words>> = {
  respond: "May answer (respond)",
  read: "Only reads (read)",
};

/** One program of the person. */
export function ProgramEntry({
  program: { label, scope, createdAt, lastUsedAt, expiresAt },
  onRevoke,
}: {
  readonly program: Program;
  readonly onRevoke: () => void;
}): ReactNode {
  const say = useWords();
  return (
    <AccessEntry
      icon={<SquareTerminal aria-hidden />}
      name={<VisibleText text={label} short />}
      tag={say(SCOPE_WORDS[scope])}
      facts={[
        [say("Created"), <RelativeTime key="at" at={createdAt} />],
        [say("Last used"), <LastUse key="at" at={lastUsedAt} />],
        [say("Ends"), <EndDate key="at" at={expiresAt} />],
      ]}
      actions={
        <Button
          aria-label={say("Revoke {name}", { name: toVisibleString(label) })}
          onClick={onRevoke}
        >
          {say("Revoke")}
        </Button>
      }
    />
  );
}

/** One agent that is started elsewhere. Its name is always marked as an agent's. */
export function AgentEntry({
  agent: { label, sessionId, createdAt, lastUsedAt },
  onRevoke,
}: {
  readonly agent: AgentAccess;
  readonly onRevoke: () => void;
}): ReactNode {
  const say = useWords();
  const session = useListedSession(sessionId);
  return (
    <AccessEntry
      icon={<Bot aria-hidden />}
      name={<AgentName label={label} />}
      facts={[
        [say("Created"), <RelativeTime key="at" at={createdAt} />],
        [say("Last used"), <LastUse key="at" at={lastUsedAt} />],
        ...(session === undefined
          ? []
          : ([
              [
                say("Session"),
                <Link key="session" to={{ name: "session", sessionId: session.sessionId }}>
                  <VisibleText text={session.title} short />
                </Link>,
              ],
            ] as const)),
      ]}
      actions={
        <Button
          aria-label={say("Revoke agent “{name}”", { name: toVisibleString(label) })}
          onClick={onRevoke}
        >
          {say("Revoke")}
        </Button>
      }
    />
  );
}

/** An agent's name, chosen by someone else, in a form that cannot be mistaken for part of the gateway. */
export function AgentName({ label }: { readonly label: string }): ReactNode {
  const say = useWords();
  return (
    <span>{say.rich("Agent “{name}”", { name: <VisibleText text={label} exact short /> })}</span>
  );
}

function EndDate({ at }: { readonly at: string }): ReactNode {
  const { locale } = useLanguage();
  const end = new Date(at);
  const words = end.toLocaleDateString(locale, {
    day: "numeric",
    month: "short",
    year: "numeric",
  });
  return (
    <time dateTime={at} title={end.toLocaleString(locale)}>
      {words}
    </time>
  );
}
