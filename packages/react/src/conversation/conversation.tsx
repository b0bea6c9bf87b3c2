import type { SessionView } from "@holdpoint/client";
import {
  useCallback,
  useEffect,
  useId,
  useImperativeHandle,
  useRef,
  useState,
  type ReactNode,
  type Ref,
  type RefObject,
} from "react";

import { preloadCards } from "../cards/lazy-cards.tsx";
import { toCallTroubleWords } from "../hooks/trouble-words.ts";
import { useDraft } from "../hooks/use-draft.ts";
import { useInteractionMode } from "../hooks/use-interaction-mode.ts";
import { useSession } from "../hooks/use-session.ts";
import { Button } from "../parts/button.tsx";
import { createLazyPart } from "../parts/lazy-part.tsx";
import { preloadMarkdown } from "../parts/markdown.tsx";
import { toComposerHint, toComposerMode } from "./composer-mode.ts";
import { Composer } from "./composer.tsx";
import { StatusLine } from "./status-line.tsx";
import { preloadToolDetail } from "./tool-block.tsx";
import { Transcript, type EarlierPages, type TranscriptHandle } from "./transcript.tsx";
import { useSendMessage, type MessageSender } from "./use-send-message.ts";

const QUEUE = createLazyPart(
  "The queue",
  async () => (await import("./queued-messages.tsx")).QueuedMessages,
);

const LIMITED_MODE = createLazyPart(
  "How long the agent runs everything without asking",
  async () => (await import("./limited-mode-bar.tsx")).LimitedModeBar,
);

const PROMPTS = createLazyPart(
  "The suggestions",
  async () => (await import("./suggested-prompts.tsx")).SuggestedPrompts,
);

export interface ConversationProps {
  readonly sessionId: string;
  /** Shown above the suggested prompts while nothing has been said. */
  readonly heading?: ReactNode;
  /** Messages to begin with, such as the agent's `suggestedPrompts`. */
  readonly suggestedPrompts?: readonly string[];
  readonly ref?: Ref<ConversationHandle>;
}

export interface ConversationHandle {
  /** Moves focus to the next or previous waiting card; false when none waits here. */
  focusWaiting(direction: 1 | -1): boolean;
  focusComposer(): void;
  /** Opens the field that finds text in the conversation. */
  find(): void;
}

/**
 * A whole session: its messages and tool calls, the cards of its interactions, and a field to type in. Fills its
 * parent's height. Needs a `HoldpointProvider` and the styles `embed.css`.
 */
export function Conversation({ sessionId, ...rest }: ConversationProps): ReactNode {
  // Another session is another conversation: its input and state must not carry over.
  return <KeyedConversation key={sessionId} sessionId={sessionId} {...rest} />;
}

function KeyedConversation(props: ConversationProps): ReactNode {
  const { sessionId, heading, suggestedPrompts = [], ref } = props;
  const session = useSession(sessionId);
  const { view, loaded, connection, error } = session;
  const sender = useSendMessage(sessionId);
  const earlier = useLoadEarlier(session.loadEarlier);
  const transcript = useRef<TranscriptHandle>(null);
  const input = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    preloadMarkdown();
    void preloadCards();
    preloadToolDetail();
  }, []);
  useImperativeHandle(ref, () => ({
    focusWaiting: (direction) => transcript.current?.focusWaiting(direction) ?? false,
    focusComposer: () => input.current?.focus(),
    find: () => transcript.current?.find(),
  }));

  // A deleted session is gone, also on a page that shows it.
  if (error !== undefined && (!loaded || error.code === "NOT_FOUND")) {
    const onRetry = error.code === "NOT_FOUND" ? undefined : session.refresh;
    return <Unavailable error={error} onRetry={onRetry} />;
  }
  const empty = loaded && view.items.length === 0 && view.queue.length === 0;
  return (
    <section className="hp-conversation" aria-label="Session" aria-busy={!loaded}>
      {empty ? (
        <div className="hp-empty">
          {heading}
          <PROMPTS.Part
            prompts={suggestedPrompts}
            blocked={sender.sending}
            onPick={(prompt) => void sender.send(prompt)}
          />
        </div>
      ) : (
        <Transcript ref={transcript} view={view} earlier={earlier} />
      )}
      <Dock
        sessionId={sessionId}
        view={view}
        offline={connection === "offline"}
        sender={sender}
        inputRef={input}
        onSent={() => transcript.current?.scrollToEnd()}
      />
    </section>
  );
}

interface DockProps {
  readonly sessionId: string;
  readonly view: SessionView;
  readonly offline: boolean;
  readonly sender: MessageSender;
  readonly inputRef: RefObject<HTMLTextAreaElement | null>;
  readonly onSent: () => void;
}

/** Below the transcript: what the session does now, the queued messages, and the field to type in. */
function Dock({ sessionId, view, offline, sender, inputRef, onSent }: DockProps): ReactNode {
  const { enabled } = useInteractionMode();
  const [text, setText] = useDraft(`message:${sessionId}`);
  const hintId = useId();
  const mode = toComposerMode(view, enabled);
  const edit = (queued: string): void => {
    setText(text.trim() === "" ? queued : `${text}\n${queued}`);
    inputRef.current?.focus();
  };
  return (
    <div className="hp-dock">
      <StatusLine
        view={view}
        offline={offline}
        hint={text.trim() === "" ? undefined : toComposerHint(mode)}
        hintId={hintId}
      />
      {view.limitedMode !== undefined && view.permissionMode === view.limitedMode.mode && (
        <LIMITED_MODE.Part sessionId={sessionId} limitedMode={view.limitedMode} />
      )}
      <QUEUE.Part sessionId={sessionId} queue={view.queue} onEdit={edit} />
      <Composer
        sessionId={sessionId}
        view={view}
        mode={mode}
        text={text}
        onText={setText}
        sender={sender}
        onSent={onSent}
        hintId={hintId}
        inputRef={inputRef}
      />
    </div>
  );
}

function Unavailable({
  error,
  onRetry,
}: {
  readonly error: Error;
  /** Absent where another attempt would give the same result. */
  readonly onRetry: (() => void) | undefined;
}): ReactNode {
  const { title, wayOut } = toCallTroubleWords(error);
  return (
    <section className="hp-conversation" aria-label="Session">
      <div className="hp-empty" role="alert">
        <p className="hp-empty-title">{title}</p>
        <p>{wayOut}</p>
        {onRetry !== undefined && (
          <div>
            <Button onClick={onRetry}>Try again</Button>
          </div>
        )}
      </div>
    </section>
  );
}

function useLoadEarlier(loadEarlier: () => Promise<void>): EarlierPages {
  const [state, setState] = useState<EarlierPages["state"]>("ready");
  const load = useCallback(() => {
    setState("loading");
    loadEarlier().then(
      () => setState("ready"),
      () => setState("failed"),
    );
  }, [loadEarlier]);
  return { state, load };
}
