import { ProtocolError, type QueuedMessage } from "@holdpoint/protocol";
import { Clock, Paperclip, Pencil, X } from "lucide-react";
import { useState, type ReactNode } from "react";

import { toCallTroubleWords } from "../hooks/trouble-words.ts";
import { useTransport } from "../hooks/use-transport.ts";
import { Button } from "../parts/button.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { useWords } from "../words/use-words.ts";

interface QueuedMessagesProps {
  readonly sessionId: string;
  readonly queue: readonly QueuedMessage[];
  /** Receives the message that the person wants to edit. */
  readonly onEdit: (message: QueuedMessage) => void;
}

/** Messages that wait for the running turn to end, in the order in which they will be sent. */
export function QueuedMessages({ sessionId, queue, onEdit }: QueuedMessagesProps): ReactNode {
  const transport = useTransport();
  const say = useWords();
  const [trouble, setTrouble] = useState<string>();
  if (queue.length === 0) return null;

  const remove = async (message: QueuedMessage): Promise<boolean> => {
    setTrouble(undefined);
    try {
      await transport.removeQueuedMessage(sessionId, message.messageId);
      return true;
    } catch (error: unknown) {
      const started = ProtocolError.isInstance(error) && error.code === "NOT_FOUND";
      setTrouble(
        started
          ? say("That message was already sent to the agent.")
          : toCallTroubleWords(error, say.language).title,
      );
      return false;
    }
  };
  const edit = async (message: QueuedMessage): Promise<void> => {
    if (await remove(message)) onEdit(message);
  };
  return (
    <section className="hp-queue" aria-label={say("Queued messages")}>
      {trouble !== undefined && <p role="alert">{trouble}</p>}
      <ul>
        {queue.map((message) => (
          <QueuedEntry
            key={message.messageId}
            message={message}
            onEdit={() => void edit(message)}
            onRemove={() => void remove(message)}
          />
        ))}
      </ul>
    </section>
  );
}

interface QueuedEntryProps {
  readonly message: QueuedMessage;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function QueuedEntry({ message, onEdit, onRemove }: QueuedEntryProps): ReactNode {
  const { content, attachments = [], origin } = message;
  const names = attachments.map(({ name }) => name).join(", ");
  const say = useWords();
  return (
    <li className="hp-queued">
      <Clock aria-hidden />
      <span className="hp-queued-text">
        <span className="hp-visually-hidden">{say("Queued:")} </span>
        <VisibleText text={content} short />
        {names !== "" && (
          <span className="hp-queued-attachments">
            <Paperclip aria-hidden />
            <VisibleText text={names} short />
          </span>
        )}
      </span>
      {origin === "late_response" && <span className="hp-queued-origin">{say("your answer")}</span>}
      {origin === "person" && (
        <Button
          tone="quiet"
          iconOnly
          title={say("Edit")}
          icon={<Pencil aria-hidden />}
          onClick={onEdit}
        >
          {say("Edit this queued message")}
        </Button>
      )}
      {/* An answer cannot be removed from the queue: it reaches the agent in any case. */}
      {origin !== "late_response" && (
        <Button
          tone="quiet"
          iconOnly
          title={say("Remove")}
          icon={<X aria-hidden />}
          onClick={onRemove}
        >
          {say("Remove this queued message")}
        </Button>
      )}
    </li>
  );
}
