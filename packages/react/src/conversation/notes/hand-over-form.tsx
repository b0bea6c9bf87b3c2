import type { Interaction, Named } from "@holdpoint/protocol";
import { useId, useState, type ReactNode } from "react";

import { Button } from "../../parts/button.tsx";
import { useUiClock } from "../../parts/ui-clock.tsx";
import { BriefText } from "../../parts/visible-text.tsx";
import { useWords } from "../../words/use-words.ts";

interface HandOverFormProps {
  readonly interaction: Interaction;
  readonly busy: boolean;
  readonly onSend: (to: Named) => Promise<boolean>;
}

/** Names of later steps, to which it has not been handed over yet. */
function namesToHandOverTo(
  { responders, startedAt, notes }: Interaction,
  nowMs: number,
): readonly Named[] {
  const sinceMs = nowMs - Date.parse(startedAt);
  const handed = new Set(notes?.handOvers?.map(({ to }) => JSON.stringify(to)));
  const later = (responders?.circles ?? [])
    .flatMap(({ steps = [] }) => steps)
    .filter(({ afterMs }) => afterMs > sinceMs)
    .flatMap(({ who }) => who);
  const named = new Map(later.map((one) => [JSON.stringify(one), one]));
  return [...named].filter(([key]) => !handed.has(key)).map(([, one]) => one);
}

/** Chooses who can answer it as well from now on. */
export function HandOverForm({ interaction, busy, onSend }: HandOverFormProps): ReactNode {
  const say = useWords();
  const clock = useUiClock();
  const [person, setPerson] = useState("");
  const nameId = useId();
  const fieldId = useId();
  return (
    <div className="hp-notes-form">
      <p className="hp-label" id={nameId}>
        {say("Who can answer it from now on")}{" "}
        <span className="hp-hint">{say("Somebody whom a later step names. Nobody loses it.")}</span>
      </p>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset is for fields */}
      <div className="hp-notes-names" role="group" aria-labelledby={nameId}>
        {namesToHandOverTo(interaction, clock.now()).map((one) => (
          <Button key={JSON.stringify(one)} blocked={busy} onClick={() => void onSend(one)}>
            <BriefText text={"group" in one ? one.group : one.person} />
          </Button>
        ))}
      </div>
      <label className="hp-hint" htmlFor={fieldId}>
        {say("Another person, by verified address")}
      </label>
      <div className="hp-notes-names">
        <input
          id={fieldId}
          className="hp-input"
          maxLength={256}
          value={person}
          onChange={(event) => setPerson(event.target.value)}
        />
        <Button
          blocked={busy || person.trim() === ""}
          onClick={() =>
            void onSend({ person: person.trim() }).then((taken) => taken && setPerson(""))
          }
        >
          {say("Hand over")}
        </Button>
      </div>
    </div>
  );
}
