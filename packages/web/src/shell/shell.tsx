import type { Session } from "@holdpoint/protocol";
import {
  Conversation,
  useAgents,
  useOverview,
  useSession,
  VisibleText,
  type ConversationHandle,
} from "@holdpoint/react";
import { Inbox, MessagesSquare, PanelsTopLeft, type LucideIcon } from "lucide-react";
import { useEffect, useMemo, useRef, useState, type ReactNode, type Ref } from "react";

import { showBadge } from "../device/badge.ts";
import type { DeviceStorage } from "../device/device-storage.ts";
import { useTheme } from "../device/theme.ts";
import { groupInbox } from "../inbox/inbox-groups.ts";
import { InboxPanel } from "../inbox/inbox-panel.tsx";
import { NewSessionDialog, toAgentName } from "../sessions/new-session-dialog.tsx";
import { InboxToggle, SessionHeader } from "../sessions/session-header.tsx";
import { SessionsRail } from "../sessions/sessions-rail.tsx";
import { navigate, useRoute } from "../use-route.ts";
import { ConnectionBanner } from "./connection-banner.tsx";
import { DeviceFooter } from "./device-footer.tsx";
import { HelpDialog } from "./help-dialog.tsx";
import { Home } from "./home.tsx";
import { useAnnouncedInbox } from "./use-announced-inbox.ts";
import { useDeviceMode } from "./use-device-mode.ts";
import { useShellKeys } from "./use-shell-keys.ts";

/** On a phone one of them is seen at a time. */
type Tab = "sessions" | "chat" | "inbox";

/** The whole page: sessions, the chosen conversation, the inbox. */
export function Shell({ storage }: { readonly storage: DeviceStorage }): ReactNode {
  const { overview, loaded, connection, refresh } = useOverview();
  const route = useRoute();
  const sessionId = route.name === "session" ? route.sessionId : undefined;
  const session = overview.sessions.find((one) => one.sessionId === sessionId);
  const groups = useMemo(() => groupInbox(overview), [overview]);
  const sessions = useMemo(
    () => new Map(overview.sessions.map((one) => [one.sessionId, one])),
    [overview.sessions],
  );
  const [tab, setTab] = useState<Tab>("chat");
  const [dialog, setDialog] = useState<"new" | "help">();
  const [inboxOpen, setInboxOpen] = useInboxOpen(storage);
  const [theme, setTheme] = useTheme(storage);
  const mode = useDeviceMode(storage);
  const conversation = useRef<ConversationHandle>(null);
  const focusWaiting = useFocusWaiting(conversation, groups.waiting[0]?.sessionId, () =>
    setTab("chat"),
  );
  const waitingCount = groups.waiting.length;

  useEffect(() => showBadge(waitingCount, session?.title ?? ""), [waitingCount, session?.title]);
  useAnnouncedInbox(overview.waiting, loaded);
  useShellKeys({ onWaiting: focusWaiting, onHelp: () => setDialog("help") });
  const shownRoute = useRef(route);
  if (shownRoute.current !== route) {
    shownRoute.current = route;
    if (tab !== "chat") setTab("chat");
  }

  const open = (created: Session): void => {
    setDialog(undefined);
    navigate({ name: "session", sessionId: created.sessionId });
  };
  const inboxToggle = (
    <InboxToggle count={waitingCount} open={inboxOpen} onToggle={() => setInboxOpen(!inboxOpen)} />
  );
  return (
    <div className="app" data-tab={tab} data-inbox={inboxOpen ? "open" : "closed"}>
      <ConnectionBanner connection={connection} onRetry={refresh} />
      <SessionsRail
        overview={overview}
        selectedId={sessionId}
        loading={!loaded}
        onNew={() => setDialog("new")}
        footer={
          <DeviceFooter
            theme={theme}
            onTheme={setTheme}
            answering={mode.answering}
            onAnswering={mode.choose}
            trouble={mode.trouble}
            onHelp={() => setDialog("help")}
          />
        }
      />
      <main className="stage">
        {sessionId === undefined ? (
          <Home onNew={() => setDialog("new")} onCreated={open} inboxToggle={inboxToggle} />
        ) : (
          <SessionStage
            key={sessionId}
            sessionId={sessionId}
            session={session}
            inboxToggle={inboxToggle}
            conversation={conversation}
          />
        )}
      </main>
      <InboxPanel groups={groups} sessions={sessions} loading={!loaded} />
      <Tabs tab={tab} onTab={setTab} waitingCount={waitingCount} />
      {dialog === "new" && (
        <NewSessionDialog onClose={() => setDialog(undefined)} onCreated={open} />
      )}
      {dialog === "help" && <HelpDialog onClose={() => setDialog(undefined)} />}
    </div>
  );
}

interface SessionStageProps {
  readonly sessionId: string;
  readonly session: Session | undefined;
  readonly inboxToggle: ReactNode;
  readonly conversation: Ref<ConversationHandle>;
}

function SessionStage(props: SessionStageProps): ReactNode {
  const { sessionId, session, inboxToggle, conversation } = props;
  const { agents } = useAgents();
  const { view } = useSession(sessionId);
  const agent = agents?.find((one) => one.agent === session?.agent);
  const prompts = agent?.suggestedPrompts ?? [];
  return (
    <>
      {session !== undefined && (
        <SessionHeader
          session={session}
          agent={agent}
          permissionMode={view.permissionMode ?? session.permissionMode}
          inboxToggle={inboxToggle}
        />
      )}
      <Conversation
        ref={conversation}
        sessionId={sessionId}
        suggestedPrompts={prompts}
        heading={
          session !== undefined && (
            <header>
              <p className="hp-empty-title">
                {agent === undefined ? session.agent : <VisibleText text={toAgentName(agent)} />}
              </p>
              <p className="quiet">
                Works in <code>{session.cwd}</code>. Say what should be done
                {prompts.length > 0 && ", or begin with one of these"}.
              </p>
            </header>
          )
        }
      />
    </>
  );
}

const tabs: readonly (readonly [Tab, string, LucideIcon])[] = [
  ["sessions", "Sessions", PanelsTopLeft],
  ["chat", "Chat", MessagesSquare],
  ["inbox", "Inbox", Inbox],
];

function Tabs({
  tab,
  onTab,
  waitingCount,
}: {
  readonly tab: Tab;
  readonly onTab: (tab: Tab) => void;
  readonly waitingCount: number;
}): ReactNode {
  return (
    <nav className="tabs" aria-label="Views">
      {tabs.map(([name, label, Icon]) => (
        <button
          key={name}
          type="button"
          aria-current={name === tab ? "page" : undefined}
          onClick={() => onTab(name)}
        >
          <Icon aria-hidden />
          <span>
            {label}
            {name === "inbox" && waitingCount > 0 && <span className="count">{waitingCount}</span>}
          </span>
        </button>
      ))}
    </nav>
  );
}

const wideScreen = "(min-width: 1280px)";

/** Remembered once chosen; until then open where there is room. */
function useInboxOpen(storage: DeviceStorage): readonly [boolean, (open: boolean) => void] {
  const [open, setOpen] = useState(() => {
    const stored = storage.read("inbox");
    return stored === undefined ? matchMedia(wideScreen).matches : stored === "open";
  });
  return [
    open,
    (next) => {
      storage.write("inbox", next ? "open" : "closed");
      setOpen(next);
    },
  ];
}

/**
 * Moves focus to the next waiting card of this conversation; where none waits, goes to the session that has waited
 * longest and focuses its card as soon as it is there.
 */
function useFocusWaiting(
  conversation: { readonly current: ConversationHandle | null },
  oldestSessionId: string | undefined,
  onLeave: () => void,
): (direction: 1 | -1) => void {
  const wanted = useRef<1 | -1>(undefined);
  useEffect(() => {
    if (wanted.current === undefined || conversation.current === null) return;
    if (conversation.current.focusWaiting(wanted.current)) wanted.current = undefined;
  });
  return (direction) => {
    wanted.current = undefined;
    onLeave();
    if (conversation.current?.focusWaiting(direction) === true) return;
    if (oldestSessionId === undefined) return;
    wanted.current = direction;
    navigate({ name: "session", sessionId: oldestSessionId });
  };
}
