export {
  attachmentDataSchema,
  attachmentSchema,
  attachmentTypeSchema,
  uploadAttachmentBodySchema,
} from "./attachment.ts";
export type {
  Attachment,
  AttachmentData,
  AttachmentType,
  UploadAttachmentBody,
} from "./attachment.ts";
export { checkAttachment } from "./attachment-facts.ts";
export type { AttachmentCheck, AttachmentFacts, AttachmentProblem } from "./attachment-facts.ts";
export { toAttachmentName } from "./attachment-name.ts";
export { refusalOfAccess, type Access } from "./access.ts";
export { toStatementText, toThumbprintText } from "./device-proof.ts";
export type { GatewayStatement, ProofClaims, PublicKey } from "./device-proof.ts";
export { LOOK_ALIKES } from "./look-alikes.ts";
export { markText, toMarkedString, type TextUse } from "./mark-text.ts";
export type { TextSegment } from "./text-segments.ts";
export { jsonWithoutMentions, withoutMentions } from "./without-mentions.ts";
export * from "./summarize-request.ts";
export { fillText, splitText } from "./fill-text.ts";
export type { NamesIn, TextLanguage, ValuesOf } from "./fill-text.ts";
export { withDistinctLabels } from "./distinct-labels.ts";
export { toDistinctTitles } from "./distinct-titles.ts";
export { InexactNumberError, parseExactJson } from "./exact-json.ts";
export { ENGLISH_SAYINGS, type SayingCode } from "./english-sayings.ts";
export { inEnglish, saidOf, saying, sayIn, textOf, type SayingTexts, type Told } from "./saying.ts";
export { saidSchema, sayingSchema, type Said, type Saying } from "./saying-schema.ts";
export { refusal } from "./refusal.ts";
export { asTitleCode, toPlainTitle, toTitleParts, type TitlePart } from "./title-parts.ts";
export { backoffMs, type Backoff } from "./backoff.ts";
export { isRecord } from "./is-record.ts";
export { pagesOf } from "./pages-of.ts";
export { closeCodeOf, ERROR_CODES, errorFactsOf, isErrorCode } from "./error-code.ts";
export type { ErrorCode } from "./error-code.ts";
export { agentErrorCodeSchema, eventSchema, turnEndReasonSchema } from "./event.ts";
export type {
  AgentErrorCode,
  EventOf,
  SessionEvent,
  SessionEventType,
  TurnEndReason,
  UnplacedEvent,
} from "./event.ts";
export {
  agentCommandListSchema,
  agentCommandSchema,
  agentModelListSchema,
  agentModelSchema,
} from "./agent-offers.ts";
export type { AgentCommand, AgentModel } from "./agent-offers.ts";
export {
  fileListSchema,
  fileQuerySchema,
  folderFileQuerySchema,
  folderQuerySchema,
} from "./workspace-files.ts";
export type { FileList } from "./workspace-files.ts";
export * from "./terminal-answer.ts";
export { turnUsageSchema, type TurnUsage } from "./turn-usage.ts";
export { folderOfferSchema, folderTrustSchema, trustFolderBodySchema } from "./folder-trust.ts";
export type { FolderOffer, FolderTrust, TrustFolderBody } from "./folder-trust.ts";
export { fieldChoices, isChoiceField, isSensitiveField, type FieldChoice } from "./form-field.ts";
export { formSchema } from "./form-schema.ts";
export type {
  BooleanField,
  ChoiceField,
  ChoicesField,
  FieldSchema,
  FormSchema,
  NumberField,
  TextField,
  TitledChoiceField,
} from "./form-schema.ts";
export { checkFieldValue, checkFormValues, MAX_PATTERN_TEXT_LENGTH } from "./form-values.ts";
export {
  ephemeralFrameSchema,
  overviewCountsSchema,
  overviewFrameSchema,
  sessionFrameSchema,
} from "./frame.ts";
export type { EphemeralFrame, OverviewCounts, OverviewFrame, SessionFrame } from "./frame.ts";
export type { Caller } from "./caller.ts";
export type {
  AnnounceOptions,
  Cursor,
  FollowOptions,
  GatewayApi,
  SerializedFrame,
} from "./gateway-api.ts";
export {
  askBodySchema,
  askCallbackSchema,
  askFrameSchema,
  askQuerySchema,
  askSchema,
} from "./ask.ts";
export type { Ask, AskBody, AskCallback } from "./ask.ts";
export {
  commandRuleSchema,
  createRuleBodySchema,
  grantListSchema,
  grantSchema,
  ruleDraftSchema,
  rulePreviewSchema,
} from "./grant.ts";
export type {
  CommandRule,
  CreateRuleBody,
  Grant,
  GrantList,
  LoggedCommand,
  RuleDraft,
  RulePreview,
} from "./grant.ts";
export {
  agentListSchema,
  agentTokenBodySchema,
  agentTokenSchema,
  approveBodySchema,
  createdAgentTokenSchema,
  createSessionBodySchema,
  denyBodySchema,
  eventPageQuerySchema,
  eventPageSchema,
  exchangeCodeBodySchema,
  exchangedCodeSchema,
  gatewayHelloBodySchema,
  gatewayHelloSchema,
  giveSessionBodySchema,
  groupListSchema,
  healthSchema,
  readinessSchema,
  interactionListQuerySchema,
  interactionListSchema,
  interactionModeBodySchema,
  listQuerySchema,
  pairingSchema,
  programScopeSchema,
  programTokenBodySchema,
  programTokenSchema,
  queueSchema,
  renameDeviceBodySchema,
  respondResultSchema,
  saysSomething,
  sendMessageBodySchema,
  sentMessageSchema,
  sessionListQuerySchema,
  sessionListSchema,
  submitAnswersBodySchema,
  updateSessionBodySchema,
} from "./http.ts";
export type {
  AgentToken,
  ApproveBody,
  CreatedAgentToken,
  CreateSessionBody,
  DenyBody,
  EventPage,
  GiveSessionBody,
  GatewayHello,
  InteractionList,
  ListQuery,
  ProgramScope,
  ProgramToken,
  ProgramTokenBody,
  SendMessageBody,
  SentMessage,
  SessionList,
  SessionListQuery,
  SubmitAnswersBody,
  UpdateSessionBody,
} from "./http.ts";
export {
  approvalSchema,
  deliverySchema,
  interactionKindSchema,
  interactionSchema,
  interactionStatusSchema,
  questionSchema,
} from "./interaction.ts";
export type {
  Approval,
  ApprovalDisplay,
  Delivery,
  FileChange,
  Form,
  Interaction,
  InteractionKind,
  OptionPreview,
  Question,
  QuestionOption,
} from "./interaction.ts";
export { foldInteraction, newerInteraction } from "./interaction-event.ts";
export { refusalOfResponse, transition } from "./interaction-life.ts";
export type {
  InteractionEffect,
  InteractionEvent,
  InteractionInput,
  InteractionPhase,
  InteractionRefusal,
  InteractionTransition,
} from "./interaction-input.ts";
export {
  addedTo,
  ANSWERABLE_STATUSES,
  CLOSED_STATUSES,
  INTERACTION_STATUSES,
  LATE_STATUSES,
  OUTSTANDING_STATUSES,
  isAnswerable,
  isAnswered,
  isFinal,
  isHolding,
  isKept,
  isLate,
  isParked,
  isQueued,
  isResuming,
  takesLateAnswer,
} from "./interaction-status.ts";
export type {
  AnswerableStatus,
  ClosedStatus,
  InteractionHold,
  InteractionStatus,
  LateStatus,
} from "./interaction-status.ts";
export {
  ATTACHMENT_LIMITS,
  BODY_LIMITS,
  MAX_UNDO_MS,
  CONNECTION_LIMITS,
  CREDENTIAL_LIMITS,
  MAX_FRAME_BYTES,
  MAX_MODE_MINUTES,
  NOTE_LIMITS,
  PICTURE_LIMITS,
  SOCKET_LIMITS,
  MAX_TOOL_RESULT_BYTES,
} from "./limits.ts";
export {
  notificationsSchema,
  notificationTestSchema,
  notifyAboutSchema,
  quietHoursSchema,
  subscribeBodySchema,
  updateNotificationsBodySchema,
} from "./notifications.ts";
export type {
  Notifications,
  NotificationTest,
  NotifiedDevice,
  NotifyAbout,
  QuietHours,
  SubscribeBody,
  UpdateNotificationsBody,
} from "./notifications.ts";
export { callOperation } from "./call-operation.ts";
export { toArguments, toInput } from "./operation.ts";
export type {
  ClientArguments,
  GatewayArguments,
  OperationInput,
  RespondResult,
  ResultOf,
} from "./operation.ts";
export { bodyLimitOf, idsSchemaOf, parseOperationInput, toInputError } from "./operation-input.ts";
export { detailsOf } from "./operation-schemas.ts";
export { factsOf, idsOf, OPERATION_NAMES, OPERATIONS } from "./operations.ts";
export type { OperationFacts, OperationName } from "./operations.ts";
export { parseInput, toBadRequest } from "./parse-input.ts";
export { parseFormSchema } from "./parse-form-schema.ts";
export { problemSchema, winnerSchema, type Problem } from "./problem.ts";
export {
  drainingError,
  fromProblem,
  ProtocolError,
  tooLarge,
  toOutcomeProblem,
  toProblem,
} from "./protocol-error.ts";
export type { ProblemExtras } from "./protocol-error.ts";
export {
  answerSchema,
  approvalScopeSchema,
  grantLimitSchema,
  respondBodySchema,
  undoBodySchema,
  responderSchema,
  signedInSchema,
  signInMethodSchema,
  responseActionSchema,
  responseSchema,
} from "./response.ts";
export type {
  Answer,
  ApprovalScope,
  GrantLimit,
  InteractionResponse,
  RespondBody,
  UndoBody,
  Responder,
  SignedIn,
  SignInMethod,
  ResponseAction,
} from "./response.ts";
export {
  agentInfoSchema,
  givenGroupSchema,
  limitedModeSchema,
  MAX_GIVEN_GROUPS,
  queuedMessageSchema,
  sessionSchema,
  sessionStatusSchema,
} from "./session.ts";
export type {
  AgentInfo,
  GivenGroup,
  LimitedMode,
  QueuedMessage,
  Session,
  SessionStatus,
} from "./session.ts";
export {
  clientFrameSchema,
  FRAME_OPERATIONS,
  helloFrameSchema,
  requestFrameSchema,
  serverFrameSchema,
} from "./socket.ts";
export type { ClientFrame, HelloFrame, RequestFrame, ServerFrame } from "./socket.ts";
export { toolListSchema, toolSummarySchema, type ToolSummary } from "./tool.ts";
export { PROTOCOL_VERSION } from "./version.ts";
export { readVisitAddress, type VisitAddress, type VisitReading } from "./visit-address.ts";
export {
  historyEntrySchema,
  historyFilterSchema,
  historyNamesSchema,
  historyQuerySchema,
  historySchema,
  MAX_HISTORY_WORDS,
  type History,
  type HistoryEntry,
  type HistoryFilter,
  type HistoryNames,
  type HistoryQuery,
} from "./history.ts";
export * from "./snooze.ts";
export { isTraceparent } from "./traceparent.ts";
export {
  blockSchema,
  namedSchema,
  responderPolicySchema,
  respondersSchema,
  signedInAsSchema,
} from "./responders.ts";
export type {
  Block,
  Circle,
  Named,
  ResponderPolicy,
  Responders,
  SignedInAs,
} from "./responders.ts";
export {
  groupsAt,
  hasHandedOver,
  isAskedOf,
  isHandedTo,
  isMeant,
  isOutsider,
  keysOfVoter,
  mayEverAnswer,
  namedAt,
  nextStepOf,
  refusalOfHandOver,
  refusalOfResponder,
  rulesOf,
} from "./may-answer.ts";
export * from "./note.ts";
export { isNamed, mayCome, maySee, namedIn, seenByOf, sightOf } from "./may-see.ts";
export type { Seen, Sight, Viewer } from "./may-see.ts";
export { OPERATION_REACH, type Reach } from "./operation-reach.ts";
export { toSameCase } from "./key-of-named.ts";
export { isYes, needOf } from "./yes.ts";
export type { ResponderRefusal, Voter } from "./may-answer.ts";
export { freezePolicy, isOpenToAll, joinPolicies, withIssuer } from "./join-policies.ts";
export type { AskedFor, JoinedPolicy } from "./join-policies.ts";
export { personKeyOf } from "./person-key.ts";
export { personSchema, type Person } from "./person.ts";
export { hasRole, roleSchema, ROLES, type Role } from "./role.ts";
export * from "./sign-in.ts";
export { urlAt } from "./url-at.ts";
