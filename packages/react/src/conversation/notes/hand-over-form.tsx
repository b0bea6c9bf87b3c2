import { type Interaction, isMeant, type Named, namedAt, type Voter } from "@holdpoint/protocol";
import { useId, type ReactNode } from "react";

import { useDraft } from "../../hooks/use-draft.ts";
import { useOwnPerson } from "../../hooks/use-own-person.ts";
import { Button } from "../../parts/button.tsx";
import { BriefText } from "../../parts/visible-text.tsx";
import { useWords } from "../../words/use-words.ts";

interface HandOverFormProps {
  readonly interaction: Interaction;
  readonly busy: boolean;
  /** Resolves to whether it was accepted. */
  readonly onSend: (to: Named) => Promise<boolean>;
}

/** Everyone named by the policies, now or later, except the person handing over. */
function namesToHandOverTo({ responders }: Interaction, own: Voter): readonly Named[] {
  const all = (responders?.circles ?? []).flatMap((circle) => namedAt(circle, Infinity));
  const named = new Map(all.map((one) => [JSON.stringify(one), one]));
  return [...named.values()].filter((one) => !isMeant(one, own));
}

/** Chooses the person or group to ask instead. */
export function HandOverForm({ interaction, busy, onSend }: HandOverFormProps): ReactNode {
  const say = useWords();
  const own = useOwnPerson() ?? {};
  const [person, setPerson] = useDraft(`hand-over:${interaction.interactionId}`);
  const handOver = async (): Promise<void> => {
    if (await onSend({ person: person.trim() })) setPerson("");
  };
  const nameId = useId();
  const fieldId = useId();
  return (
    <div className="hp-notes-form">
      <p className="hp-label" id={nameId}>
        {say("Hand over to")}{" "}
        <span className="hp-hint">
          {say("Someone who can answer it now or later. You can still answer it.")}
        </span>
      </p>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset is for fields */}
      <div className="hp-notes-names" role="group" aria-labelledby={nameId}>
        {namesToHandOverTo(interaction, own).map((one) => (
          <Button key={JSON.stringify(one)} blocked={busy} onClick={() => void onSend(one)}>
            <BriefText text={"group" in one ? one.group : one.person} />
          </Button>
        ))}
      </div>
      <label className="hp-hint" htmlFor={fieldId}>
        {say("Verified address of another person")}
      </label>
      <div className="hp-notes-names">
        <input
          id={fieldId}
          className="hp-input"
          maxLength={256}
          value={person}
          onChange={(event) => setPerson(event.target.value)}
        />
        <Button blocked={busy || person.trim() === ""} onClick={() => void handOver()}>
          {say("Hand over")}
        </Button>
      </div>
    </div>
  );
}
