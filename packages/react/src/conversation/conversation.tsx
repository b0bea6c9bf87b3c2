import type { Connection, SessionView } from "@holdpoint/client";
import type { Attachment, QueuedMessage } from "@holdpoint/protocol";
import {
  useCallback,
  useEffect,
  useId,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
  type ReactNode,
  type Ref,
  type RefObject,
} from "react";

import { attachmentsKey, parseAttachments, toAttachmentsText } from "../hooks/draft-attachments.ts";
import { toCallTroubleWords } from "../hooks/trouble-words.ts";
import { useDraft } from "../hooks/use-draft.ts";
import { useInteractionMode } from "../hooks/use-interaction-mode.ts";
import { useRole } from "../hooks/use-role.ts";
import { useSession } from "../hooks/use-session.ts";
import { Button } from "../parts/button.tsx";
import { keepFromForeignChanges } from "../parts/foreign-nodes.ts";
import { useMarkdownReady } from "../parts/markdown.tsx";
import { useWords } from "../words/use-words.ts";
import { toComposerHint, toComposerMode } from "./composer-mode.ts";
import { Composer } from "./composer.tsx";
import { CONVERSATION, preloadConversation } from "./conversation-seam.ts";
import { SessionIdContext } from "./session-id-context.ts";
import { StatusLine } from "./status-line.tsx";
import { Transcript, type EarlierPages, type TranscriptHandle } from "./transcript.tsx";
import { useSendMessage, type MessageSender } from "./use-send-message.ts";

export interface ConversationProps {
  readonly sessionId: string;
  /** Shown above the suggested prompts while the session is empty. */
  readonly heading?: ReactNode;
  /** Suggestions for the first message, such as the agent's `suggestedPrompts`. */
  readonly suggestedPrompts?: readonly string[];
  /** False for an agent that was started elsewhere: it has no message field and no stop button. Default: true. */
  readonly takesMessages?: boolean;
  /** Whether the agent takes images and files (`takesAttachments`). Default: false. */
  readonly takesAttachments?: boolean | undefined;
  readonly ref?: Ref<ConversationHandle>;
}

export interface ConversationHandle {
  /** Moves the focus to the next or previous pending card. Returns false if there is none. */
  focusWaiting(direction: 1 | -1): boolean;
  focusComposer(): void;
  /** Opens the search field of the conversation. */
  find(): void;
}

/**
 * A whole session: its messages and tool calls, the cards of its interactions, and a message field. Fills its parent's
 * height. Needs a `HoldpointProvider` and the styles `embed.css`.
 */
export function Conversation({ sessionId, ...rest }: ConversationProps): ReactNode {
  // Keyed by session, so that input and state do not carry over to another one.
  return <KeyedConversation key={sessionId} sessionId={sessionId} {...rest} />;
}

function KeyedConversation(props: ConversationProps): ReactNode {
  const {
    sessionId,
    heading,
    suggestedPrompts = [],
    takesMessages = true,
    takesAttachments = false,
    ref,
  } = props;
  const session = useSession(sessionId);
  const say = useWords();
  const { view, loaded, connection, error } = session;
  const { isReady, shown } = useShownView(view);
  const sender = useSendMessage(sessionId);
  const earlier = useLoadEarlier(session.loadEarlier);
  const transcript = useRef<TranscriptHandle>(null);
  const input = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(ref, () => ({
    focusWaiting: (direction) => transcript.current?.focusWaiting(direction) ?? false,
    focusComposer: () => input.current?.focus(),
    find: () => transcript.current?.find(),
  }));

  // A deleted session is gone, even on a page that shows it.
  if (error !== undefined && (!loaded || error.code === "NOT_FOUND")) {
    const onRetry = error.code === "NOT_FOUND" ? undefined : session.refresh;
    return <Unavailable error={error} onRetry={onRetry} />;
  }
  const empty = loaded && view.items.length === 0 && view.queue.length === 0;
  return (
    <section {...FRAME} aria-label={say("Session")} aria-busy={!loaded || !isReady}>
      {empty ? (
        <div className="hp-empty">
          {heading}
          <CONVERSATION.Part
            of="SuggestedPrompts"
            prompts={suggestedPrompts}
            blocked={sender.sending}
            onPick={(prompt) => void sender.send(prompt)}
          />
        </div>
      ) : (
        <SessionIdContext value={sessionId}>
          <Transcript ref={transcript} view={shown} earlier={earlier} />
        </SessionIdContext>
      )}
      <Dock
        sessionId={sessionId}
        view={view}
        offline={isAway(connection)}
        takesMessages={takesMessages}
        sender={sender}
        takesAttachments={takesAttachments}
        inputRef={input}
        onSent={() => transcript.current?.scrollToEnd()}
      />
    </section>
  );
}

/** Commands must not be translated. If a browser translates them anyway, React must not break. */
const FRAME = {
  ref: keepFromForeignChanges,
  className: "hp-conversation",
  translate: "no",
} as const;

function isAway(connection: Connection): boolean {
  return connection === "offline" || connection === "held_back";
}

const NOTHING_YET = { items: [], hasEarlier: false } as const;

/** Draws nothing until rows have their final height. Also loads the code that the rows need. */
function useShownView(view: SessionView): {
  readonly isReady: boolean;
  readonly shown: SessionView;
} {
  const isReady = useMarkdownReady();
  useEffect(() => {
    void preloadConversation();
  }, []);
  const shown = useMemo(() => (isReady ? view : { ...view, ...NOTHING_YET }), [isReady, view]);
  return { isReady, shown };
}

interface DockProps {
  readonly sessionId: string;
  readonly view: SessionView;
  readonly offline: boolean;
  readonly takesMessages: boolean;
  readonly sender: MessageSender;
  readonly takesAttachments: boolean;
  readonly inputRef: RefObject<HTMLTextAreaElement | null>;
  readonly onSent: () => void;
}

/** The area below the transcript: the status, the queued messages, and the message field. */
function Dock(props: DockProps): ReactNode {
  const { sessionId, view, offline, takesMessages, sender, takesAttachments, inputRef, onSent } =
    props;
  const { enabled } = useInteractionMode();
  const [text, setText] = useDraft(`message:${sessionId}`);
  const hintId = useId();
  const [attachments, setAttachments] = useAttachmentsDraft(sessionId);
  // An answer cannot have files.
  const mode = toComposerMode(view, enabled && attachments.length === 0);
  const say = useWords();
  const isViewer = useRole() === "viewer";
  if (!takesMessages || isViewer) {
    return (
      <div className="hp-dock">
        <CONVERSATION.Trouble />
        <StatusLine view={view} offline={offline} hint={undefined} hintId={hintId} />
        <p className="hp-elsewhere">
          {isViewer
            ? say("View only: you cannot send messages.")
            : say("This agent runs elsewhere: answer requests here, send messages there.")}
        </p>
      </div>
    );
  }
  const hint = text.trim() === "" && attachments.length === 0 ? undefined : toComposerHint(mode);
  const edit = ({ content, attachments: carried = [] }: QueuedMessage): void => {
    setText(text.trim() === "" ? content : `${text}\n${content}`);
    setAttachments([...attachments, ...carried]);
    inputRef.current?.focus();
  };
  return (
    <div className="hp-dock">
      <CONVERSATION.Trouble />
      <StatusLine view={view} offline={offline} hint={hint && say(hint)} hintId={hintId} />
      <LimitedMode {...{ sessionId, view }} />
      <CONVERSATION.Part
        of="QueuedMessages"
        sessionId={sessionId}
        queue={view.queue}
        onEdit={edit}
      />
      <Composer
        sessionId={sessionId}
        view={view}
        mode={mode}
        text={text}
        onText={setText}
        attachments={attachments}
        takesAttachments={takesAttachments}
        sender={sender}
        onSent={() => {
          setAttachments([]);
          onSent();
        }}
        hintId={hintId}
        inputRef={inputRef}
      />
    </div>
  );
}

function LimitedMode({ sessionId, view }: Pick<DockProps, "sessionId" | "view">): ReactNode {
  const { limitedMode, permissionMode } = view;
  if (limitedMode === undefined || permissionMode !== limitedMode.mode) return null;
  return <CONVERSATION.Part of="LimitedModeBar" {...{ sessionId, limitedMode }} />;
}

function useAttachmentsDraft(
  sessionId: string,
): readonly [readonly Attachment[], (attachments: readonly Attachment[]) => void] {
  const [text, setText] = useDraft(attachmentsKey(sessionId));
  const attachments = useMemo(() => parseAttachments(text), [text]);
  return [attachments, (next) => setText(toAttachmentsText(next))];
}

function Unavailable({
  error,
  onRetry,
}: {
  readonly error: Error;
  /** Absent if there is no such session: retrying would not help. */
  readonly onRetry: (() => void) | undefined;
}): ReactNode {
  const say = useWords();
  const { title, wayOut } =
    onRetry === undefined
      ? {
          title: say("This session doesn't exist"),
          wayOut: say("It was deleted, isn't yours, or the link is wrong."),
        }
      : toCallTroubleWords(error, say.language);
  return (
    <section className="hp-conversation" aria-label={say("Session")}>
      <div className="hp-empty" role="alert">
        <p className="hp-empty-title">{title}</p>
        <p>{wayOut}</p>
        {onRetry !== undefined && (
          <div>
            <Button onClick={onRetry}>{say("Try again")}</Button>
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
