import type { Interaction } from "@holdpoint/protocol";
import { Button, TitleText, toAskedTitle, useAnnounce, useTransport } from "@holdpoint/react";
import { useEffect, useState, type ReactNode } from "react";

import { useTrouble } from "../words/use-trouble.ts";
import { useWords } from "../words/use-words.ts";
import type { Snoozes } from "./use-inbox-rows.ts";

interface SnoozedListProps {
  readonly snoozes: Snoozes;
  /** The loaded interactions. */
  readonly waiting: readonly Interaction[];
}

/** The snoozed interactions and the end of their snoozes. Each can be brought back. */
export function SnoozedList({ snoozes, waiting }: SnoozedListProps): ReactNode {
  const say = useWords();
  const loaded = new Map(waiting.map((each) => [each.interactionId, each]));
  return (
    <details className="snoozed">
      <summary className="rail-title">{say("Snoozed ({n})", { n: snoozes.size })}</summary>
      <ul>
        {[...snoozes].map(([interactionId, until]) => (
          <SnoozedEntry
            key={interactionId}
            interactionId={interactionId}
            loaded={loaded.get(interactionId)}
            until={until}
          />
        ))}
      </ul>
    </details>
  );
}

interface SnoozedEntryProps {
  readonly interactionId: string;
  readonly loaded: Interaction | undefined;
  readonly until: string;
}

function SnoozedEntry({ interactionId, loaded, until }: SnoozedEntryProps): ReactNode {
  const transport = useTransport();
  const announce = useAnnounce();
  const say = useWords();
  const toTrouble = useTrouble();
  const interaction = useInteraction(interactionId, loaded);
  const wake = (): void => {
    transport.endSnooze(interactionId).then(
      () => announce(say("Back in the inbox")),
      (error: unknown) => announce(toTrouble(error).text),
    );
  };
  return (
    <li>
      <span className="inbox-words">
        <span className="inbox-what">
          {interaction !== undefined && (
            <TitleText text={toAskedTitle(interaction, say.language)} brief />
          )}
        </span>
        <span className="inbox-where">
          {say.rich("until {time}", {
            time: <time dateTime={until}>{toTimeWords(until, say.language.locale)}</time>,
          })}
        </span>
      </span>
      <Button onClick={wake}>{say("Bring back")}</Button>
    </li>
  );
}

/** The interaction, fetched from the gateway if it is not loaded. */
function useInteraction(
  interactionId: string,
  loaded: Interaction | undefined,
): Interaction | undefined {
  const transport = useTransport();
  const [read, setRead] = useState<Interaction>();
  const isMissing = loaded === undefined;
  useEffect(() => {
    if (!isMissing) return undefined;
    const aborted = new AbortController();
    transport
      .getInteraction(interactionId, { signal: aborted.signal })
      .then(setRead, () => undefined);
    return () => aborted.abort();
  }, [transport, interactionId, isMissing]);
  return loaded ?? read;
}

function toTimeWords(until: string, locale: string | undefined): string {
  return new Date(until).toLocaleString(locale, {
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
  });
}
