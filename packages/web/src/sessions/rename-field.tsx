import { isComposing } from "@holdpoint/react";
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from "react";

import { useTrouble } from "../words/use-trouble.ts";

interface RenameFieldProps {
  readonly name: string;
  /** The field's name for screen readers. */
  readonly label: string;
  readonly maxLength: number;
  readonly save: (name: string) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Renames in place. Enter or leaving the field saves; Escape does not. */
export function RenameField(props: RenameFieldProps): ReactNode {
  const { name, label, maxLength, onClose } = props;
  const toTrouble = useTrouble();
  const [text, setText] = useState(name);
  const [trouble, setTrouble] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const closed = useRef(false);
  useEffect(() => input.current?.select(), []);

  const close = (): void => {
    closed.current = true;
    onClose();
  };
  const save = async (): Promise<void> => {
    const next = text.trim();
    if (closed.current) return;
    if (next === "" || next === name) {
      close();
      return;
    }
    try {
      await props.save(next);
      close();
    } catch (error: unknown) {
      setTrouble(toTrouble(error).title);
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event)) return;
    if (event.key === "Escape") close();
    if (event.key === "Enter") void save();
  };
  return (
    <span className="rename">
      <input
        ref={input}
        value={text}
        maxLength={maxLength}
        aria-label={label}
        aria-invalid={trouble !== undefined}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => void save()}
      />
      {trouble !== undefined && <span role="alert">{trouble}</span>}
    </span>
  );
}
