import type { Session } from "@holdpoint/protocol";
import {
  Conversation,
  useAgents,
  useSession,
  VisibleText,
  type ConversationHandle,
} from "@holdpoint/react";
import { lazy, Suspense, useEffect, type ReactNode, type RefCallback, type RefObject } from "react";

import { toAgentName } from "../sessions/agent-name.ts";
import { SessionHeader } from "../sessions/session-header.tsx";

const FindControl = lazy(async () => ({
  default: (await import("./find-control.tsx")).FindControl,
}));

export interface SessionStageProps {
  readonly sessionId: string;
  readonly session: Session | undefined;
  /** It has a pending interaction. */
  readonly awaited: boolean;
  /** The person has just started it, empty: the composer takes the focus. */
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
  const agent = agents?.find((one) => one.agent === session?.agent);
  // Not on a touch screen: the keyboard would cover the page.
  useEffect(() => {
    if (started && matchMedia("(pointer: fine)").matches) conversation.current?.focusComposer();
  }, [started, conversation]);
  const prompts = agent?.suggestedPrompts ?? [];
  return (
    <>
      {session !== undefined && (
        <SessionHeader
          session={session}
          agent={agent}
          awaited={awaited}
          permissionMode={view.permissionMode ?? session.permissionMode}
          limitedMode={(view.permissionMode === undefined ? session : view).limitedMode}
          inboxToggle={
            <>
              {view.items.length > 0 && (
                <Suspense>
                  <FindControl conversation={conversation} />
                </Suspense>
              )}
              {inboxToggle}
            </>
          }
        />
      )}
      <Conversation
        ref={onConversation}
        sessionId={sessionId}
        suggestedPrompts={prompts}
        heading={
          session !== undefined && (
            <header>
              <p className="hp-empty-title">
                {agent === undefined ? session.agent : <VisibleText text={toAgentName(agent)} />}
              </p>
              <p className="quiet">
                Works in <code>{session.cwd}</code>. Say what should be done
                {prompts.length > 0 && ", or begin with one of these"}.
              </p>
            </header>
          )
        }
      />
    </>
  );
}
