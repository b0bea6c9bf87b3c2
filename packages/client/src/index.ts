export { ask } from "./asks/ask.ts";
export type { ApprovalAsk, AskOutcome, ChoiceAsk, FormAsk } from "./asks/ask.ts";
export { settleAsk } from "./asks/settle-ask.ts";
export type { AskCalls, SettleAskOptions } from "./asks/settle-ask.ts";
export { createBrowserClock } from "./lib/browser-clock.ts";
export { createBrowserDrafts } from "./store/browser-drafts.ts";
export type { BrowserDraftsOptions } from "./store/browser-drafts.ts";
export { gatewaySkewMs } from "./transports/http/gateway-skew.ts";
export { createBrowserTransport } from "./transports/browser-transport.ts";
export type { BrowserTransportOptions } from "./transports/browser-transport.ts";
export { ClientError } from "./transports/client-error.ts";
export type { Clock } from "./lib/clock.ts";
export { createMemoryDrafts } from "./store/drafts.ts";
export type { DraftStorage } from "./store/drafts.ts";
export type { Connection } from "./store/follow-loop.ts";
export { createHttpTransport } from "./transports/http/http-transport.ts";
export type { HttpTransportOptions } from "./transports/http/http-transport.ts";
export { createDeviceKey } from "./transports/device/device-key.ts";
export type { DeviceKey } from "./transports/device/device-key.ts";
export { createDeviceSigner } from "./transports/device/device-signer.ts";
export type { DeviceSignerOptions, SignedInDevice } from "./transports/device/device-signer.ts";
export { exchangeLaunchCode } from "./transports/device/exchange-launch-code.ts";
export type { LaunchCodeOptions } from "./transports/device/exchange-launch-code.ts";
export { beginSignIn, finishSignIn, listIssuers } from "./transports/device/issuer-sign-in.ts";
export type {
  BeginOptions,
  FinishOptions,
  PendingSignIn,
} from "./transports/device/issuer-sign-in.ts";
export type { ClientToken, Signature, SignedRequest, Signer } from "./transports/signer.ts";
export { preloadClient } from "./preload-client.ts";
export { createOverviewStore } from "./store/overview-store.ts";
export type {
  OverviewSnapshot,
  OverviewStore,
  OverviewStoreOptions,
} from "./store/overview-store.ts";
export { countAnswerable, countUnloaded, groupSessions, isAwaited } from "./view/overview.ts";
export type { Overview, OverviewList, Presence, SessionGroups } from "./view/overview.ts";
export { createBrowserRandomness } from "./lib/randomness.ts";
export type { Randomness } from "./lib/randomness.ts";
export { sendResponse } from "./store/respond.ts";
export type { SendResponseOptions } from "./store/respond.ts";
export { createSessionStore } from "./store/session-store.ts";
export type { SessionSnapshot, SessionStore, SessionStoreOptions } from "./store/session-store.ts";
export {
  applyFrames,
  createSessionState,
  prependEvents,
  withInteractions,
  withSession,
} from "./view/session-state.ts";
export type { FoldResult, SessionState } from "./view/session-state.ts";
export type { SessionView, ToolCallItem, ViewItem } from "./view/session-view.ts";
export type { SnapshotSource } from "./store/snapshot-source.ts";
export type { CallOptions, FollowOptions, Transport } from "./transports/transport.ts";
export type { WebSocketLike } from "./transports/websocket/websocket-connection.ts";
export { createWebSocketTransport } from "./transports/websocket/websocket-transport.ts";
export type { WebSocketTransportOptions } from "./transports/websocket/websocket-transport.ts";
