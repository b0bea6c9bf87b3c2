import { isAwaited } from "@holdpoint/client";
import type { Interaction, Session } from "@holdpoint/protocol";
import { toAskedTitle, useOverview } from "@holdpoint/react";
import {
  useEffect,
  useRef,
  useState,
  type ComponentProps,
  type ComponentType,
  type ReactNode,
} from "react";

import type { DeviceStorage } from "../device/device-storage.ts";
import { useInboxRows, type InboxRows } from "../inbox/use-inbox-rows.ts";
import { createPagePart, Nothing } from "../page-part.ts";
import type { Route } from "../route.ts";
import { InboxToggle } from "../sessions/session-header.tsx";
import { SessionsRail } from "../sessions/sessions-rail.tsx";
import { useListedSession } from "../use-listed-session.ts";
import { navigate, useRoute } from "../use-route.ts";
import { useWords, type Say, type Words } from "../words/use-words.ts";
import { ConnectionBanner } from "./connection-banner.tsx";
import { SessionStage, type SessionStageProps } from "./session-stage.tsx";
import { SkipLink, STAGE_ID } from "./skip-link.tsx";
import { Tabs, type Tab } from "./tabs.tsx";
import { useDeviceMode } from "./use-device-mode.ts";
import { useFocusWaiting } from "./use-focus-waiting.ts";
import { useHeldKeys } from "./use-held-keys.ts";
import { useInboxOpen } from "./use-inbox-open.ts";
import { useShellKeys } from "./use-shell-keys.ts";
import { useTab } from "./use-tab.ts";

import "@holdpoint/react/styles/conversation.css";
import "@holdpoint/react/styles/composer.css";
import "../styles/shell.css";
import "../styles/sessions.css";

const NewSessionDialog = createPagePart(
  async () => (await import("../sessions/new-session-dialog.tsx")).NewSessionDialog,
);
const Home = createPagePart(async () => (await import("./home.tsx")).Home);
const Notices = createPagePart(async () => (await import("./notices.tsx")).Notices, Nothing);
const InboxPanel = createPagePart(
  async () => (await import("../inbox/inbox-panel.tsx")).InboxPanel,
  InboxPlace,
);
const SessionPalette = createPagePart(
  async () => (await import("../palette/session-palette.tsx")).SessionPalette,
);
const DeviceFooter = createPagePart(
  async () => (await import("./device-footer.tsx")).DeviceFooter,
  () => <footer className="rail-footer" />,
);
const HelpDialog = createPagePart(async () => (await import("./help-dialog.tsx")).HelpDialog);

function goTo({ sessionId }: Session): void {
  navigate({ name: "session", sessionId });
}

type PageProps = Pick<StageProps, "inboxToggle">;

function page(title: Words, load: () => Promise<ComponentType<PageProps>>) {
  return { title, Page: createPagePart(load) };
}

/** The pages without a conversation. */
const PAGES: Readonly<Partial<Record<Route["name"], ReturnType<typeof page>>>> = {
  grants: page("Grants", async () => (await import("../grants/grants-page.tsx")).GrantsPage),
  history: page("History", async () => (await import("../history/history-page.tsx")).HistoryPage),
  archived: page(
    "Archived",
    async () => (await import("../sessions/archived-page.tsx")).ArchivedPage,
  ),
  devices: page(
    "Devices and programs",
    async () => (await import("../devices/devices-page.tsx")).DevicesPage,
  ),
  folder: page(
    "Files of the directory",
    async () => (await import("../trust/folder-page.tsx")).FolderPage,
  ),
};

/** The whole page: sessions, the chosen conversation, the inbox. */
export function Shell({ storage }: { readonly storage: DeviceStorage }): ReactNode {
  const { overview, loaded, connection, refresh } = useOverview();
  const route = useRoute();
  useKeptFocus(route);
  const { tab, goToTab, showChat } = useTab(route);
  const [inboxOpen, setInboxOpen] = useInboxOpen(storage);
  const device = useDeviceMode(storage);
  const sessionId = route.name === "session" ? route.sessionId : undefined;
  const session = useListedSession(sessionId);
  const rows = useInboxRows(overview);
  const { waiting, count: waitingCount } = rows;
  const oldest = findOldest(waiting);
  const waits = useFocusWaiting(oldest?.sessionId, showChat);
  const { focusWaiting, goToWaiting, ...conversation } = waits;
  const { dialog, openDialog, startedId } = useDialogs({ storage, rows, onWaiting: goToWaiting });
  const askedHere = waiting.find((one) => one.sessionId === sessionId);
  const asked = askedHere ?? oldest;
  useTitle({ asked, route, session, count: waitingCount });
  const onHelp = (): void => openDialog("help");
  const onPalette = (): void => openDialog("palette");
  useShellKeys({ onWaiting: focusWaiting, onHelp, onPalette });
  return (
    <div className="app" data-tab={tab} data-inbox={inboxOpen ? "open" : "closed"}>
      <SkipLink waits={askedHere !== undefined} onSkip={showChat} onWaiting={focusWaiting} />
      <Banners {...{ connection, route }} onRetry={refresh} />
      <SessionsRail
        overview={overview}
        selectedId={sessionId}
        grantsSelected={route.name === "grants"}
        loading={!loaded}
        onNew={() => openDialog("new")}
        footer={<DeviceFooter {...{ storage, device, onHelp, onPalette }} selected={route.name} />}
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
      <InboxPanel {...{ overview, rows }} loading={!loaded} onClose={() => setInboxOpen(false)} />
      <Tabs {...{ tab, waitingCount }} page={toPageName(route)} onTab={goToTab} />
      {dialog}
    </div>
  );
}

/** If the focused element is removed with its page, focuses the next page instead of the start of the document. */
function useKeptFocus(route: Route): void {
  const before = useRef(route);
  useEffect(() => {
    const isNext = before.current !== route;
    before.current = route;
    if (isNext && document.activeElement === document.body) {
      document.getElementById(STAGE_ID)?.focus({ preventScroll: true });
    }
  }, [route]);
}

/** The placeholder of the inbox. */
function InboxPlace(): ReactNode {
  const say = useWords();
  return <aside className="inbox" aria-label={say("Inbox")} />;
}

/** The oldest pending interaction, or else the oldest that can be answered late. */
function findOldest(waiting: readonly Interaction[]): Interaction | undefined {
  return waiting.find(({ status }) => status === "pending") ?? waiting[0];
}

interface BannersProps extends ComponentProps<typeof ConnectionBanner> {
  readonly route: Route;
}

/** The banners at the top of the page. */
function Banners({ route, ...connection }: BannersProps): ReactNode {
  return (
    <div className="banner-slot">
      <ConnectionBanner {...connection} />
      <Notices
        isFolderPage={route.name === "folder"}
        isHeldBack={connection.connection === "held_back"}
      />
    </div>
  );
}

interface Dialogs {
  readonly dialog: ReactNode;
  readonly openDialog: (name: "new" | "help" | "palette") => void;
  /** The session that the person has just started from the dialog, still empty. */
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
  useHeldKeys(shown !== undefined, close);
  const openStarted = (created: Session): void => {
    close();
    setStartedId(created.sessionId);
    goTo(created);
  };
  const dialog = (
    <>
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
    </>
  );
  return { dialog, openDialog: setShown, startedId };
}

type StageProps = Omit<SessionStageProps, "sessionId"> & {
  readonly route: Route;
  readonly tab: Tab;
};

/** The middle of the page: a session or another page. */
function Stage({ route, tab, ...rest }: StageProps): ReactNode {
  const { inboxToggle } = rest;
  const say = useWords();
  return (
    <main className="stage" id={STAGE_ID} tabIndex={-1}>
      {tab !== "chat" && (
        <h1 className="hp-visually-hidden">{say(tab === "inbox" ? "Inbox" : "Sessions")}</h1>
      )}
      {route.name === "session" ? (
        <SessionStage key={route.sessionId} sessionId={route.sessionId} {...rest} />
      ) : (
        <PlainPage name={route.name} inboxToggle={inboxToggle} />
      )}
    </main>
  );
}

interface PlainPageProps {
  readonly name: Route["name"];
  readonly inboxToggle: ReactNode;
}

/** A page without a conversation. Default: the start page. */
function PlainPage({ name, inboxToggle }: PlainPageProps): ReactNode {
  const Page = PAGES[name]?.Page;
  return Page ? (
    <Page inboxToggle={inboxToggle} />
  ) : (
    <Home onStarted={goTo} inboxToggle={inboxToggle} />
  );
}

function nameOf({ name }: Route, session: Session | undefined, say: Say): string {
  const title = PAGES[name]?.title;
  return title === undefined ? (session?.title ?? "") : say(title);
}

/** The title of the middle of the page. */
function toPageName({ name }: Route): Words {
  return name === "session" ? "Conversation" : (PAGES[name]?.title ?? "Start");
}

interface TitleParts {
  readonly asked: Interaction | undefined;
  readonly route: Route;
  readonly session: Session | undefined;
  readonly count: number;
}

/** Sets the document's title: the title of a pending request, or else of the page. */
function useTitle({ asked, route, session, count }: TitleParts): void {
  const say = useWords();
  const title =
    asked === undefined ? nameOf(route, session, say) : toAskedTitle(asked, say.language);
  useEffect(() => {
    let isPast = false;
    // Imports may complete out of order. If loading fails, the tab keeps its title.
    const shown = import("../device/badge.ts").then((badge) => {
      if (!isPast) badge.showBadge(count, title);
    });
    shown.catch(() => undefined);
    return () => {
      isPast = true;
    };
  }, [count, title]);
}
