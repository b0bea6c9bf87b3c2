import { Button } from "@holdpoint/react";
import { useState, type FormEvent, type ReactNode } from "react";

import { Dialog } from "../dialog.tsx";

const CHOICES = [
  { minutes: 15, words: "15 minutes" },
  { minutes: 60, words: "1 hour" },
  { minutes: 240, words: "4 hours" },
  { minutes: 1440, words: "24 hours" },
] as const;
type Choice = (typeof CHOICES)[number];

interface LimitedModeDialogProps {
  /** The label of the mode. */
  readonly label: string;
  readonly description: string | undefined;
  readonly onConfirm: (minutes: number) => void;
  readonly onClose: () => void;
}

/** Asks before an agent may do everything, and for how long. */
export function LimitedModeDialog(props: LimitedModeDialogProps): ReactNode {
  const { label, description, onConfirm, onClose } = props;
  const [chosen, setChosen] = useState<Choice>(CHOICES[1]);
  const confirm = (event: FormEvent): void => {
    event.preventDefault();
    onConfirm(chosen.minutes);
  };
  return (
    <Dialog title={`${label}?`} onClose={onClose}>
      <form onSubmit={confirm}>
        <p>{description} It holds in this session alone.</p>
        <fieldset className="durations">
          <legend>It ends by itself after</legend>
          {CHOICES.map((choice) => (
            <label key={choice.minutes}>
              <input
                type="radio"
                name="minutes"
                checked={choice === chosen}
                onChange={() => setChosen(choice)}
              />
              {choice.words}
            </label>
          ))}
        </fieldset>
        <p className="quiet">Every device sees how long it lasts, and can end it at once.</p>
        <div className="dialog-actions">
          <Button onClick={onClose}>Keep asking</Button>
          <Button type="submit" tone="danger">
            Allow for {chosen.words}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
