import { ProtocolError, toPlainTitle, type Interaction } from "@holdpoint/protocol";
import {
  ConnectedCard,
  toAskedTitle,
  toCallTroubleWords,
  toVisibleString,
  useOverview,
  useTransport,
} from "@holdpoint/react";
import { useCallback, useEffect, useState, type ReactNode } from "react";

import { Link } from "../link.tsx";
import { Mark } from "../mark.tsx";
import { useListedSession } from "../use-listed-session.ts";
import { useWords, type Say } from "../words/use-words.ts";

/** A single interaction: the target of notifications, small enough for a phone on a slow network. */
export function CardPage({ interactionId }: { readonly interactionId: string }): ReactNode {
  const say = useWords();
  const { interaction, trouble, reload } = useInteraction(interactionId);
  // The person may be asked to answer in a session that does not belong to them.
  const session = useListedSession(interaction?.sessionId);
  const heading = say(trouble === undefined ? "Loading…" : "Nothing to answer");
  return (
    <main className="card-page">
      <header>
        <Link to={{ name: "home" }} className="brand">
          <Mark />
          {say("Holdpoint")}
        </Link>
      </header>
      <h1 className="hp-visually-hidden">
        {interaction !== undefined
          ? toVisibleString(toPlainTitle(toAskedTitle(interaction, say.language)))
          : heading}
      </h1>
      {interaction !== undefined && <ConnectedCard interaction={interaction} onStale={reload} />}
      {interaction === undefined && trouble === undefined && (
        <p className="quiet">{say("Loading…")}</p>
      )}
      {trouble !== undefined && (
        <p role="alert" className="field-error">
          {trouble}
        </p>
      )}
      {session !== undefined && (
        <Link to={{ name: "session", sessionId: session.sessionId }} className="inbox-go">
          {say("Open the conversation")}
        </Link>
      )}
    </main>
  );
}

/**
 * Loads the interaction, and loads it again when the overview changes it. If it is not among the loaded rows, it may
 * have changed whenever the counts have.
 */
function useInteraction(interactionId: string): {
  readonly interaction: Interaction | undefined;
  readonly trouble: string | undefined;
  readonly reload: () => void;
} {
  const say = useWords();
  const transport = useTransport();
  const { overview, connection } = useOverview();
  const live = overview.waiting.find((one) => one.interactionId === interactionId);
  const change = live ?? overview.counts;
  const [loaded, setLoaded] = useState<Interaction>();
  const [error, setError] = useState<unknown>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    const aborted = new AbortController();
    transport.getInteraction(interactionId, { signal: aborted.signal }).then(
      (interaction) => {
        setLoaded(interaction);
        setError(undefined);
      },
      (error: unknown) => {
        if (!aborted.signal.aborted) setError(error);
      },
    );
    return () => aborted.abort();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a change of any of them may have changed it
  }, [transport, interactionId, change, connection, round]);
  const reload = useCallback(() => setRound((count) => count + 1), []);
  const hasTrouble = live === undefined && error !== undefined;
  return {
    interaction: live ?? loaded,
    trouble: hasTrouble ? toWords(error, say) : undefined,
    reload,
  };
}

function toWords(error: unknown, say: Say): string {
  if (ProtocolError.isInstance(error) && error.code === "NOT_FOUND") {
    return say("This request does not exist. Its session was deleted, or the link is wrong.");
  }
  const { title, wayOut } = toCallTroubleWords(error, say.language);
  return `${title}. ${wayOut}`;
}
