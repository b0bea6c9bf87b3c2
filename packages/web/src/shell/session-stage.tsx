import type { AgentInfo, Session } from "@holdpoint/protocol";
import {
  Conversation,
  useAgents,
  useRole,
  useSession,
  VisibleText,
  type ConversationHandle,
} from "@holdpoint/react";
import { useEffect, type ReactNode, type RefCallback, type RefObject } from "react";

import { toSessionAgentName } from "../sessions/agent-name.ts";
import { useWords } from "../words/use-words.ts";
import { PAGES } from "./pages-seam.ts";
import { SessionHeader } from "./session-header.tsx";

export interface SessionStageProps {
  readonly sessionId: string;
  readonly session: Session | undefined;
  /** The session has a pending interaction. */
  readonly awaited: boolean;
  /** The person has just started it without a message, so the composer takes the focus. */
  readonly started: boolean;
  readonly inboxToggle: ReactNode;
  readonly conversation: RefObject<ConversationHandle | null>;
  readonly onConversation: RefCallback<ConversationHandle>;
}

/** The chosen session: its header and its conversation. */
export function SessionStage(props: SessionStageProps): ReactNode {
  const { sessionId, session, awaited, started, inboxToggle, conversation, onConversation } = props;
  const { agents } = useAgents();
  const { view } = useSession(sessionId);
  const role = useRole();
  const agent = agents?.find((one) => one.agent === session?.agent);
  // Not on a touch screen, where the keyboard would cover the page.
  useEffect(() => {
    if (started && matchMedia("(pointer: fine)").matches) conversation.current?.focusComposer();
  }, [started, conversation]);
  const prompts = agent?.suggestedPrompts ?? [];
  // The list has all agents that can be started here.
  const isElsewhere = agents !== undefined && session !== undefined && agent === undefined;
  return (
    <>
      {session === undefined ? (
        // A placeholder, so that the content before the list of sessions does not move.
        <header className="head" />
      ) : (
        <SessionHeader
          session={session}
          agent={agent}
          awaited={awaited}
          mayChange={role !== "viewer"}
          permissionMode={view.permissionMode ?? session.permissionMode}
          limitedMode={(view.permissionMode === undefined ? session : view).limitedMode}
          inboxToggle={
            <>
              {view.items.length > 0 && <PAGES.Part of="FindControl" conversation={conversation} />}
              {inboxToggle}
            </>
          }
        />
      )}
      <Conversation
        ref={onConversation}
        sessionId={sessionId}
        suggestedPrompts={prompts}
        takesMessages={!isElsewhere}
        takesAttachments={agent?.takesAttachments}
        heading={
          session !== undefined && (
            <Heading session={session} agent={agent} isElsewhere={isElsewhere} />
          )
        }
      />
    </>
  );
}

interface HeadingProps {
  readonly session: Session;
  readonly agent: AgentInfo | undefined;
  readonly isElsewhere: boolean;
}

/** Shown above an empty conversation. */
function Heading({ session, agent, isElsewhere }: HeadingProps): ReactNode {
  const say = useWords();
  const hasPrompts = (agent?.suggestedPrompts ?? []).length > 0;
  const text = isElsewhere
    ? "The agent works in {folder}."
    : hasPrompts
      ? "The agent works in {folder}. Tell it what to do, or start with one of these."
      : "The agent works in {folder}. Tell it what to do.";
  return (
    <header>
      <p className="hp-empty-title">
        <VisibleText text={toSessionAgentName(session.agent, agent, say)} />
      </p>
      <p className="quiet">{say.rich(text, { folder: <code>{session.cwd}</code> })}</p>
    </header>
  );
}
