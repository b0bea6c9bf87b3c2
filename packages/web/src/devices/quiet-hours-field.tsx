import type { QuietHours } from "@holdpoint/protocol";
import type { ReactNode } from "react";

import { useWords } from "../words/use-words.ts";

const NIGHT = { from: "22:00", to: "07:00" };

interface QuietHoursFieldProps {
  readonly quiet: QuietHours | undefined;
  readonly onChange: (quiet: QuietHours | null) => void;
}

/** The hours without notifications, by the device's own clock. */
export function QuietHoursField({ quiet, onChange }: QuietHoursFieldProps): ReactNode {
  const say = useWords();
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const set = (part: "from" | "to", value: string): void => {
    if (value !== "") onChange({ ...(quiet ?? NIGHT), [part]: value, timeZone });
  };
  return (
    <fieldset>
      <legend className="hp-visually-hidden">{say("Quiet hours")}</legend>
      <label>
        <input
          type="checkbox"
          checked={quiet !== undefined}
          onChange={(event) => onChange(event.target.checked ? { ...NIGHT, timeZone } : null)}
        />
        {say("Quiet hours")}
      </label>
      {quiet !== undefined && (
        <div className="notify-times">
          {(["from", "to"] as const).map((part) => (
            <label key={part}>
              {say(part)}
              <input
                type="time"
                value={quiet[part]}
                required
                onChange={(event) => set(part, event.target.value)}
              />
            </label>
          ))}
          <span className="quiet">{quiet.timeZone}</span>
        </div>
      )}
    </fieldset>
  );
}
