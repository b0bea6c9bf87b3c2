import type { SessionView } from "@holdpoint/client";
import { ArrowUp, CornerDownLeft, Square } from "lucide-react";
import { useLayoutEffect, useRef, type KeyboardEvent, type ReactNode, type RefObject } from "react";

import { isComposing } from "../cards/keyboard.ts";
import type { TroubleWords } from "../hooks/trouble-words.ts";
import { useStopTurn } from "../hooks/use-stop-turn.ts";
import { Button } from "../parts/button.tsx";
import { isBusy, type ComposerMode } from "./composer-mode.ts";
import { useComposerAnswer } from "./use-composer-answer.ts";
import type { MessageSender } from "./use-send-message.ts";

interface ComposerProps {
  readonly sessionId: string;
  readonly view: SessionView;
  readonly mode: ComposerMode;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly sender: MessageSender;
  /** Called when the gateway has taken what was typed. */
  readonly onSent: () => void;
  /** Of the element that says what sending does. */
  readonly hintId: string;
  readonly inputRef: RefObject<HTMLTextAreaElement | null>;
}

/** Where the person types. What was typed is kept until the gateway has taken it. */
export function Composer(props: ComposerProps): ReactNode {
  const { sessionId, view, mode, text, onText, sender, onSent, hintId, inputRef } = props;
  const firstChoice = useRef<HTMLButtonElement>(null);
  const answer = useComposerAnswer(mode);
  const running = isBusy(view);
  const stop = useStopTurn(sessionId, view.turnId);
  const empty = text.trim() === "";
  const busy = sender.sending || answer.sending;
  const trouble = answer.trouble ?? sender.toTrouble(text) ?? stop.trouble;
  useGrowingHeight(inputRef, text);

  const finish = (): void => {
    onText("");
    onSent();
  };
  const sendMessage = async (): Promise<void> => {
    if (!empty && (await sender.send(text)) !== undefined) finish();
  };
  const sendAnswer = async (): Promise<void> => {
    if (!empty && (await answer.reply(text))) finish();
  };
  const dismissAndSend = async (): Promise<void> => {
    if (!empty && (await answer.dismiss())) await sendMessage();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.shiftKey || isComposing(event)) return;
    event.preventDefault();
    if (busy || empty) return;
    if (mode.type === "choose") firstChoice.current?.focus();
    else void sendMessage();
  };
  return (
    <div className="hp-composer" data-mode={mode.type}>
      {trouble !== undefined && <SendTrouble trouble={trouble} />}
      <div className="hp-composer-box">
        <textarea
          ref={inputRef}
          className="hp-composer-input"
          rows={1}
          value={text}
          readOnly={busy}
          placeholder={toPlaceholder(mode)}
          aria-label="Message"
          aria-describedby={hintId}
          onChange={(event) => onText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <div className="hp-composer-actions">
          {mode.type === "choose" && !empty ? (
            <fieldset className="hp-composer-choice" aria-label="How to send">
              <Button blocked={busy} onClick={() => void dismissAndSend()}>
                Dismiss and send
              </Button>
              <Button
                ref={firstChoice}
                tone="primary"
                icon={<CornerDownLeft aria-hidden />}
                blocked={busy}
                onClick={() => void sendAnswer()}
              >
                Send as answer
              </Button>
            </fieldset>
          ) : (
            <Button
              tone="primary"
              iconOnly
              className="hp-composer-send"
              title={mode.type === "queue" ? "Queue (Enter)" : "Send (Enter)"}
              icon={<ArrowUp aria-hidden />}
              blocked={empty || busy}
              onClick={() => void sendMessage()}
            >
              {mode.type === "queue" ? "Queue" : "Send"}
            </Button>
          )}
          {running && (
            <Button
              className="hp-composer-stop"
              icon={<Square aria-hidden />}
              blocked={stop.stopping}
              onClick={() => void stop.stop()}
            >
              {stop.stopping ? "Stopping…" : "Stop"}
            </Button>
          )}
        </div>
      </div>
    </div>
  );
}

function SendTrouble({ trouble }: { readonly trouble: TroubleWords }): ReactNode {
  return (
    <p className="hp-composer-trouble" role="alert">
      <strong>{trouble.title}.</strong> {trouble.wayOut} What you typed is kept.
    </p>
  );
}

function toPlaceholder(mode: ComposerMode): string {
  switch (mode.type) {
    case "send":
      return "Message…";
    case "queue":
      return "Queue a message…";
    case "choose":
      return "Message or answer…";
  }
}

/** Where the browser does not size the field by its content, this does. */
function useGrowingHeight(ref: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    const input = ref.current;
    if (input === null || globalThis.CSS?.supports?.("field-sizing", "content")) return;
    input.style.height = "auto";
    input.style.height = `${input.scrollHeight}px`;
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the text decides the height
  }, [ref, text]);
}
