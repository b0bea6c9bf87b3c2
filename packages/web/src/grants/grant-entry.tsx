import type { Grant } from "@holdpoint/protocol";
import { Button, RelativeTime, toVisibleString, useNow, VisibleText } from "@holdpoint/react";
import type { ReactNode } from "react";

import { Link } from "../link.tsx";
import { useListedSession } from "../use-listed-session.ts";
import { toEndWords } from "./end-words.ts";

const END_REFRESH_MS = 30_000;

const SCOPE_WORDS: Readonly<Record<Grant["scope"], string>> = {
  once: "One call",
  session: "This session",
  always: "From now on",
};

interface GrantEntryProps {
  readonly grant: Grant;
  readonly onRevoke: () => void;
}

/** One grant: what it allows, where, until when, and who gave it. */
export function GrantEntry({ grant, onRevoke }: GrantEntryProps): ReactNode {
  // The session that the grant is limited to, while that session exists.
  const session = useListedSession(grant.sessionId);
  const { grantId, scope, toolName, text, agent, cwd, by, interactionId, lastUsedAt } = grant;
  return (
    <li className="grant">
      <div className="grant-head">
        <h2 className="grant-tool" id={grantId}>
          <VisibleText text={toolName} exact />
        </h2>
        <span className="tag">{SCOPE_WORDS[scope]}</span>
        <Button
          className="grant-revoke"
          onClick={onRevoke}
          aria-label={`Revoke ${toVisibleString(toolName)}`}
          aria-describedby={`${grantId}-text`}
        >
          Revoke
        </Button>
      </div>
      <p className="grant-text" id={`${grantId}-text`}>
        <VisibleText text={text} exact />
      </p>
      <dl className="grant-facts">
        <Fact name="Ends">
          <End grant={grant} />
        </Fact>
        {session !== undefined && (
          <Fact name="Session">
            <Link to={{ name: "session", sessionId: session.sessionId }}>
              <VisibleText text={session.title === "" ? "New session" : session.title} />
            </Link>
          </Fact>
        )}
        {agent !== undefined && (
          <Fact name="Agent">
            <VisibleText text={agent} />
          </Fact>
        )}
        {cwd !== undefined && (
          <Fact name="Given in">
            <code>
              <VisibleText text={cwd} exact />
            </code>
          </Fact>
        )}
        <Fact name="Given by">
          <VisibleText text={`${by.person}, ${by.client}`} />, <RelativeTime at={by.at} />
          {" · "}
          <Link to={{ name: "interaction", interactionId }}>what was shown</Link>
        </Fact>
        <Fact name="Last used">
          {lastUsedAt === undefined ? "not yet" : <RelativeTime at={lastUsedAt} />}
        </Fact>
      </dl>
    </li>
  );
}

function Fact({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function End({ grant: { scope, expiresAt } }: { readonly grant: Grant }): ReactNode {
  const nowMs = useNow(END_REFRESH_MS);
  if (expiresAt === undefined) return "with its session";
  const whole = new Date(expiresAt).toLocaleString();
  return (
    <>
      {scope === "once" && "with its use, or "}
      <time dateTime={expiresAt} title={whole}>
        {toEndWords(expiresAt, nowMs)}
      </time>
    </>
  );
}
