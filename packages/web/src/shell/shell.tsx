import type { Session } from "@holdpoint/protocol";
import { useOverview } from "@holdpoint/react";
import { lazy, Suspense, useEffect, useState, type ReactNode } from "react";

import { showBadge } from "../device/badge.ts";
import type { DeviceStorage } from "../device/device-storage.ts";
import { InboxToggle } from "../sessions/session-header.tsx";
import { SessionsRail } from "../sessions/sessions-rail.tsx";
import { useListedSession } from "../sessions/use-listed-session.ts";
import { navigate, useRoute } from "../use-route.ts";
import { ConnectionBanner } from "./connection-banner.tsx";
import { DeviceFooter } from "./device-footer.tsx";
import { SessionStage } from "./session-stage.tsx";
import { Tabs, type Tab } from "./tabs.tsx";
import { useFocusWaiting } from "./use-focus-waiting.ts";
import { useInboxOpen } from "./use-inbox-open.ts";
import { useShellKeys } from "./use-shell-keys.ts";

import "@holdpoint/react/styles/conversation.css";
import "../styles/shell.css";
import "../styles/sessions.css";

const NewSessionDialog = lazy(async () => ({
  default: (await import("../sessions/new-session-dialog.tsx")).NewSessionDialog,
}));
const Home = lazy(async () => ({ default: (await import("./home.tsx")).Home }));
const GrantsPage = lazy(async () => ({
  default: (await import("../grants/grants-page.tsx")).GrantsPage,
}));
const InboxPanel = lazy(async () => ({
  default: (await import("../inbox/inbox-panel.tsx")).InboxPanel,
}));
const HelpDialog = lazy(async () => ({
  default: (await import("./help-dialog.tsx")).HelpDialog,
}));

function goTo({ sessionId }: Session): void {
  navigate({ name: "session", sessionId });
}

/** The whole page: sessions, the chosen conversation, the inbox. */
export function Shell({ storage }: { readonly storage: DeviceStorage }): ReactNode {
  const { overview, loaded, connection, refresh } = useOverview();
  const route = useRoute();
  const sessionId = route.name === "session" ? route.sessionId : undefined;
  const session = useListedSession(sessionId);
  const isGrants = route.name === "grants";
  const title = isGrants ? "Grants" : (session?.title ?? "");
  const [tab, setTab] = useState<Tab>("chat");
  const [dialog, setDialog] = useState<"new" | "help">();
  const [startedId, setStartedId] = useState<string>();
  const [inboxOpen, setInboxOpen] = useInboxOpen(storage);
  const oldest = overview.waiting.find(({ status }) => status === "pending");
  const { focusWaiting, ...conversation } = useFocusWaiting(oldest?.sessionId, () =>
    setTab("chat"),
  );
  const waitingCount = overview.counts.pending;

  useEffect(() => showBadge(waitingCount, title), [waitingCount, title]);
  useShellKeys({ onWaiting: focusWaiting, onHelp: () => setDialog("help") });
  const [shownRoute, setShownRoute] = useState(route);
  if (shownRoute !== route) {
    setShownRoute(route);
    setTab("chat");
  }

  const openEmpty = (created: Session): void => {
    setDialog(undefined);
    setStartedId(created.sessionId);
    goTo(created);
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
        grantsSelected={isGrants}
        loading={!loaded}
        onNew={() => setDialog("new")}
        footer={<DeviceFooter storage={storage} onHelp={() => setDialog("help")} />}
      />
      <main className="stage">
        {tab !== "chat" && (
          <h1 className="hp-visually-hidden">{tab === "inbox" ? "Inbox" : "Sessions"}</h1>
        )}
        {sessionId === undefined ? (
          <Suspense>
            {isGrants ? (
              <GrantsPage inboxToggle={inboxToggle} />
            ) : (
              <Home onNew={() => setDialog("new")} onCreated={goTo} inboxToggle={inboxToggle} />
            )}
          </Suspense>
        ) : (
          <SessionStage
            key={sessionId}
            sessionId={sessionId}
            session={session}
            awaited={session?.hasPending === true}
            started={sessionId === startedId}
            inboxToggle={inboxToggle}
            {...conversation}
          />
        )}
      </main>
      <Suspense fallback={<aside className="inbox" aria-label="Inbox" />}>
        <InboxPanel overview={overview} loading={!loaded} onClose={() => setInboxOpen(false)} />
      </Suspense>
      <Tabs tab={tab} onTab={setTab} waitingCount={waitingCount} />
      <Suspense>
        {dialog === "new" && (
          <NewSessionDialog onClose={() => setDialog(undefined)} onCreated={openEmpty} />
        )}
        {dialog === "help" && <HelpDialog onClose={() => setDialog(undefined)} />}
      </Suspense>
    </div>
  );
}
