/** What a message can carry beside its text. Bytes are those of the files themselves. */
export const ATTACHMENT_LIMITS = {
  /** Of all files of a message. */
  messageBytes: 10 * 1024 * 1024,
  /** Files of a message. */
  perMessage: 20,
  /** Of one image, in pixels. */
  imageSide: 10_000,
  /** Of one image: a small file can say that it has any number of pixels, and whoever draws it needs memory for all. */
  imagePixels: 50_000_000,
  /** Of one text: an agent reads it whole. */
  textBytes: 256 * 1024,
  /** Of the files of a session, sent or not. */
  sessionBytes: 128 * 1024 * 1024,
  /** Files of a session. */
  perSession: 1000,
  /** Of the files of all sessions. */
  gatewayBytes: 1024 * 1024 * 1024,
  /** How long a file is kept that was not sent. */
  unsentMs: 7 * 24 * 60 * 60 * 1000,
  /** Characters of Base64 that the files of a message have. */
  dataUnits: Math.ceil((10 * 1024 * 1024) / 3) * 4,
} as const;

/** How large the body of a request may be, in UTF-8 bytes of its JSON, over every transport. */
export const BODY_LIMITS = {
  /** Of a request that says nothing else. */
  requestBytes: 256 * 1024,
  /** Of a body with a file. */
  fileBytes: ATTACHMENT_LIMITS.dataUnits + 16 * 1024,
  /** Of a body with a person's response. */
  responseBytes: 64 * 1024,
} as const;

/** How long a program's ask can wait for a person at most, where it has a deadline. */
export const MAX_ASK_MS = 365 * 24 * 60 * 60 * 1000;

/** How long one request can wait for the end of an ask. */
export const MAX_ASK_WAIT_MS = 60_000;

/** UTF-8 bytes of what a gateway tool returns, as JSON. */
export const MAX_TOOL_RESULT_BYTES = 1024 * 1024;

/** How long a person can take a response back at most. */
export const MAX_UNDO_MS = 10_000;

/** What can be added to one interaction without answering it. */
export const NOTE_LIMITS = {
  /** UTF-16 units of a comment. */
  commentUnits: 1000,
  /** Comments of all. */
  comments: 40,
  /** Comments of one person, or of the program that asked. */
  commentsOfOne: 10,
  handOvers: 16,
  reminders: 50,
  /** So long after a reminder comes no other one. */
  remindEveryMs: 5 * 60 * 1000,
} as const;

/** UTF-8 bytes of a WebSocket's frame; a larger one ends the connection with 1009. */
export const MAX_FRAME_BYTES = 256 * 1024;

/** How long a permission mode that lets the agent do everything can be allowed for, in minutes. */
export const MAX_MODE_MINUTES = 24 * 60;

/** What a gateway asks of the clients of its WebSocket. */
export const SOCKET_LIMITS = {
  /** Of the first frame, before it is known who sends it. */
  helloBytes: 4096,
  /** How long the first frame may take. */
  helloMs: 5000,
  /** Requests of one connection that run at the same time; one more is refused with `RATE_LIMITED`. */
  runningRequests: 64,
} as const;

/** What a gateway keeps open for those who have not shown a credential. */
export const CONNECTION_LIMITS = {
  /** Connections from one address that are older than `newMs`. Of more than these the oldest ones end. */
  strangersPerSource: 256,
  /** The same, from all addresses. */
  strangers: 512,
  /** Connections of any age, from all addresses. */
  strangersOfAnyAge: 1024,
  /** How long a client may take to show its credential, whatever else goes on. */
  newMs: 1000,
} as const;

/** What one credential may use. Responses and stops count towards none of it. */
export const CREDENTIAL_LIMITS = {
  /** Bodies and frames of a person's client in a minute, and those of all agents that a person has given tokens to. */
  bytesPerMinute: 64 * 1024 * 1024,
  /** Bodies of one agent in a minute. */
  agentBytesPerMinute: 16 * 1024 * 1024,
  /** Tool calls of one agent that run at the same time. */
  runningCalls: 64,
  /** The same of all agents that a person has given tokens to. */
  runningCallsPerPerson: 256,
  /** Agents that a person has given tokens to. */
  agentTokensPerPerson: 128,
} as const;
