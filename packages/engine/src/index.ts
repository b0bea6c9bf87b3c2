export { GatewayError, StoreError } from "./gateway-error.ts";
export { openGateway } from "./gateway.ts";
export type { CloseOptions, Gateway } from "./gateway.ts";
export type { GatewayLimits, GatewayOptions } from "./gateway-options.ts";
export type {
  AgentAdapter,
  AgentDelta,
  AgentEvent,
  AgentSession,
  HoldRequest,
  HoldResult,
  OpenSessionOptions,
  TurnContext,
  TurnMessage,
  TurnResult,
} from "./ports/agent-adapter.ts";
export type { Clock } from "./ports/clock.ts";
export type { CredentialStore, StoredCredential } from "./ports/credential-store.ts";
export type { GrantQuery, GrantStore, GrantWrite, StoredGrant } from "./ports/grant-store.ts";
export type { Ids } from "./ports/ids.ts";
export type {
  AppendConflict,
  AppendResult,
  Batch,
  EventQuery,
  InteractionQuery,
  InteractionWrite,
  Store,
  StoredInteraction,
  StoredMessage,
  StoredSession,
} from "./ports/store.ts";
export { createSystemClock } from "./system-clock.ts";
export { createSystemIds } from "./system-ids.ts";
