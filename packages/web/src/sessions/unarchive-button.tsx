import type { Session } from "@holdpoint/protocol";
import { Button, toVisibleString, useAnnounce, useTransport } from "@holdpoint/react";
import { useState, type ReactNode } from "react";

import { useTrouble } from "../words/use-trouble.ts";
import { useWords } from "../words/use-words.ts";

interface UnarchiveButtonProps {
  readonly session: Session;
  /** Called when the session is restored to the list. */
  readonly onDone?: () => void;
}

/** Restores an archived session. */
export function UnarchiveButton({ session, onDone }: UnarchiveButtonProps): ReactNode {
  const say = useWords();
  const transport = useTransport();
  const announce = useAnnounce();
  const toTrouble = useTrouble();
  const [acting, setActing] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const act = async (): Promise<void> => {
    setActing(true);
    setTrouble(undefined);
    try {
      await transport.updateSession(session.sessionId, { archived: false });
      announce(say("Session restored"));
      onDone?.();
    } catch (error: unknown) {
      setTrouble(toTrouble(error).text);
    }
    setActing(false);
  };
  const name = session.title === "" ? say("New session") : toVisibleString(session.title);
  return (
    <span className="take-back">
      {trouble !== undefined && (
        <span className="field-error" role="alert">
          {trouble}
        </span>
      )}
      <Button
        blocked={acting}
        aria-label={say("Restore {name}", { name })}
        onClick={() => void act()}
      >
        {say("Restore")}
      </Button>
    </span>
  );
}
