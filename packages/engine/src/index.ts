export { CHAIN_START, chainHash, chainKey, chainText } from "./lib/chain.ts";
export type { AuditSource } from "./ports/audit-source.ts";
export type { ChainLink } from "./lib/chain.ts";
export { fromKey, toKey, withoutNul } from "./lib/text-key.ts";
export { toProtocolError } from "./lib/errors.ts";
export { GatewayError, StoreError } from "./lib/gateway-error.ts";
export { RequestWithdrawn } from "./lib/request-withdrawn.ts";
export { openGateway } from "./gateway/gateway.ts";
export type { NamedSession } from "./gateway/ensure-session.ts";
export type { CloseOptions, Gateway } from "./gateway/gateway.ts";
export type { GatewayFigures } from "./gateway/gateway-figures.ts";
export { ANSWER_SECONDS } from "./stream/interaction-figures.ts";
export type { OnInteraction } from "./stream/overview-feed.ts";
export type { GatewayLimits, GatewayOptions } from "./gateway/gateway-options.ts";
export { defaultGrantKey } from "./grants/grant-key.ts";
export { createMemoryCredentialStore } from "./memory-store/memory-credential-store.ts";
export { createMemoryStore } from "./memory-store/memory-store.ts";
export type { FileListing } from "./ports/file-listing.ts";
export type {
  AgentAdapter,
  AgentDelta,
  AgentEvent,
  AgentOffers,
  AgentSession,
  ApprovedCall,
  HoldRequest,
  HoldResult,
  OpenSessionOptions,
  TurnContext,
  TurnMessage,
  TurnRecord,
  TurnResult,
} from "./ports/agent-adapter.ts";
export type { Pruned, PrunedSession, PruneOptions, PruneRule } from "./session/prune-sessions.ts";
export { Credentials } from "./credentials/credentials.ts";
export { createPairingCode } from "./credentials/pairing-code.ts";
export { Pairings } from "./credentials/pairings.ts";
export type { Pairing } from "./credentials/pairings.ts";
export type { NewCredential } from "./credentials/credentials.ts";
export type { Clock } from "./ports/clock.ts";
export type {
  Credential,
  Holder,
  SignIn,
  CredentialKind,
  CredentialStore,
  StoredCredential,
} from "./ports/credential-store.ts";
export { NO_FOLDER } from "./ports/folder-trust.ts";
export type {
  AttachmentRoom,
  AttachmentStore,
  StoredAttachment,
} from "./ports/attachment-store.ts";
export type { FolderTrustPort } from "./ports/folder-trust.ts";
export type { GrantQuery, GrantStore, GrantWrite, StoredGrant } from "./ports/grant-store.ts";
export type { Ids } from "./ports/ids.ts";
export type { CallbackOf, CallbacksPort } from "./ports/callbacks.ts";
export { NO_PEOPLE, type PeoplePort } from "./ports/people.ts";
export type { ResponderConfig } from "./interaction/find-responders.ts";
export type { NotificationsPort } from "./ports/notifications.ts";
export type {
  AnswerableCounts,
  AppendConflict,
  AppendResult,
  Batch,
  ChainedEvent,
  EventQuery,
  InteractionQuery,
  SessionQuery,
  InteractionWrite,
  Store,
  StoredCounts,
  StoredInteraction,
  StoredSnooze,
  AnsweredFilter,
  AnsweredInteraction,
  AnsweredQuery,
  StoredMessage,
  StoredSession,
} from "./ports/store.ts";
export { createSerial } from "./lib/serial.ts";
export type { Serial } from "./lib/serial.ts";
export { EarliestTimer } from "./lib/earliest-timer.ts";
export { scheduleAt } from "./lib/schedule-at.ts";
export { Lifetime } from "./lib/lifetime.ts";
export { createSystemClock } from "./lib/system-clock.ts";
export { createSystemIds } from "./lib/system-ids.ts";
export { takeUnits } from "./lib/take-units.ts";
export { defineTool } from "./tools/define-tool.ts";
export type { Tool } from "./tools/define-tool.ts";
export type { FormField, FormFields } from "./tools/form-fields.ts";
export type { FoundCall } from "./tools/find-call.ts";
export type { GatewayTools } from "./tools/gateway-tools.ts";
export type { AnyValues, FormInput, KnownWords, ValuesOf } from "./tools/form-values.ts";
export type { ResultOf } from "./tools/interaction-outcome.ts";
export type {
  ApprovalRequest,
  FormRequest,
  InteractionOutcome,
  InteractionRequest,
  OptionInput,
  QuestionInput,
  QuestionRequest,
  Reprompt,
} from "./tools/interaction-request.ts";
export type {
  ApprovalResponse,
  FormResponse,
  PersonResponse,
  QuestionResponse,
} from "./tools/person-response.ts";
export type { ToolCall, ToolCallOptions, ToolCallRequest } from "./tools/running-call.ts";
export type {
  RequestInteraction,
  ToolApprovals,
  ToolContext,
  ToolInteraction,
  ToolLog,
  ToolLogEntry,
} from "./tools/tool-context.ts";
export { ToolError } from "./tools/tool-error.ts";
export type { ToolErrorCode } from "./tools/tool-error.ts";
export type { LateAnswers } from "./tools/late-answers.ts";
export type { ToolInfo } from "./tools/tool-registry.ts";
export type { ToolCallResult } from "./tools/tool-result.ts";
export { historyText, toSearchable } from "./lib/history-text.ts";
