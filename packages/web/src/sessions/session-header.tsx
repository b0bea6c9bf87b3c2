import type { AgentInfo, LimitedMode, Session } from "@holdpoint/protocol";
import { BriefText, toVisibleString } from "@holdpoint/react";
import { Inbox } from "lucide-react";
import type { ReactNode } from "react";

import { createPagePart, Nothing } from "../page-part.ts";
import { toShortAgentName } from "../words/short-agent-name.ts";
import { useWords } from "../words/use-words.ts";
import { toSessionAgentName } from "./agent-name.ts";
import { toSessionMark } from "./session-mark.ts";

/** Loaded separately: the modes are shown only after the agents are loaded, so this adds no delay. */
const ModeSelect = createPagePart(
  async () => (await import("./mode-select.tsx")).ModeSelect,
  Nothing,
);
const LookedAt = createPagePart(async () => (await import("./unread.tsx")).LookedAt, Nothing);
const ArchivedBar = createPagePart(
  async () => (await import("./archived-bar.tsx")).ArchivedBar,
  Nothing,
);
const ModelControl = createPagePart(
  async () => (await import("./model-control.tsx")).ModelControl,
  Nothing,
);

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
        {mayChange && agent?.hasModels && <ModelControl sessionId={session.sessionId} />}
        {mayChange && agent !== undefined && (
          <ModeSelect
            sessionId={session.sessionId}
            agent={agent}
            mode={permissionMode}
            isLimited={limitedMode?.mode === permissionMode}
          />
        )}
        {inboxToggle}
      </header>
      <LookedAt session={session} />
      {session.archivedAt !== undefined && <ArchivedBar session={session} />}
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
