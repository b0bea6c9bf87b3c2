export { createBrowserClock } from "./browser-clock.ts";
export { createBrowserDrafts } from "./browser-drafts.ts";
export type { BrowserDraftsOptions } from "./browser-drafts.ts";
export { createBrowserTransport } from "./browser-transport.ts";
export type { BrowserTransportOptions } from "./browser-transport.ts";
export { ClientError } from "./client-error.ts";
export type { Clock } from "./clock.ts";
export { createMemoryDrafts } from "./drafts.ts";
export type { DraftStorage } from "./drafts.ts";
export type { Connection } from "./follow-loop.ts";
export { createHttpTransport } from "./http-transport.ts";
export type { HttpTransportOptions } from "./http-transport.ts";
export { isAnswerable } from "./interaction-fold.ts";
export { exchangeLaunchCode } from "./launch.ts";
export type { LaunchCodeOptions, LaunchedDevice } from "./launch.ts";
export { createOverviewStore } from "./overview-store.ts";
export type { OverviewSnapshot, OverviewStore, OverviewStoreOptions } from "./overview-store.ts";
export { groupSessions } from "./overview.ts";
export type { Overview, Presence, SessionGroups } from "./overview.ts";
export { createBrowserRandomness } from "./randomness.ts";
export type { Randomness } from "./randomness.ts";
export { sendResponse } from "./respond.ts";
export type { SendResponseOptions } from "./respond.ts";
export { createSessionStore } from "./session-store.ts";
export type { SessionSnapshot, SessionStore, SessionStoreOptions } from "./session-store.ts";
export {
  applyFrames,
  createSessionView,
  prependEvents,
  withInteractions,
  withSession,
} from "./session-view-reducer.ts";
export type { FoldResult } from "./session-view-reducer.ts";
export type { SessionView, ToolCallItem, ViewItem } from "./session-view.ts";
export type { SnapshotSource } from "./snapshot-source.ts";
export type { CallOptions, FollowOptions, Transport } from "./transport.ts";
export type { WebSocketLike } from "./websocket-connection.ts";
export { createWebSocketTransport } from "./websocket-transport.ts";
export type { WebSocketTransportOptions } from "./websocket-transport.ts";
