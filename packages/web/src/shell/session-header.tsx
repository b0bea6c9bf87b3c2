import type { AgentInfo, LimitedMode, Session } from "@holdpoint/protocol";
import { BriefText, toVisibleString } from "@holdpoint/react";
import { Inbox } from "lucide-react";
import type { ReactNode } from "react";

import { toSessionAgentName } from "../sessions/agent-name.ts";
import { toSessionMark } from "../sessions/session-mark.ts";
import { toShortAgentName } from "../words/short-agent-name.ts";
import { useWords } from "../words/use-words.ts";
import { PAGES } from "./pages-seam.ts";

interface SessionHeaderProps {
  readonly session: Session;
  readonly agent: AgentInfo | undefined;
  /** The session has a pending interaction. */
  readonly awaited: boolean;
  /** The mode from the conversation, which is newer than the list's. */
  readonly permissionMode: string;
  readonly limitedMode: LimitedMode | undefined;
  /** False for a person with read-only access. Default: true. */
  readonly mayChange?: boolean;
  readonly inboxToggle: ReactNode;
}

/** The title of a session, its agent and folder, and the controls for model and mode. */
export function SessionHeader(props: SessionHeaderProps): ReactNode {
  const { session, agent, awaited, permissionMode, limitedMode, inboxToggle } = props;
  const { mayChange = true } = props;
  const say = useWords();
  const agentName = toSessionAgentName(session.agent, agent, say);
  return (
    <>
      <header className="head">
        <h1 className="head-title">
          <span className="dot" data-status={toSessionMark(session, awaited).dot} aria-hidden />
          <span className="head-name">
            <BriefText text={session.title === "" ? say("New session") : session.title} />
          </span>
        </h1>
        <span className="tag head-agent" title={toVisibleString(agentName)}>
          <BriefText text={toShortAgentName(agentName)} />
        </span>
        <span className="tag head-cwd mono" title={toVisibleString(session.cwd)}>
          <bdi>
            <BriefText text={session.cwd} exact />
          </bdi>
        </span>
        <span className="space" />
        {mayChange && agent?.hasModels && (
          <PAGES.Part of="ModelControl" sessionId={session.sessionId} />
        )}
        {mayChange && agent !== undefined && (
          <PAGES.Part
            of="ModeSelect"
            sessionId={session.sessionId}
            agent={agent}
            mode={permissionMode}
            isLimited={limitedMode?.mode === permissionMode}
          />
        )}
        {inboxToggle}
      </header>
      <PAGES.Part of="LookedAt" session={session} />
      {session.archivedAt !== undefined && <PAGES.Part of="ArchivedBar" session={session} />}
    </>
  );
}

/** Shows or hides the inbox, with the number of its entries. */
export function InboxToggle({
  count,
  open,
  onToggle,
}: {
  readonly count: number;
  readonly open: boolean;
  readonly onToggle: () => void;
}): ReactNode {
  const say = useWords();
  return (
    <button type="button" className="inbox-toggle" aria-pressed={open} onClick={onToggle}>
      <Inbox aria-hidden />
      <span className="hp-visually-hidden">{say("Inbox, {n} waiting", { n: count })}</span>
      {count > 0 && (
        <span className="count" aria-hidden>
          {count}
        </span>
      )}
    </button>
  );
}
