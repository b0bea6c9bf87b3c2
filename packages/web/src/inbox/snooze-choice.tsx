import { Button, useAnnounce, useTransport, useUiClock } from "@holdpoint/react";
import { AlarmClock } from "lucide-react";
import { useId, useState, type ReactNode } from "react";

import { useTrouble } from "../words/use-trouble.ts";
import { useWords } from "../words/use-words.ts";
import { SNOOZE_TIMES } from "./snooze-times.ts";

interface SnoozeChoiceProps {
  readonly interactionId: string;
  readonly onSnoozed: (interactionId: string) => void;
}

/** Snoozes one interaction on all devices of the person. */
export function SnoozeChoice({ interactionId, onSnoozed }: SnoozeChoiceProps): ReactNode {
  const transport = useTransport();
  const clock = useUiClock();
  const announce = useAnnounce();
  const say = useWords();
  const toTrouble = useTrouble();
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const nameId = useId();
  const snooze = async (untilMs: number): Promise<void> => {
    setBusy(true);
    setTrouble(undefined);
    try {
      const until = new Date(untilMs).toISOString();
      await transport.snoozeInteraction(interactionId, { until });
      announce(say("Snoozed"));
      onSnoozed(interactionId);
    } catch (error: unknown) {
      setTrouble(toTrouble(error).text);
    }
    setBusy(false);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset is for fields
    <div className="snooze" role="group" aria-labelledby={nameId}>
      <span id={nameId} className="snooze-name">
        <AlarmClock aria-hidden />
        {say("Snooze")}
      </span>
      {SNOOZE_TIMES.map(({ name, untilMs }) => (
        <Button
          key={name}
          tone="quiet"
          blocked={busy}
          onClick={() => void snooze(untilMs(clock.now()))}
        >
          {say(name)}
        </Button>
      ))}
      {trouble !== undefined && (
        <span className="field-error" role="alert">
          {trouble}
        </span>
      )}
    </div>
  );
}
