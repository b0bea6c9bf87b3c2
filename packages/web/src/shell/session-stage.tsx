import type { Session } from "@holdpoint/protocol";
import {
  Button,
  Conversation,
  useAgents,
  useSession,
  VisibleText,
  type ConversationHandle,
} from "@holdpoint/react";
import { Search } from "lucide-react";
import { useEffect, type ReactNode, type RefCallback, type RefObject } from "react";

import { toAgentName } from "../sessions/agent-name.ts";
import { SessionHeader } from "../sessions/session-header.tsx";

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
  useFindKey(conversation, view.items.length > 0);
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
                <Button
                  tone="quiet"
                  iconOnly
                  title="Find in this session (Ctrl+F)"
                  icon={<Search aria-hidden />}
                  onClick={() => conversation.current?.find()}
                >
                  Find in this session
                </Button>
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

/** Ctrl+F or ⌘F: the browser's own search sees only the rows that are drawn. Pressed again, it is the browser's. */
function useFindKey(conversation: SessionStageProps["conversation"], hasText: boolean): void {
  useEffect(() => {
    if (!hasText) return undefined;
    const onKeyDown = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event;
      const isKey = key.toLowerCase() === "f" && ctrlKey !== metaKey && !altKey && !shiftKey;
      if (!isKey || document.querySelector("dialog[open]") !== null) return;
      if (target instanceof Element && target.closest("[role=search]") !== null) return;
      event.preventDefault();
      conversation.current?.find();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [conversation, hasText]);
}
