/** Limits for attachments. Sizes refer to the raw bytes of the files. */
export const ATTACHMENT_LIMITS = {
  /** All files of a message together. */
  messageBytes: 10 * 1024 * 1024,
  /** Files in a message. */
  perMessage: 20,
  /** Width or height of an image in pixels. */
  imageSide: 10_000,
  /** Pixels of an image. A small file can declare any number, and drawing it takes memory for all of them. */
  imagePixels: 50_000_000,
  /** Size of a text file, which an agent reads as a whole. */
  textBytes: 256 * 1024,
  /** All files of a session together, sent or not. */
  sessionBytes: 128 * 1024 * 1024,
  /** Files in a session. */
  perSession: 1000,
  /** The files of all sessions together. */
  gatewayBytes: 1024 * 1024 * 1024,
  /** How long an unsent file is kept. */
  unsentMs: 7 * 24 * 60 * 60 * 1000,
  /** The files of a message in characters of Base64. */
  dataUnits: Math.ceil((10 * 1024 * 1024) / 3) * 4,
} as const;

/** Limits for the pictures in results of tool calls. They use at most half of the room for files. */
export const PICTURE_LIMITS = {
  /** Pictures of one result. */
  perResult: 20,
  /** Of the files of a session, with pictures. */
  sessionBytes: ATTACHMENT_LIMITS.sessionBytes / 2,
  /** Files of a session, with pictures. */
  perSession: ATTACHMENT_LIMITS.perSession / 2,
  /** Of the files of all sessions. */
  gatewayBytes: ATTACHMENT_LIMITS.gatewayBytes / 2,
} as const;

/** Limits for the body of a request, in UTF-8 bytes of its JSON, on every transport. */
export const BODY_LIMITS = {
  /** The default for all requests. */
  requestBytes: 256 * 1024,
  /** A body with a file. */
  fileBytes: ATTACHMENT_LIMITS.dataUnits + 16 * 1024,
  /** A body with a person's response. */
  responseBytes: 64 * 1024,
} as const;

/** The longest time for which a program's ask with a deadline can wait for a person. */
export const MAX_ASK_MS = 365 * 24 * 60 * 60 * 1000;

/** How long a single request can wait for the end of an ask. */
export const MAX_ASK_WAIT_MS = 60_000;

/** The size of a gateway tool's result, in UTF-8 bytes of its JSON. */
export const MAX_TOOL_RESULT_BYTES = 1024 * 1024;

/** The longest time during which a person can take a response back. */
export const MAX_UNDO_MS = 10_000;

/** Limits for the notes on one interaction. */
export const NOTE_LIMITS = {
  /** Length of a comment in UTF-16 units. */
  commentUnits: 1000,
  /** Comments by everyone together. */
  comments: 40,
  /** Comments by one person, or by the program that asked. */
  commentsOfOne: 10,
  handOvers: 16,
  reminders: 50,
  /** The minimum time between two reminders. */
  remindEveryMs: 5 * 60 * 1000,
} as const;

/** The size of a WebSocket frame in UTF-8 bytes. A larger one ends the connection with 1009. */
export const MAX_FRAME_BYTES = 256 * 1024;

/** The longest time for a permission mode that lets the agent do everything, in minutes. */
export const MAX_MODE_MINUTES = 24 * 60;

/** Limits for the clients of a gateway's WebSocket. */
export const SOCKET_LIMITS = {
  /** Size of the first frame, when the sender is still unknown. */
  helloBytes: 4096,
  /** The time within which the first frame must arrive. */
  helloMs: 5000,
  /** Requests that run at the same time on one connection. A further one is refused with `RATE_LIMITED`. */
  runningRequests: 64,
} as const;

/** Limits for connections whose client has not shown a credential. */
export const CONNECTION_LIMITS = {
  /** Connections from one address that are older than `newMs`. Beyond this number, the oldest ones are closed. */
  strangersPerSource: 256,
  /** Connections from all addresses that are older than `newMs`. */
  strangers: 512,
  /** Connections of any age, from all addresses. */
  strangersOfAnyAge: 1024,
  /** The time that every client has to show its credential, regardless of other connections. */
  newMs: 1000,
} as const;

/** Limits for one credential. Responses and stops do not count. */
export const CREDENTIAL_LIMITS = {
  /** Bodies and frames per minute: of a person's client, or of all agent tokens created by one person together. */
  bytesPerMinute: 64 * 1024 * 1024,
  /** Bodies per minute, for one agent. */
  agentBytesPerMinute: 16 * 1024 * 1024,
  /** Concurrent tool calls of one agent. */
  runningCalls: 64,
  /** Concurrent tool calls over all agent tokens created by one person. */
  runningCallsPerPerson: 256,
  /** Agent tokens created by one person. */
  agentTokensPerPerson: 128,
} as const;
