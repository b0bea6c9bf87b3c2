import type { AgentInfo, Session } from "@holdpoint/protocol";
import {
  BriefText,
  toCallTroubleWords,
  toVisibleString,
  useTransport,
  VisibleText,
} from "@holdpoint/react";
import { Inbox } from "lucide-react";
import { useState, type ReactNode } from "react";

import { toAgentName } from "./agent-name.ts";
import { toSessionMark } from "./session-mark.ts";

interface SessionHeaderProps {
  readonly session: Session;
  readonly agent: AgentInfo | undefined;
  /** It has a pending interaction. */
  readonly awaited: boolean;
  /** The mode as the conversation knows it, which is newer than the list's. */
  readonly permissionMode: string;
  readonly inboxToggle: ReactNode;
}

/** What the session is and what its agent may do. */
export function SessionHeader(props: SessionHeaderProps): ReactNode {
  const { session, agent, awaited, permissionMode, inboxToggle } = props;
  return (
    <header className="head">
      <h1 className="head-title">
        <span
          className="dot"
          data-status={toSessionMark(session.status, awaited).dot}
          aria-hidden
        />
        <span className="head-name">
          <BriefText text={session.title === "" ? "New session" : session.title} />
        </span>
      </h1>
      <span className="tag head-agent">
        <VisibleText text={agent === undefined ? session.agent : toAgentName(agent)} />
      </span>
      <span className="tag head-cwd mono" title={toVisibleString(session.cwd)}>
        <bdi>
          <BriefText text={session.cwd} exact />
        </bdi>
      </span>
      <span className="space" />
      {agent !== undefined && (
        <ModeSelect sessionId={session.sessionId} agent={agent} mode={permissionMode} />
      )}
      {inboxToggle}
    </header>
  );
}

/** Changes the permission mode: what the agent may do without asking. Also while it runs. */
function ModeSelect({
  sessionId,
  agent,
  mode,
}: {
  readonly sessionId: string;
  readonly agent: AgentInfo;
  readonly mode: string;
}): ReactNode {
  const transport = useTransport();
  const [wanted, setWanted] = useState<string>();
  const [trouble, setTrouble] = useState<string>();
  if (wanted === mode) setWanted(undefined);

  const change = async (next: string): Promise<void> => {
    setWanted(next);
    setTrouble(undefined);
    try {
      await transport.updateSession(sessionId, { permissionMode: next });
    } catch (error: unknown) {
      setWanted(undefined);
      setTrouble(toCallTroubleWords(error).title);
    }
  };
  const known = agent.permissionModes.some((info) => info.mode === mode);
  return (
    <span className="mode">
      <select
        aria-label="Permission mode"
        title={agent.permissionModes.find((info) => info.mode === mode)?.description}
        value={wanted ?? mode}
        aria-busy={wanted !== undefined}
        onChange={(event) => void change(event.target.value)}
      >
        {!known && <option value={mode}>{mode}</option>}
        {agent.permissionModes.map((info) => (
          <option key={info.mode} value={info.mode}>
            {info.label}
          </option>
        ))}
      </select>
      {trouble !== undefined && (
        <span className="mode-trouble" role="alert">
          Not changed: {trouble}
        </span>
      )}
    </span>
  );
}

/** Shows or hides the inbox, and says how much is in it. */
export function InboxToggle({
  count,
  open,
  onToggle,
}: {
  readonly count: number;
  readonly open: boolean;
  readonly onToggle: () => void;
}): ReactNode {
  return (
    <button type="button" className="inbox-toggle" aria-pressed={open} onClick={onToggle}>
      <Inbox aria-hidden />
      <span className="hp-visually-hidden">Inbox, {count} waiting</span>
      {count > 0 && (
        <span className="count" aria-hidden>
          {count}
        </span>
      )}
    </button>
  );
}
