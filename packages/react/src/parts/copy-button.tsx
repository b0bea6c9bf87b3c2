import { Check, Copy } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";

import { useWords } from "../words/use-words.ts";
import { useAnnounce } from "./announcer.tsx";
import { Button } from "./button.tsx";
import { useUiClock } from "./ui-clock.tsx";

const SHOWN_MS = 1600;

/** Copies the exact text, including hidden characters. Draws nothing if there is no clipboard. */
export function CopyButton({
  text,
  label,
}: {
  readonly text: string;
  readonly label?: string;
}): ReactNode {
  const say = useWords();
  const clock = useUiClock();
  const announce = useAnnounce();
  const [copied, setCopied] = useState(false);
  const cancel = useRef<(() => void) | undefined>(undefined);
  useEffect(() => () => cancel.current?.(), []);

  if (globalThis.navigator?.clipboard === undefined) return null;

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      announce(say("Could not copy"));
      return;
    }
    announce(say("Copied"));
    setCopied(true);
    cancel.current?.();
    cancel.current = clock.schedule(SHOWN_MS, () => setCopied(false));
  };
  return (
    <Button
      tone="quiet"
      iconOnly
      className="hp-copy"
      title={label ?? say("Copy")}
      icon={copied ? <Check aria-hidden /> : <Copy aria-hidden />}
      onClick={() => void copy()}
    >
      {copied ? say("Copied") : (label ?? say("Copy"))}
    </Button>
  );
}
