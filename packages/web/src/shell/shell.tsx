import { isAwaited } from "@holdpoint/client";
import type { Session } from "@holdpoint/protocol";
import { toAskedTitle, useOverview } from "@holdpoint/react";
import { lazy, Suspense, useEffect, useState, type ComponentProps, type ReactNode } from "react";

import type { DeviceStorage } from "../device/device-storage.ts";
import { useInboxRows, type InboxRows } from "../inbox/use-inbox-rows.ts";
import type { Route } from "../route.ts";
import { InboxToggle } from "../sessions/session-header.tsx";
import { SessionsRail } from "../sessions/sessions-rail.tsx";
import { useListedSession } from "../use-listed-session.ts";
import { navigate, useRoute } from "../use-route.ts";
import { ConnectionBanner } from "./connection-banner.tsx";
import { SessionStage, type SessionStageProps } from "./session-stage.tsx";
import { Tabs, type Tab } from "./tabs.tsx";
import { useDeviceMode } from "./use-device-mode.ts";
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
const FolderPage = lazy(async () => ({
  default: (await import("../trust/folder-page.tsx")).FolderPage,
}));
const FolderNotice = lazy(async () => ({
  default: (await import("../trust/folder-notice.tsx")).FolderNotice,
}));
const HistoryPage = lazy(async () => ({
  default: (await import("../history/history-page.tsx")).HistoryPage,
}));
const DevicesPage = lazy(async () => ({
  default: (await import("../devices/devices-page.tsx")).DevicesPage,
}));
const InboxPanel = lazy(async () => ({
  default: (await import("../inbox/inbox-panel.tsx")).InboxPanel,
}));
const SessionPalette = lazy(async () => ({
  default: (await import("../palette/session-palette.tsx")).SessionPalette,
}));
const DeviceFooter = lazy(async () => ({
  default: (await import("./device-footer.tsx")).DeviceFooter,
}));
const HelpDialog = lazy(async () => ({
  default: (await import("./help-dialog.tsx")).HelpDialog,
}));

function goTo({ sessionId }: Session): void {
  navigate({ name: "session", sessionId });
}

const PAGE_TITLES: ReadonlyMap<Route["name"], string> = new Map([
  ["grants", "Grants"],
  ["history", "History"],
  ["devices", "Devices and programs"],
  ["folder", "Files of the directory"],
]);

/** The whole page: sessions, the chosen conversation, the inbox. */
export function Shell({ storage }: { readonly storage: DeviceStorage }): ReactNode {
  const { overview, loaded, connection, refresh } = useOverview();
  const route = useRoute();
  const [tab, setTab] = useTab(route);
  const [inboxOpen, setInboxOpen] = useInboxOpen(storage);
  const device = useDeviceMode(storage);
  const sessionId = route.name === "session" ? route.sessionId : undefined;
  const session = useListedSession(sessionId);
  const rows = useInboxRows(overview);
  const { waiting, count: waitingCount } = rows;
  // What somebody waits for goes first.
  const oldest = waiting.find(({ status }) => status === "pending") ?? waiting[0];
  const { focusWaiting, goToWaiting, ...conversation } = useFocusWaiting(oldest?.sessionId, () =>
    setTab("chat"),
  );
  const { dialog, openDialog, startedId } = useDialogs({ storage, rows, onWaiting: goToWaiting });
  // Of this session, if it asks something.
  const asked = waiting.find((one) => one.sessionId === sessionId) ?? oldest;
  useTitle(asked === undefined ? nameOf(route, session) : toAskedTitle(asked), waitingCount);
  const onHelp = (): void => openDialog("help");
  const onPalette = (): void => openDialog("palette");
  useShellKeys({ onWaiting: focusWaiting, onHelp, onPalette });
  return (
    <div className="app" data-tab={tab} data-inbox={inboxOpen ? "open" : "closed"}>
      <Banners {...{ connection, route }} onRetry={refresh} />
      <SessionsRail
        overview={overview}
        selectedId={sessionId}
        grantsSelected={route.name === "grants"}
        loading={!loaded}
        onNew={() => openDialog("new")}
        footer={
          <Suspense fallback={<footer className="rail-footer" />}>
            <DeviceFooter {...{ storage, device, onHelp, onPalette }} selected={route.name} />
          </Suspense>
        }
      />
      <Stage
        route={route}
        tab={tab}
        session={session}
        awaited={session !== undefined && isAwaited(session)}
        started={sessionId !== undefined && sessionId === startedId}
        inboxToggle={
          <InboxToggle
            count={waitingCount}
            open={inboxOpen}
            onToggle={() => setInboxOpen(!inboxOpen)}
          />
        }
        {...conversation}
      />
      <Suspense fallback={<aside className="inbox" aria-label="Inbox" />}>
        <InboxPanel {...{ overview, rows }} loading={!loaded} onClose={() => setInboxOpen(false)} />
      </Suspense>
      <Tabs tab={tab} onTab={setTab} waitingCount={waitingCount} />
      {dialog}
    </div>
  );
}

interface BannersProps extends ComponentProps<typeof ConnectionBanner> {
  readonly route: Route;
}

/** Above everything else. */
function Banners({ route, ...connection }: BannersProps): ReactNode {
  return (
    <div className="banner-slot">
      <ConnectionBanner {...connection} />
      <Suspense>{route.name !== "folder" && <FolderNotice />}</Suspense>
    </div>
  );
}

interface Dialogs {
  readonly dialog: ReactNode;
  readonly openDialog: (name: "new" | "help" | "palette") => void;
  /** The session that the person has just started with the dialog, still empty. */
  readonly startedId: string | undefined;
}

interface PaletteParts {
  readonly storage: DeviceStorage;
  readonly rows: InboxRows;
  readonly onWaiting: (sessionId: string) => void;
}

function useDialogs(palette: PaletteParts): Dialogs {
  const [shown, setShown] = useState<"new" | "help" | "palette">();
  const [startedId, setStartedId] = useState<string>();
  const close = (): void => setShown(undefined);
  const openStarted = (created: Session): void => {
    close();
    setStartedId(created.sessionId);
    goTo(created);
  };
  const dialog = (
    <Suspense>
      {shown === "new" && <NewSessionDialog onClose={close} onCreated={openStarted} />}
      {shown === "help" && <HelpDialog onClose={close} />}
      {shown === "palette" && (
        <SessionPalette
          {...palette}
          onNew={() => setShown("new")}
          onHelp={() => setShown("help")}
          onClose={close}
        />
      )}
    </Suspense>
  );
  return { dialog, openDialog: setShown, startedId };
}

type StageProps = Omit<SessionStageProps, "sessionId"> & {
  readonly route: Route;
  readonly tab: Tab;
};

/** The middle of the page: a session, the grants, or what can be started. */
function Stage({ route, tab, ...rest }: StageProps): ReactNode {
  const { inboxToggle } = rest;
  return (
    <main className="stage">
      {tab !== "chat" && (
        <h1 className="hp-visually-hidden">{tab === "inbox" ? "Inbox" : "Sessions"}</h1>
      )}
      {route.name === "session" ? (
        <SessionStage key={route.sessionId} sessionId={route.sessionId} {...rest} />
      ) : (
        <Suspense>
          <PlainPage name={route.name} inboxToggle={inboxToggle} />
        </Suspense>
      )}
    </main>
  );
}

interface PlainPageProps {
  readonly name: Route["name"];
  readonly inboxToggle: ReactNode;
}

/** A page that is no conversation. */
function PlainPage({ name, inboxToggle }: PlainPageProps): ReactNode {
  switch (name) {
    case "grants":
      return <GrantsPage inboxToggle={inboxToggle} />;
    case "history":
      return <HistoryPage inboxToggle={inboxToggle} />;
    case "devices":
      return <DevicesPage inboxToggle={inboxToggle} />;
    case "folder":
      return <FolderPage inboxToggle={inboxToggle} />;
    case "home":
    case "interaction":
    case "session":
    case "unknown":
      return <Home onStarted={goTo} inboxToggle={inboxToggle} />;
  }
}

/** On a phone: which part is seen. Going somewhere leads to the conversation. */
function useTab(route: Route): readonly [tab: Tab, setTab: (tab: Tab) => void] {
  const [tab, setTab] = useState<Tab>("chat");
  const [shownRoute, setShownRoute] = useState(route);
  if (shownRoute !== route) {
    setShownRoute(route);
    setTab("chat");
  }
  return [tab, setTab];
}

function nameOf(route: Route, session: Session | undefined): string {
  return PAGE_TITLES.get(route.name) ?? session?.title ?? "";
}

/** Names what is asked while something is, else the page. */
function useTitle(title: string, count: number): void {
  useEffect(() => {
    // Without its code the tab keeps its name.
    const shown = import("../device/badge.ts").then(({ showBadge }) => showBadge(count, title));
    shown.catch(() => undefined);
  }, [count, title]);
}
