import type { SessionView } from "@holdpoint/client";
import type { Attachment } from "@holdpoint/protocol";
import { ArrowUp, CornerDownLeft, Square } from "lucide-react";
import {
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from "react";

import { isComposing } from "../cards/shared/keyboard.ts";
import type { TroubleWords } from "../hooks/trouble-words.ts";
import { useStopTurn } from "../hooks/use-stop-turn.ts";
import { Button } from "../parts/button.tsx";
import { useWords, type Words } from "../words/use-words.ts";
import type { AssistKeys } from "./composer-assist.tsx";
import { ComposerAttachments } from "./composer-attachments.tsx";
import { isBusy, type ComposerMode } from "./composer-mode.ts";
import { CONVERSATION } from "./conversation-seam.ts";
import { useComposerAnswer } from "./use-composer-answer.ts";
import type { MessageSender } from "./use-send-message.ts";

interface ComposerProps {
  readonly sessionId: string;
  readonly view: SessionView;
  readonly mode: ComposerMode;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** The files of the message. */
  readonly attachments: readonly Attachment[];
  readonly takesAttachments: boolean;
  readonly sender: MessageSender;
  /** Called when the gateway has the text and the files. */
  readonly onSent: () => void;
  /** The id of the element that explains the effect of sending. */
  readonly hintId: string;
  readonly inputRef: RefObject<HTMLTextAreaElement | null>;
}

/** The field for messages. The text is kept until the gateway has it. */
export function Composer(props: ComposerProps): ReactNode {
  const { sessionId, view, mode, text, onText, attachments, sender, hintId, inputRef } = props;
  const [uploading, setUploading] = useState(false);
  const firstChoice = useRef<HTMLButtonElement>(null);
  const assist = useRef<AssistKeys>(null);
  const ways = useWaysToSend(props, uploading);
  const say = useWords();
  const stop = useStopTurn(sessionId, view.turnId);
  const trouble = ways.trouble ?? sender.toTrouble(text, idsOf(attachments)) ?? stop.trouble;
  useGrowingHeight(inputRef, text);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (assist.current?.(event)) return;
    if (event.key !== "Enter" || event.shiftKey || isComposing(event)) return;
    event.preventDefault();
    if (ways.busy || ways.empty) return;
    if (mode.type === "choose") firstChoice.current?.focus();
    else void ways.send();
  };
  const field = { text, onText, inputRef };
  return (
    <div className="hp-composer" data-mode={mode.type}>
      {trouble !== undefined && <SendTrouble trouble={trouble} />}
      {mayAssist(text) && (
        <CONVERSATION.Part of="ComposerAssist" ref={assist} place={{ sessionId }} {...field} />
      )}
      <div className="hp-composer-box">
        <ComposerAttachments {...props} blocked={ways.busy} onOpen={setUploading} />
        <textarea
          ref={inputRef}
          className="hp-composer-input"
          rows={text.split("\n").length}
          value={text}
          readOnly={ways.busy}
          placeholder={say(PLACEHOLDERS[mode.type])}
          aria-label={say("Message")}
          aria-describedby={hintId}
          onChange={(event) => onText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <div className="hp-composer-actions">
          {mode.type === "choose" && !ways.empty ? (
            <AnswerOrSend ways={ways} firstChoice={firstChoice} />
          ) : (
            <SendButton ways={ways} queues={mode.type === "queue"} />
          )}
          {isBusy(view) && (
            <Button
              className="hp-composer-stop"
              icon={<Square aria-hidden />}
              blocked={stop.stopping}
              onClick={() => void stop.stop()}
            >
              {say(stop.stopping ? "Stopping…" : "Stop")}
            </Button>
          )}
        </div>
      </div>
    </div>
  );
}

/** Whether a message may contain a command or a file to suggest. */
export function mayAssist(text: string): boolean {
  return /^\/|@/u.test(text);
}

const PLACEHOLDERS: Readonly<Record<ComposerMode["type"], Words>> = {
  send: "Message…",
  queue: "Queue a message…",
  choose: "Message or answer…",
};

/** The actions for the text. Each empties the field once the gateway has the text. */
interface WaysToSend {
  readonly busy: boolean;
  /** There is nothing to send, or some files are still being uploaded. */
  readonly empty: boolean;
  readonly trouble: TroubleWords | undefined;
  readonly send: () => Promise<void>;
  readonly answer: () => Promise<void>;
  /** Skips the question, then sends the text as a message. */
  readonly dismissAndSend: () => Promise<void>;
}

function useWaysToSend(props: ComposerProps, uploading: boolean): WaysToSend {
  const { mode, text, attachments, sender, onText, onSent } = props;
  const answer = useComposerAnswer(mode);
  const empty = uploading || (text.trim() === "" && attachments.length === 0);
  const finish = (): void => {
    onText("");
    onSent();
  };
  const send = async (): Promise<void> => {
    if (!empty && (await sender.send(text, idsOf(attachments))) !== undefined) finish();
  };
  return {
    busy: sender.sending || answer.sending,
    empty,
    trouble: answer.trouble,
    send,
    async answer() {
      if (!empty && (await answer.reply(text))) finish();
    },
    async dismissAndSend() {
      if (!empty && (await answer.dismiss())) await send();
    },
  };
}

function idsOf(attachments: readonly Attachment[]): string[] {
  return attachments.map(({ attachmentId }) => attachmentId);
}

interface AnswerOrSendProps {
  readonly ways: WaysToSend;
  readonly firstChoice: RefObject<HTMLButtonElement | null>;
}

function AnswerOrSend({ ways, firstChoice }: AnswerOrSendProps): ReactNode {
  const say = useWords();
  return (
    <fieldset className="hp-composer-choice" aria-label={say("How to send")}>
      <Button blocked={ways.busy} onKeyDown={pressOnce} onClick={() => void ways.dismissAndSend()}>
        {say("Skip and send")}
      </Button>
      <Button
        ref={firstChoice}
        tone="primary"
        icon={<CornerDownLeft aria-hidden />}
        blocked={ways.busy}
        onKeyDown={pressOnce}
        onClick={() => void ways.answer()}
      >
        {say("Send as answer")}
      </Button>
    </fieldset>
  );
}

/** Prevents a held-down key that moved the focus here from sending anything. */
function pressOnce(event: KeyboardEvent): void {
  if (event.repeat) event.preventDefault();
}

interface SendButtonProps {
  readonly ways: WaysToSend;
  readonly queues: boolean;
}

function SendButton({ ways, queues }: SendButtonProps): ReactNode {
  const say = useWords();
  return (
    <Button
      tone="primary"
      iconOnly
      className="hp-composer-send"
      title={say(queues ? "Queue (Enter)" : "Send (Enter)")}
      icon={<ArrowUp aria-hidden />}
      blocked={ways.empty || ways.busy}
      onClick={() => void ways.send()}
    >
      {say(queues ? "Queue" : "Send")}
    </Button>
  );
}

function SendTrouble({ trouble }: { readonly trouble: TroubleWords }): ReactNode {
  const say = useWords();
  return (
    <p className="hp-composer-trouble" role="alert">
      <strong>{trouble.title}.</strong> {trouble.wayOut} {say("Your text is kept.")}
    </p>
  );
}

/** Resizes the field in browsers that do not size it by its content. */
function useGrowingHeight(ref: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    const input = ref.current;
    if (input === null || globalThis.CSS?.supports?.("field-sizing", "content")) return;
    input.style.height = "auto";
    input.style.height = `${input.scrollHeight}px`;
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the text decides the height
  }, [ref, text]);
}
