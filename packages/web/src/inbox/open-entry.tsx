import { isAnswered, type Interaction, type Session } from "@holdpoint/protocol";
import { BriefText, ConnectedCard } from "@holdpoint/react";
import { useCallback, useMemo, useState, type ReactNode } from "react";

import { useWords } from "../words/use-words.ts";
import { findIdentical } from "./find-identical.ts";

export interface OpenEntryProps {
  readonly interaction: Interaction;
  readonly sessions: ReadonlyMap<string, Session>;
  /** All interactions that can be answered. */
  readonly waiting: readonly Interaction[];
  /** It was opened automatically after the previous one was answered, so its keys work at once. */
  readonly focused: boolean;
  /** Called with the answered interactions, and with the ids of all that were to be answered. */
  readonly onAnswered: (answered: readonly Interaction[], chosenIds: ReadonlySet<string>) => void;
}

/** The card, with an offer to answer identical requests together with it. */
export function OpenEntry(props: OpenEntryProps): ReactNode {
  const { interaction, sessions, waiting, focused, onAnswered } = props;
  const say = useWords();
  // Fixed when the person chooses: requests that arrive later are not answered with it.
  const [chosen, setChosen] = useState<readonly Interaction[]>();
  const identical = useMemo(() => findIdentical(interaction, waiting), [interaction, waiting]);
  const offered = chosen ?? identical;
  const others = useMemo(
    () => chosen?.filter((one) => identical.includes(one)),
    [chosen, identical],
  );
  const finish = useCallback(
    (given: readonly Interaction[]) => {
      // One of several votes does not answer it.
      const answered = given.filter(({ status }) => isAnswered(status));
      if (answered.length === 0) return;
      const chosenIds = [interaction, ...(others ?? [])].map(({ interactionId }) => interactionId);
      onAnswered(answered, new Set(chosenIds));
    },
    [interaction, others, onAnswered],
  );
  const titles = new Set(
    offered.map(({ sessionId }) => sessions.get(sessionId)?.title ?? say("Session")),
  );
  return (
    <>
      {offered.length > 0 && (
        <label className="inbox-alike">
          <input
            type="checkbox"
            checked={chosen !== undefined}
            onChange={({ target }) => setChosen(target.checked ? identical : undefined)}
          />
          <span>
            {say.rich(
              "Allow once or deny {count} identical request as well: {sessions}|Allow once or deny {count} identical requests as well: {sessions}",
              {
                count: offered.length,
                sessions: <BriefText text={[...titles].join(", ")} />,
              },
            )}
          </span>
        </label>
      )}
      <ConnectedCard
        interaction={interaction}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- only after the person has answered the previous one
        autoFocus={focused}
        onAnswered={finish}
        {...(others !== undefined && { others })}
      />
    </>
  );
}
