import type { Session } from "@holdpoint/protocol";
import { toCallTroubleWords, useTransport } from "@holdpoint/react";
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from "react";

interface RenameFieldProps {
  readonly session: Session;
  readonly onClose: () => void;
}

/** Renames in place: Enter or leaving the field saves, Escape does not. */
export function RenameField({ session, onClose }: RenameFieldProps): ReactNode {
  const transport = useTransport();
  const [title, setTitle] = useState(session.title);
  const [trouble, setTrouble] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const closed = useRef(false);
  useEffect(() => input.current?.select(), []);

  const close = (): void => {
    closed.current = true;
    onClose();
  };
  const save = async (): Promise<void> => {
    const next = title.trim();
    if (closed.current) return;
    if (next === "" || next === session.title) {
      close();
      return;
    }
    try {
      await transport.updateSession(session.sessionId, { title: next });
      close();
    } catch (error: unknown) {
      setTrouble(toCallTroubleWords(error).title);
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape") close();
    if (event.key === "Enter" && !event.nativeEvent.isComposing) void save();
  };
  return (
    <span className="rename">
      <input
        ref={input}
        value={title}
        maxLength={200}
        aria-label="Name of the session"
        aria-invalid={trouble !== undefined}
        onChange={(event) => setTitle(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => void save()}
      />
      {trouble !== undefined && <span role="alert">{trouble}</span>}
    </span>
  );
}
