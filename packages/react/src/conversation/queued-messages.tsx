import { ProtocolError, type QueuedMessage } from "@holdpoint/protocol";
import { Clock, Pencil, X } from "lucide-react";
import { useState, type ReactNode } from "react";

import { toCallTroubleWords } from "../hooks/trouble-words.ts";
import { useTransport } from "../hooks/use-transport.ts";
import { Button } from "../parts/button.tsx";
import { VisibleText } from "../parts/visible-text.tsx";

interface QueuedMessagesProps {
  readonly sessionId: string;
  readonly queue: readonly QueuedMessage[];
  /** Takes the text of a message that the person wants to change. */
  readonly onEdit: (text: string) => void;
}

/** Messages that wait for the running turn to end, in the order in which they will be sent. */
export function QueuedMessages({ sessionId, queue, onEdit }: QueuedMessagesProps): ReactNode {
  const transport = useTransport();
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
        started ? "That message was sent to the agent already." : toCallTroubleWords(error).title,
      );
      return false;
    }
  };
  const edit = async (message: QueuedMessage): Promise<void> => {
    if (await remove(message)) onEdit(message.content);
  };
  return (
    <section className="hp-queue" aria-label="Queued messages">
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
  const { content, origin } = message;
  return (
    <li className="hp-queued">
      <Clock aria-hidden />
      <span className="hp-queued-text">
        <span className="hp-visually-hidden">Queued: </span>
        <VisibleText text={content} short />
      </span>
      {origin === "late_response" && <span className="hp-queued-origin">your answer</span>}
      {origin === "person" && (
        <Button tone="quiet" iconOnly title="Edit" icon={<Pencil aria-hidden />} onClick={onEdit}>
          Edit this queued message
        </Button>
      )}
      {/* An answer cannot be taken back: it reaches the agent in any case. */}
      {origin !== "late_response" && (
        <Button tone="quiet" iconOnly title="Remove" icon={<X aria-hidden />} onClick={onRemove}>
          Remove this queued message
        </Button>
      )}
    </li>
  );
}
