import { countUnloaded, type Overview } from "@holdpoint/client";
import type { AgentInfo, Interaction, Session } from "@holdpoint/protocol";
import {
  Button,
  tellShift,
  toAskedTitle,
  useAgents,
  useNow,
  useOverview,
  useUiClock,
  BriefText,
  TitleText,
} from "@holdpoint/react";
import {
  ChevronRight,
  Inbox,
  MessageCircleQuestionMark,
  Shield,
  TextCursorInput,
  X,
  type LucideIcon,
} from "lucide-react";
import { useEffect, useId, useLayoutEffect, useMemo, useState, type ReactNode } from "react";

import { externalAgentLabel } from "../external-agents.ts";
import { Link } from "../link.tsx";
import { toShortAge } from "../relative-time.ts";
import { ShowMore } from "../show-more.tsx";
import { toShortAgentName } from "../words/short-agent-name.ts";
import { useWords, type Say } from "../words/use-words.ts";
import { InboxToasts } from "./inbox-toasts.tsx";
import { isForPerson } from "./is-for-person.ts";
import { OpenEntry, type OpenEntryProps } from "./open-entry.tsx";
import { SnoozeChoice } from "./snooze-choice.tsx";
import { SnoozedList } from "./snoozed-list.tsx";
import { useAnnouncedInbox } from "./use-announced-inbox.ts";
import type { InboxRows } from "./use-inbox-rows.ts";
import { PAUSE_MS, useOpenEntry } from "./use-open-entry.ts";
import { usePageNotifications } from "./use-page-notifications.ts";
import { useToldSnoozes } from "./use-snoozes.ts";

import "../styles/inbox.css";

const ageRefreshMs = 30_000;

/** How many entries of a list are shown at first, and how many are added at a time. */
const SHOWN_AT_ONCE = 50;

interface InboxPanelProps {
  readonly overview: Overview;
  readonly loading: boolean;
  readonly rows: InboxRows;
  /** Closes the inbox where it covers the conversation. */
  readonly onClose: () => void;
}

/** The open interactions of all sessions, with their cards. */
export function InboxPanel(props: InboxPanelProps): ReactNode {
  const { overview, loading, rows, onClose } = props;
  const say = useWords();
  const { waiting, count, snoozes } = rows;
  useToldSnoozes(overview, rows);
  const nowMs = useNow(ageRefreshMs);
  const others = useOthers(overview, rows);
  const { open, isNext, toggle, goOn } = useOpenEntry(waiting);
  // If an entry above is answered on another device, Allow may move to the place of Deny on a phone.
  const place = waiting.findIndex(({ interactionId }) => interactionId === open);
  useLayoutEffect(tellShift, [place]);
  const { agents } = useAgents();
  const [answered, setAnswered] = useState<readonly Interaction[]>([]);
  useAnnouncedInbox({ overview, others, loaded: !loading });
  usePageNotifications(overview, !loading);
  const sessions = new Map(overview.sessions.map((session) => [session.sessionId, session]));
  const entry = (interaction: Interaction): ReactNode => (
    <InboxEntry
      key={interaction.interactionId}
      interaction={interaction}
      session={sessions.get(interaction.sessionId)}
      agents={agents}
      sessions={sessions}
      waiting={waiting}
      age={toShortAge(interaction.startedAt, nowMs, say)}
      open={interaction.interactionId === open}
      focused={isNext}
      onToggle={(next) => toggle(next ? interaction.interactionId : undefined)}
      onSnoozed={(interactionId) => goOn(new Set([interactionId]))}
      onAnswered={(given, chosenIds) => {
        setAnswered(given);
        goOn(chosenIds);
      }}
    />
  );
  return (
    <aside className="inbox" aria-label={say("Inbox")}>
      <InboxTitle count={count} onClose={onClose} />
      <div className="inbox-scroll">
        {count === 0 && !loading && <NothingPending snoozed={snoozes.size > 0} />}
        <InboxList
          list="pending"
          loaded={waiting.filter(({ status }) => status === "pending")}
          overview={overview}
          entry={entry}
        />
        {overview.counts.late > 0 && (
          <LateList
            loaded={waiting.filter(({ status }) => status !== "pending")}
            overview={overview}
            entry={entry}
          />
        )}
        <OthersList {...{ overview, others, entry }} />
      </div>
      {snoozes.size > 0 && <SnoozedList snoozes={snoozes} waiting={overview.waiting} />}
      {answered.length > 0 && <InboxToasts answered={answered} onUndone={toggle} />}
    </aside>
  );
}

function InboxTitle({
  count,
  onClose,
}: Pick<InboxPanelProps, "onClose"> & { readonly count: number }): ReactNode {
  const say = useWords();
  return (
    <h2 className="inbox-title">
      {say("Waiting for you")}
      {count > 0 && <span className="count">{count}</span>}
      <Button
        tone="quiet"
        iconOnly
        className="inbox-close"
        title={say("Close")}
        icon={<X aria-hidden />}
        onClick={onClose}
      >
        {say("Close the inbox")}
      </Button>
    </h2>
  );
}

interface InboxListProps {
  readonly list: "pending" | "late";
  /** Oldest first. */
  readonly loaded: readonly Interaction[];
  readonly overview: Overview;
  readonly entry: (interaction: Interaction) => ReactNode;
}

/** The oldest entries of a list, and a button for the next ones. */
function InboxList({ list, loaded, overview, entry }: InboxListProps): ReactNode {
  const { loadMore } = useOverview();
  const [shown, setShown] = useState(SHOWN_AT_ONCE);
  const unloaded = countUnloaded(overview, list);
  const showMore = async (): Promise<void> => {
    const next = shown + SHOWN_AT_ONCE;
    if (unloaded > 0 && loaded.length < next) await loadMore(list);
    setShown(next);
  };
  return (
    <>
      {loaded.length > 0 && (
        <ul className={list === "late" ? "inbox-list inbox-late" : "inbox-list"}>
          {loaded.slice(0, shown).map(entry)}
        </ul>
      )}
      <ShowMore count={unloaded + Math.max(0, loaded.length - shown)} onMore={showMore} />
    </>
  );
}

/** Interactions that expired or lost their agent, and can still be answered. */
function LateList(props: Omit<InboxListProps, "list">): ReactNode {
  const say = useWords();
  return (
    <section aria-labelledby="inbox-late">
      <h3 id="inbox-late" className="rail-title">
        {say("No agent waits for these; answers are sent as messages")}
      </h3>
      <InboxList list="late" {...props} />
    </section>
  );
}

interface OthersListProps extends Pick<InboxListProps, "entry"> {
  readonly overview: Overview;
  readonly others: ReadonlySet<string>;
}

/** Interactions for other people to answer, or that the person has already allowed. They are not counted. */
function OthersList({ overview, others, entry }: OthersListProps): ReactNode {
  const say = useWords();
  if (others.size === 0) return null;
  const loaded = overview.waiting.filter(({ interactionId }) => others.has(interactionId));
  return (
    <section aria-labelledby="inbox-others">
      <h3 id="inbox-others" className="rail-title">
        {say("For others to answer")}
      </h3>
      <ul className="inbox-list inbox-late">{loaded.map(entry)}</ul>
    </section>
  );
}

/** The ids of loaded interactions for other people. Returns the same set as long as its contents do not change. */
function useOthers({ waiting, person }: Overview, { tellOthers }: InboxRows): ReadonlySet<string> {
  const nowMs = useUiClock().now();
  const others = waiting.filter((one) => !isForPerson(one, person, nowMs));
  const key = others.map(({ interactionId }) => interactionId).join(" ");
  const ids = useMemo(() => new Set(key === "" ? [] : key.split(" ")), [key]);
  useEffect(() => tellOthers(ids), [tellOthers, ids]);
  return ids;
}

function NothingPending({ snoozed }: { readonly snoozed: boolean }): ReactNode {
  const say = useWords();
  return (
    <div className="inbox-empty">
      <Inbox aria-hidden />
      <p>{say(snoozed ? "No other pending requests." : "No pending requests.")}</p>
      <p className="quiet">{say("When an agent needs you, its request appears here.")}</p>
    </div>
  );
}

const icons: Readonly<Record<Interaction["kind"], LucideIcon>> = {
  approval: Shield,
  question: MessageCircleQuestionMark,
  form: TextCursorInput,
};

interface InboxEntryProps extends OpenEntryProps {
  readonly session: Session | undefined;
  readonly agents: readonly AgentInfo[] | undefined;
  readonly age: string;
  readonly open: boolean;
  readonly onToggle: (open: boolean) => void;
  /** Called after the person snoozed it here. */
  readonly onSnoozed: (interactionId: string) => void;
}

function InboxEntry(props: InboxEntryProps): ReactNode {
  const { interaction, session, agents, age, open, onToggle } = props;
  const say = useWords();
  const Icon = icons[interaction.kind];
  const bodyId = useId();
  const { status, hold } = interaction;
  const holdsNobody = status === "pending" && (hold === "parked" || hold === "queued");
  return (
    <li className="inbox-entry" data-open={open || undefined}>
      <button
        type="button"
        className="inbox-line"
        aria-expanded={open}
        aria-controls={open ? bodyId : undefined}
        onClick={() => onToggle(!open)}
      >
        <Icon aria-hidden className="inbox-icon" />
        <span className="inbox-words">
          <span className="inbox-where">
            <BriefText text={session?.title ?? say("Session")} />
            <span className="inbox-age">
              {session !== undefined && (
                <>
                  {" · "}
                  <BriefText text={shortAgentNameOf(session, agents, say)} />
                </>
              )}
              {" · "}
              {age}
              {holdsNobody && ` · ${say("no deadline")}`}
            </span>
          </span>
          <span className="inbox-what">
            <TitleText text={toAskedTitle(interaction, say.language)} brief />
          </span>
        </span>
        <ChevronRight aria-hidden className="inbox-mark" />
      </button>
      {open && (
        <EntryBody id={bodyId}>
          <OpenEntry {...props} />
          <SnoozeChoice interactionId={interaction.interactionId} onSnoozed={props.onSnoozed} />
          {session !== undefined && (
            <Link to={{ name: "session", sessionId: interaction.sessionId }} className="inbox-go">
              {say("Open the conversation")}
            </Link>
          )}
        </EntryBody>
      )}
    </li>
  );
}

/**
 * The body of an open entry. It is scrolled into view, perhaps under the pointer, so a double click on the entry's line
 * must not press anything in it.
 */
function EntryBody({
  id,
  children,
}: {
  readonly id: string;
  readonly children: ReactNode;
}): ReactNode {
  const clock = useUiClock();
  const [openedAt] = useState(() => clock.now());
  return (
    <div
      id={id}
      className="inbox-body"
      ref={bringIntoView}
      onClickCapture={(event) => {
        if (event.detail < 2 || clock.now() - openedAt > PAUSE_MS) return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      {children}
    </div>
  );
}

/** Scrolls an entry into view; a tall one to its beginning. */
function bringIntoView(body: HTMLElement | null): void {
  body?.parentElement?.scrollIntoView?.({ block: "nearest" });
}

/** The name of a session's agent, without the part of its label in brackets. */
function shortAgentNameOf(
  { agent }: Session,
  agents: readonly AgentInfo[] | undefined,
  say: Say,
): string {
  const label = agents?.find((info) => info.agent === agent)?.label ?? externalAgentLabel(agent);
  return toShortAgentName(say.translate(label));
}
