import type { CommandRule, Grant } from "@holdpoint/protocol";
import {
  Button,
  RelativeTime,
  SaidText,
  toVisibleString,
  useNow,
  VisibleText,
} from "@holdpoint/react";
import type { ReactNode } from "react";

import { Link } from "../link.tsx";
import { useListedSession } from "../use-listed-session.ts";
import { useWords, type Words } from "../words/use-words.ts";
import { toEndWords } from "./end-words.ts";

const END_REFRESH_MS = 30_000;

const SCOPE_WORDS: Readonly<Record<Grant["scope"], Words>> = {
  once: "One call",
  session: "This session",
  always: "From now on",
};

interface GrantEntryProps {
  readonly grant: Grant;
  /** Absent if the person may not revoke it. */
  readonly onRevoke: (() => void) | undefined;
}

const RULE_WORDS: Readonly<Record<CommandRule["verdict"], Words>> = {
  allow: "Rule: allow",
  ask: "Rule: ask",
  deny: "Rule: deny",
};

/** One grant or rule: its coverage, place, end and author. */
export function GrantEntry({ grant, onRevoke }: GrantEntryProps): ReactNode {
  const say = useWords();
  const { grantId, scope, text, said, rule } = grant;
  const toolName = rule ? say("Commands") : grant.toolName;
  return (
    <li className="grant">
      <div className="grant-head">
        <h2 className="grant-tool" id={grantId}>
          <VisibleText text={toolName} exact />
        </h2>
        <span className="tag">{say(rule ? RULE_WORDS[rule.verdict] : SCOPE_WORDS[scope])}</span>
        {onRevoke && (
          <Button
            className="grant-revoke"
            onClick={onRevoke}
            aria-label={say("Revoke {name}", { name: toVisibleString(toolName) })}
            aria-describedby={`${grantId}-text`}
          >
            {say("Revoke")}
          </Button>
        )}
      </div>
      <p className="grant-text" id={`${grantId}-text`}>
        <SaidText text={text} said={said?.["text"]} />
      </p>
      <dl className="grant-facts">
        <Fact name={say("Ends")}>
          <End grant={grant} />
        </Fact>
        <Place grant={grant} />
        <Fact name={say("Given by")}>
          <Giver grant={grant} />
        </Fact>
        <Fact name={say("Last used")}>
          <LastUse grant={grant} />
        </Fact>
      </dl>
    </li>
  );
}

/** The session, the agent and the directory that a grant is limited to. */
function Place({ grant: { sessionId, agent, cwd, rule } }: { readonly grant: Grant }): ReactNode {
  const say = useWords();
  // Undefined if the session no longer exists.
  const session = useListedSession(sessionId);
  return (
    <>
      {session !== undefined && (
        <Fact name={say("Session")}>
          <Link to={{ name: "session", sessionId: session.sessionId }}>
            <VisibleText text={session.title === "" ? say("New session") : session.title} />
          </Link>
        </Fact>
      )}
      {agent !== undefined && (
        <Fact name={say("Agent")}>
          <VisibleText text={agent} />
        </Fact>
      )}
      {cwd !== undefined && (
        <Fact name={rule ? say("Only in") : say("Given in")}>
          <code>
            <VisibleText text={cwd} exact />
          </code>
        </Fact>
      )}
    </>
  );
}

function Giver({ grant: { by, interactionId } }: { readonly grant: Grant }): ReactNode {
  const say = useWords();
  return (
    <>
      <VisibleText text={`${by.person}, ${by.client}`} />, <RelativeTime at={by.at} />
      {interactionId !== undefined && (
        <>
          {" · "}
          <Link to={{ name: "interaction", interactionId }}>{say("view request")}</Link>
        </>
      )}
    </>
  );
}

function LastUse({ grant: { lastUsedAt } }: { readonly grant: Grant }): ReactNode {
  const say = useWords();
  return lastUsedAt === undefined ? say("never") : <RelativeTime at={lastUsedAt} />;
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

function End({ grant: { scope, expiresAt, usesLeft } }: { readonly grant: Grant }): ReactNode {
  const say = useWords();
  const nowMs = useNow(END_REFRESH_MS);
  const uses =
    usesLeft !== undefined &&
    `${say("after {count} more call, or|after {count} more calls, or", { count: usesLeft })} `;
  if (expiresAt === undefined) {
    return (
      <>
        {uses}
        {say("when its session ends")}
      </>
    );
  }
  const whole = new Date(expiresAt).toLocaleString(say.language.locale);
  return (
    <>
      {uses}
      {scope === "once" && `${say("when used, or")} `}
      <time dateTime={expiresAt} title={whole}>
        {toEndWords(expiresAt, nowMs, say)}
      </time>
    </>
  );
}
