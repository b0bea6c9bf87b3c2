import { type StoredMessage, type StoredSession, toSearchable } from "@holdpoint/engine";

import { fromKey, toKey, toSearchedText, withoutNul } from "./text-key.ts";

export type Value = string | number | boolean | null | Buffer | readonly string[];
export type Row = Readonly<Record<string, Value>>;
/** A row of SQLite in the form returned by `node:sqlite`. */
export type LiteRow = Readonly<Record<string, string | number | null | Uint8Array>>;

/** A table in both stores. Its rows are compared in their Postgres form. */
export interface MovedTable {
  readonly name: string;
  /** The columns in Postgres. The first `keys` of them identify and order the rows. */
  readonly columns: readonly string[];
  readonly keys: number;
  /** Reads all rows from SQLite, ordered by their keys. */
  readonly select: string;
  readonly fromLite: (row: LiteRow) => Row;
  /** Converts a row to SQLite columns, in the order of the parameters of `insert`. */
  readonly toLite: (row: Row) => Record<string, Exclude<Value, boolean | readonly string[]>>;
  /** Inserts into SQLite. Default: the columns unchanged. */
  readonly insert?: string;
}

const LOG_LENGTH = 2 ** 32;

/**
 * A table with the same columns in both stores, except that keys contain no NUL in Postgres and SQLite has no booleans.
 */
function sameTable(
  name: string,
  columns: readonly string[],
  { keys = 1, ids = [], booleans = [] }: { keys?: number; ids?: string[]; booleans?: string[] },
): MovedTable {
  return {
    name,
    columns,
    keys,
    select: `SELECT * FROM ${name} ORDER BY ${columns.slice(0, keys).join(", ")}`,
    fromLite: (row) =>
      Object.fromEntries(
        columns.map((column) => {
          const value = row[column] ?? null;
          if (booleans.includes(column)) return [column, value === 1];
          if (ids.includes(column) && value !== null) return [column, withoutNul(String(value))];
          return [column, value instanceof Uint8Array ? Buffer.from(value) : value];
        }),
      ),
    toLite: (row) =>
      Object.fromEntries(
        columns.map((column) => {
          const value = row[column] ?? null;
          if (ids.includes(column) && value !== null) return [column, toLiteKey(String(value))];
          return [column, typeof value === "boolean" ? Number(value) : (value as string)];
        }),
      ),
  };
}

function toLiteKey(key: string): string {
  const id = fromKey(key);
  return withoutNul(id) === key ? id : key;
}

function parse<T>(json: Value | Uint8Array | undefined, use: (value: unknown) => T): T {
  return use(JSON.parse(String(json)));
}

const SESSIONS: MovedTable = {
  name: "sessions",
  columns: [
    "session_number",
    "session_id",
    "last_seq",
    "updated_at_ms",
    "is_busy",
    "is_archived",
  ].concat("mode_ends_at", "title", "searched", "json"),
  keys: 1,
  select: `SELECT session_number, session_id, updated_at_ms, is_busy, json, coalesce((
      SELECT max(place) FROM events
      WHERE place > session_number << 32 AND place < (session_number + 1) << 32
    ) & 4294967295, 0) AS last_seq FROM sessions ORDER BY session_number`,
  fromLite: (row) => {
    const session = parse(row["json"], (value) => value as StoredSession);
    return {
      session_number: Number(row["session_number"]),
      session_id: toKey(session.sessionId),
      last_seq: Number(row["last_seq"]),
      updated_at_ms: Number(row["updated_at_ms"]),
      is_busy: row["is_busy"] === 1,
      is_archived: session.archivedAt !== undefined,
      mode_ends_at: session.limitedMode?.endsAt ?? null,
      title: toSearchedText(toSearchable(session.title)),
      searched: toSearchedText(toSearchable(`${session.title} ${session.cwd}`)),
      json: String(row["json"]),
    };
  },
  toLite: (row) => ({
    session_number: Number(row["session_number"]),
    session_id: toLiteKey(String(row["session_id"])),
    updated_at_ms: Number(row["updated_at_ms"]),
    is_busy: Number(row["is_busy"]),
    json: String(row["json"]),
  }),
};

const EVENTS: MovedTable = {
  name: "events",
  columns: ["session_number", "seq", "hash", "json"],
  keys: 2,
  select: `SELECT place >> 32 AS session_number, place & 4294967295 AS seq, hash, json FROM events
    ORDER BY place`,
  fromLite: ({ session_number, seq, hash, json }) => ({
    session_number: Number(session_number),
    seq: Number(seq),
    hash: Buffer.from(hash as Uint8Array),
    json: String(json),
  }),
  toLite: ({ session_number, seq, hash, json }) => ({
    place: Number(session_number) * LOG_LENGTH + Number(seq),
    hash: hash as Buffer,
    json: String(json),
  }),
};

const MESSAGES: MovedTable = {
  ...sameTable(
    "messages",
    [
      "message_number",
      "session_number",
      "message_id",
      "idempotency_key",
      "queued",
      "json",
      "attachment_ids",
    ],
    { ids: ["message_id", "idempotency_key"], booleans: ["queued"] },
  ),
  fromLite: (row) => {
    const { attachments = [] } = parse(row["json"], (value) => value as StoredMessage);
    return {
      message_number: Number(row["message_number"]),
      session_number: Number(row["session_number"]),
      message_id: withoutNul(String(row["message_id"])),
      idempotency_key:
        typeof row["idempotency_key"] === "string" ? withoutNul(row["idempotency_key"]) : null,
      queued: row["queued"] === 1,
      json: String(row["json"]),
      attachment_ids: attachments.map(({ attachmentId }) => toKey(attachmentId)),
    };
  },
  toLite: (row) => {
    const { attachment_ids: _, ...columns } = row;
    const key = columns["idempotency_key"];
    return {
      message_number: Number(columns["message_number"]),
      session_number: Number(columns["session_number"]),
      message_id: toLiteKey(String(columns["message_id"])),
      idempotency_key: typeof key === "string" ? toLiteKey(key) : null,
      queued: Number(columns["queued"]),
      json: String(columns["json"]),
    };
  },
};

const INTERACTION_COLUMNS = [
  "interaction_number",
  "interaction_id",
  "session_number",
  "request_seq",
  "tool_call_id",
].concat(
  ["is_of_gateway_tool", "takes_late_answer", "started_at_ms", "status", "stage", "hold"],
  ["due_at_ms", "json", "request"],
);

const INTERACTIONS: MovedTable = {
  ...sameTable("interactions", INTERACTION_COLUMNS, {
    ids: ["interaction_id", "tool_call_id"],
    booleans: ["is_of_gateway_tool", "takes_late_answer"],
  }),
  // Omits `answer_place`, which exceeds the safe integers of JavaScript.
  select: `SELECT ${INTERACTION_COLUMNS.join(", ")} FROM interactions ORDER BY interaction_number`,
};

const ANSWER_COLUMNS = ["interaction_number", "session_number", "answered_at_ms"].concat(
  ["person", "agent", "tool", "action"],
  ["words"],
);

/**
 * In SQLite an answer's place is derived from its time, as in the SQLite store. `PLACE_ANSWERS` copies it to the
 * interactions.
 */
const ANSWERS: MovedTable = {
  ...sameTable("answers", ANSWER_COLUMNS, { ids: ["person", "tool"] }),
  select: `SELECT interaction_number, session_number, place >> 20 AS answered_at_ms,
      person, agent, tool, action, words
    FROM answers ORDER BY interaction_number`,
  fromLite: (row) => ({
    interaction_number: Number(row["interaction_number"]),
    session_number: Number(row["session_number"]),
    answered_at_ms: Number(row["answered_at_ms"]),
    person: withoutNul(String(row["person"])),
    agent: toSearchedText(String(row["agent"])),
    tool: withoutNul(String(row["tool"])),
    action: String(row["action"]),
    words: toSearchedText(String(row["words"])),
  }),
  insert: `INSERT INTO answers
    (interaction_number, session_number, place, person, agent, tool, action, words)
    VALUES (?1, ?2, coalesce((
      SELECT max(place) + 1 FROM answers WHERE place >= ?3 << 20 AND place < (?3 + 1) << 20
    ), ?3 << 20), ?4, ?5, ?6, ?7, ?8)`,
};

/** Run it when all tables are in SQLite. */
export const PLACE_ANSWERS = `UPDATE interactions SET answer_place = answer.place
  FROM answers AS answer WHERE answer.interaction_number = interactions.interaction_number`;

const SNOOZES: MovedTable = {
  name: "snoozes",
  columns: ["interaction_number", "person", "json", "until_ms"],
  keys: 2,
  select: "SELECT * FROM snoozes ORDER BY interaction_number, person",
  fromLite: (row) => {
    const person = fromKey(String(row["person"]));
    const { interaction_id: interactionId, until_ms: untilMs } = row;
    return {
      interaction_number: Number(row["interaction_number"]),
      person: toKey(person),
      json: JSON.stringify({ person, interactionId, untilMs }),
      until_ms: Number(untilMs),
    };
  },
  toLite: (row) => ({
    interaction_number: Number(row["interaction_number"]),
    person: toLiteKey(String(row["person"])),
    interaction_id: parse(
      row["json"],
      (value) => (value as { interactionId: string }).interactionId,
    ),
    until_ms: Number(row["until_ms"]),
  }),
};

/** In Postgres the seal is part of the JSON. */
const CREDENTIALS: MovedTable = {
  ...sameTable(
    "credentials",
    ["token_id", "token_hash", "created_at_ms", "last_used_at_ms", "json"],
    {},
  ),
  fromLite: (row) => ({
    token_id: withoutNul(String(row["token_id"])),
    token_hash: withoutNul(String(row["token_hash"])),
    created_at_ms: Number(row["created_at_ms"]),
    last_used_at_ms: row["last_used_at_ms"] === null ? null : Number(row["last_used_at_ms"]),
    json: parse(row["json"], (value) =>
      JSON.stringify({ ...(value as object), seal: row["seal"] }),
    ),
  }),
  toLite: (row) => {
    const { seal, ...credential } = parse(row["json"], (value) => value as { seal: string });
    return {
      token_id: toLiteKey(String(row["token_id"])),
      token_hash: toLiteKey(String(row["token_hash"])),
      created_at_ms: Number(row["created_at_ms"]),
      last_used_at_ms: row["last_used_at_ms"] as number | null,
      json: JSON.stringify(credential),
      seal,
    };
  },
};

/** Ordered so that rows follow the rows that they refer to. */
export const MOVED_TABLES: readonly MovedTable[] = [
  SESSIONS,
  EVENTS,
  INTERACTIONS,
  ANSWERS,
  SNOOZES,
  MESSAGES,
  sameTable(
    "attachments",
    [
      "attachment_number",
      "session_number",
      "attachment_id",
      "uploaded_at_ms",
      "message_count",
    ].concat(["size", "json", "data"]),
    { ids: ["attachment_id"] },
  ),
  {
    ...sameTable(
      "grants",
      ["grant_id", "key_hash", "session_number", "created_at_ms", "expires_at_ms"].concat([
        "last_used_at_ms",
        "uses_left",
        "json",
      ]),
      { ids: ["grant_id", "key_hash"] },
    ),
    select: "SELECT * FROM grants WHERE epoch = (SELECT epoch FROM history) ORDER BY grant_id",
  },
  CREDENTIALS,
  sameTable("notification_subscriptions", ["device_id", "created_at_ms", "json"], {
    ids: ["device_id"],
  }),
  sameTable(
    "notification_deliveries",
    ["delivery_id", "target_id", "is_closed", "created_at_ms", "changed_at_ms", "json"],
    { ids: ["delivery_id", "target_id"], booleans: ["is_closed"] },
  ),
  sameTable(
    "ask_callbacks",
    ["interaction_id", "is_open", "created_at_ms", "changed_at_ms", "json"],
    { ids: ["interaction_id"], booleans: ["is_open"] },
  ),
];

/** Tables numbered by a Postgres sequence. */
export const NUMBERED: readonly (readonly [table: string, column: string])[] = [
  ["sessions", "session_number"],
  ["interactions", "interaction_number"],
  ["messages", "message_number"],
  ["attachments", "attachment_number"],
];
