import {
  jsonWithoutMentions,
  withoutMentions,
  type Answer,
  type Interaction,
  type InteractionResponse,
  type Question,
} from "@holdpoint/protocol";

import { toInstant } from "../lib/instant.ts";
import type { Clock } from "../ports/clock.ts";
import type { StoredGrant } from "../ports/grant-store.ts";
import type { Ids } from "../ports/ids.ts";
import type { StoredMessage } from "../ports/store.ts";

interface LateResponseFacts {
  /** The later calls that the approval covers; absent: none. */
  readonly allows?: "one_call" | "more_calls" | undefined;
  /** The tool's text for the agent, if the tool received the response first. */
  readonly toolSays?: string | undefined;
}

export interface LateMessageParts {
  readonly ids: Ids;
  readonly clock: Clock;
}

/** The message that brings a late response to the agent. Its idempotency key prevents a second one. */
export function createLateMessage(
  { ids, clock }: LateMessageParts,
  interaction: Interaction,
  facts: LateResponseFacts = {},
): StoredMessage {
  return {
    sessionId: interaction.sessionId,
    messageId: ids.next("msg"),
    turnId: ids.next("trn"),
    content: lateResponseMessage(interaction, facts),
    origin: "late_response",
    queuedAt: toInstant(clock.now()),
    idempotencyKey: lateMessageKey(interaction),
    interactionId: interaction.interactionId,
  };
}

/** The later calls covered by the grant that a late approval creates. */
export function allowedBy(made: StoredGrant | undefined): LateResponseFacts["allows"] {
  if (!made) return undefined;
  return made.grant.scope === "once" ? "one_call" : "more_calls";
}

/**
 * The message's idempotency key. It changes after a response was taken back. Keys of people's messages have another
 * prefix.
 */
export function lateMessageKey({
  interactionId,
  reopenings = 0,
}: Pick<Interaction, "interactionId" | "reopenings">): string {
  return `late_response:${reopenings === 0 ? "" : `${reopenings}:`}${interactionId}`;
}

/**
 * The text for an agent whose wait had ended when the response came. It repeats the request and the answer, and states
 * that nothing has run because of it, unless the tool received the response first. It names no file that the agent's
 * runtime would read.
 */
export function lateResponseMessage(
  interaction: Interaction,
  { allows, toolSays }: LateResponseFacts = {},
): string {
  const { response } = interaction;
  if (!response) throw new TypeError("The interaction has no response.");
  const subject =
    interaction.kind === "approval"
      ? `a request to use the tool ${interaction.toolName}`
      : `something that the tool ${interaction.toolName} asked`;
  const lines = [
    toolSays === undefined
      ? `A person has now responded to ${subject}. The wait for this response had already ended, so it comes as a message.`
      : `A person has responded to ${subject}. The tool got the response and passed it on to you, saying: ${toolSays}`,
    "",
    ...(interaction.prompt === undefined || interaction.form?.server
      ? []
      : [`Asked: ${interaction.prompt}`, ""]),
    ...bodyLines(interaction, response),
    ...(response.action === "approve" && toolSays === undefined ? againLines(allows) : []),
  ];
  return withoutMentions(lines.join("\n"));
}

function bodyLines(interaction: Interaction, response: InteractionResponse): string[] {
  switch (interaction.kind) {
    case "approval":
      return approvalLines(interaction, response);
    case "question":
      return questionLines(interaction.questions ?? [], response);
    case "form":
      return interaction.form?.server ? serverFormLines(response) : formLines(response);
  }
}

function approvalLines(interaction: Interaction, response: InteractionResponse): string[] {
  const asked = ["The input that was shown:", toJson(interaction.approval?.input)];
  if (response.action !== "approve") {
    return [
      ...asked,
      "",
      "Decision: denied. Do not do this.",
      ...(response.reason === undefined ? [] : [`Reason: ${response.reason}`]),
    ];
  }
  const edited = response.editedInput;
  return [
    ...asked,
    "",
    edited ? "Decision: approved with a changed input:" : "Decision: approved.",
    ...(edited ? [toJson(edited)] : []),
  ];
}

function againLines(allows: LateResponseFacts["allows"]): string[] {
  return [
    "",
    `Nothing has run because of this approval. If it is still useful, call the tool again with exactly the approved input. ${askingAgain(allows)}`,
  ];
}

function askingAgain(allows: LateResponseFacts["allows"]): string {
  switch (allows) {
    case "one_call":
      return "You may make one such call within the next 24 hours without asking again.";
    case "more_calls":
      return "You do not have to ask again for it.";
    case undefined:
      return "A person will then be asked again.";
  }
}

function questionLines(questions: readonly Question[], response: InteractionResponse): string[] {
  if (response.reply !== undefined) {
    return [
      ...questions.map((question) => `Question: ${question.question}`),
      "",
      `Reply to all of it: ${response.reply}`,
    ];
  }
  if (response.action === "cancel") {
    return [
      ...questions.map((question) => `Question: ${question.question}`),
      "",
      "The person chose not to answer.",
      ...(response.reason === undefined ? [] : [`Reason: ${response.reason}`]),
    ];
  }
  const answers = new Map(response.answers?.map((answer) => [answer.questionId, answer]));
  return questions.flatMap((question) => [
    `Question: ${question.question}`,
    `Answer: ${answerText(question, answers.get(question.id))}`,
  ]);
}

function answerText(question: Question, answer: Answer | undefined): string {
  const labels = new Map(question.options.map((option) => [option.id, option.label]));
  const chosen = (answer?.selected ?? []).map((id) => JSON.stringify(labels.get(id) ?? id));
  const own = answer?.other === undefined ? [] : [`in their own words: ${answer.other}`];
  return [...chosen, ...own].join(", ") || "none";
}

function formLines({ action, values, redacted = [] }: InteractionResponse): string[] {
  if (action !== "submit") return ["The person cancelled the form."];
  return [
    "The values that were entered:",
    toJson(values),
    ...(redacted.length === 0
      ? []
      : [
          "",
          `Also entered, but secret, so a message cannot contain it: ${redacted.join(", ")}.`,
          "If it is still needed, ask for it again.",
        ]),
  ];
}

/** A response to an MCP server is for that server alone, and the server's words are not the person's. */
function serverFormLines({ action }: InteractionResponse): string[] {
  const what =
    action === "submit" ? "answered" : action === "deny" ? "declined" : "closed without an answer";
  return [
    `The person ${what}. This was for the MCP server alone, which no longer waits for it.`,
    "If it is still needed, call the tool again; the person will then be asked again.",
  ];
}

function toJson(value: unknown): string {
  return jsonWithoutMentions(JSON.stringify(value ?? null, null, 2));
}
