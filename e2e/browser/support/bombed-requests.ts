import type { HoldRequest } from "@holdpoint/engine";

import type { Bomb } from "./bombs.ts";

/** The kinds of bombed request. */
export const BOMBED_KINDS = ["command", "json", "change", "deep", "question", "form"] as const;
export type BombedKind = (typeof BOMBED_KINDS)[number];

/** A whole request has to stay below the gateway's limit of 256 KiB. */
const REQUEST_BYTES = 200_000;

/** A request with the bomb in every field that takes text of an agent. */
export function toBombedRequest(kind: BombedKind, bomb: Bomb): HoldRequest {
  const text = cutBytes(bomb.text, REQUEST_BYTES / FIELDS[kind]);
  const asked = { toolCallId: `call_${kind}`, toolName: text, agentId: text };
  switch (kind) {
    case "command":
      return approval(asked, text, { command: text, description: text, more: text });
    case "json":
      return approval(asked, text, { [text]: [text, { text }], other: [text, text] });
    case "deep":
      return approval(asked, text, { deep: nest(3000, text), many: toMany(7000) });
    case "change":
      return {
        ...approval(asked, text, { file_path: text }),
        change: { path: text, before: `${reorder(text)}\n`, after: `${text}\n` },
      } as HoldRequest;
    case "question":
      return { ...asked, prompt: text, kind: "question", questions: toQuestions(text) };
    case "form":
      return { ...asked, prompt: text, kind: "form", form: toForm(text) };
  }
}

/** The number of fields with the text in each kind of request. */
const FIELDS: Readonly<Record<BombedKind, number>> = {
  command: 13,
  json: 15,
  deep: 36,
  change: 14,
  question: 18,
  form: 22,
};

/** The longest beginning of a text whose JSON has at most `limit` bytes. */
export function cutBytes(text: string, limit: number): string {
  let end = Math.min(text.length, Math.floor(limit));
  const sizeOf = () => Buffer.byteLength(JSON.stringify(text.slice(0, end)));
  while (sizeOf() > limit) end = Math.floor(end * 0.9);
  // Never splits a character.
  return text.slice(0, /[\uD800-\uDBFF]/.test(text[end - 1] ?? "") ? end - 1 : end);
}

type Asked = Pick<HoldRequest, "toolCallId" | "toolName" | "agentId">;

function approval(asked: Asked, text: string, input: Record<string, unknown>): HoldRequest {
  return {
    ...(asked as { toolCallId: string; toolName: string }),
    kind: "approval",
    prompt: text,
    input,
    display: { title: text, description: text, reason: text, blockedPath: text, server: text },
    scopes: ["once", "always"],
    scopeText: { always: text },
    editable: true,
    error: text,
    attempt: 2,
  };
}

function nest(depth: number, core: unknown): unknown {
  let value = core;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

function toMany(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`key ${index}`, index]));
}

/** The lines of a text in another order, so that a comparison finds little in common. */
function reorder(text: string): string {
  const lines = text.split("\n");
  return lines.length === 1
    ? `${text.slice(1)}!`
    : lines
        .map((line, index) => `${line} ${(index * 7) % 13}`)
        .toReversed()
        .join("\n");
}

function toQuestions(text: string): (HoldRequest & { kind: "question" })["questions"] {
  const option = (id: string, format: "markdown" | "html") => ({
    id,
    label: text,
    description: text,
    preview: { format, content: text },
  });
  return [
    {
      id: "q1",
      header: text,
      question: text,
      multiSelect: false,
      options: [option("a", "markdown"), option("b", "html")],
    },
    {
      id: "q2",
      header: text,
      question: text,
      multiSelect: true,
      options: [option("c", "markdown")],
    },
  ];
}

function toForm(text: string): (HoldRequest & { kind: "form" })["form"] {
  const about = { title: text, description: text };
  return {
    schema: {
      type: "object",
      ...about,
      properties: {
        line: { type: "string", ...about, default: text },
        lines: { type: "string", ...about, multiline: true, default: text },
        number: { type: "number", ...about },
        yes: { type: "boolean", ...about },
        [text.slice(0, 1000)]: {
          type: "string",
          ...about,
          enum: [text, "b"],
          enumNames: [text, text],
        },
        many: { type: "array", ...about, items: { anyOf: [{ const: "a", title: text }] } },
      },
    },
  };
}
