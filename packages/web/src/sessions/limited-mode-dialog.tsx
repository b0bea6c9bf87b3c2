import { Button } from "@holdpoint/react";
import { useState, type FormEvent, type ReactNode } from "react";

import { Dialog } from "../dialog.tsx";
import { useWords, type Say } from "../words/use-words.ts";

/** In minutes. */
const CHOICES = [15, 60, 240, 1440];

interface LimitedModeDialogProps {
  /** The label of the mode. */
  readonly label: string;
  readonly description: string | undefined;
  readonly onConfirm: (minutes: number) => void;
  readonly onClose: () => void;
}

/** Asks whether an agent may do everything, and for how long. */
export function LimitedModeDialog(props: LimitedModeDialogProps): ReactNode {
  const { label, description, onConfirm, onClose } = props;
  const say = useWords();
  const [chosen, setChosen] = useState(60);
  const confirm = (event: FormEvent): void => {
    event.preventDefault();
    onConfirm(chosen);
  };
  return (
    <Dialog title={`${say.translate(label)}?`} onClose={onClose}>
      <form onSubmit={confirm}>
        <p>
          {description && say.translate(description)} {say("This applies to this session only.")}
        </p>
        <fieldset className="durations">
          <legend>{say("Turn off automatically after")}</legend>
          {CHOICES.map((choice) => (
            <label key={choice}>
              <input
                type="radio"
                name="minutes"
                checked={choice === chosen}
                onChange={() => setChosen(choice)}
              />
              {timeWords(choice, say)}
            </label>
          ))}
        </fieldset>
        <p className="quiet">
          {say("Every device shows the time left, and can turn it off at once.")}
        </p>
        <div className="dialog-actions">
          <Button onClick={onClose}>{say("Keep asking")}</Button>
          <Button type="submit" tone="danger">
            {say("Allow for {time}", { time: timeWords(chosen, say) })}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function timeWords(minutes: number, say: Say): string {
  return minutes < 60
    ? say("{count} minute|{count} minutes", { count: minutes })
    : say("{count} hour|{count} hours", { count: minutes / 60 });
}
