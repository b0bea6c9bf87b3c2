import type { Approval, Interaction, Question, Responder } from "@holdpoint/protocol";
import { sampleInteraction } from "@holdpoint/protocol/testing";

/** The current instant of the fixtures. */
export const NOW = Date.parse("2026-11-21T14:02:00.000Z");
export const HERE = "client-here";

export function instant(offsetMs: number): string {
  return new Date(NOW + offsetMs).toISOString();
}

export function anInteraction(over: Partial<Interaction> = {}): Interaction {
  return sampleInteraction({
    interactionId: "interaction-1",
    sessionId: "session-1",
    turnId: "turn-1",
    toolCallId: "call-1",
    startedAt: instant(-125_000),
    ...over,
  });
}

export function anApproval(over: Partial<Approval> = {}): Approval {
  return {
    input: { command: "npm test -- dates" },
    cwd: "/home/maria/src/billing",
    display: {},
    digest: "digest-1",
    scopes: ["once"],
    scopeText: {},
    editable: false,
    ...over,
  };
}

export function anApprovalInteraction(
  approval: Partial<Approval> = {},
  over: Partial<Interaction> = {},
): Interaction {
  return anInteraction({ approval: anApproval(approval), ...over });
}

export const FORMAT_QUESTION: Question = {
  id: "q-format",
  header: "Format",
  question: "How should due dates be shown to customers?",
  multiSelect: false,
  options: [
    { id: "iso", label: "ISO", description: "Sorts well, same everywhere" },
    { id: "locale", label: "Locale", description: "As each customer’s country writes it" },
  ],
};

export const SCOPE_QUESTION: Question = {
  id: "q-scope",
  header: "Scope",
  question: "Which parts should change?",
  multiSelect: true,
  options: [
    { id: "invoices", label: "Invoices, with their PDFs" },
    { id: "reminders", label: "Reminders" },
    { id: "reports", label: "Reports", description: "The monthly ones only" },
  ],
};

export function aQuestionInteraction(
  questions: readonly Question[] = [FORMAT_QUESTION],
  over: Partial<Interaction> = {},
): Interaction {
  return anInteraction({
    kind: "question",
    toolName: "AskUserQuestion",
    questions: [...questions],
    ...over,
  });
}

export function aFormInteraction(over: Partial<Interaction> = {}): Interaction {
  return anInteraction({
    kind: "form",
    toolName: "release",
    prompt: "Details of the release",
    form: {
      schema: {
        type: "object",
        required: ["version", "channel", "announce"],
        properties: {
          version: {
            type: "string",
            title: "Version",
            description: "As in package.json",
            minLength: 5,
          },
          channel: { type: "string", title: "Channel", enum: ["stable", "beta"] },
          announce: { type: "boolean", title: "Announce it?" },
          day: { type: "string", format: "date", title: "Day" },
          share: {
            type: "integer",
            title: "Share of customers, in percent",
            minimum: 1,
            maximum: 100,
          },
          regions: {
            type: "array",
            title: "Regions",
            items: {
              anyOf: [
                { const: "eu", title: "Europe" },
                { const: "us", title: "America" },
              ],
            },
          },
          notes: { type: "string", title: "Notes", maxLength: 4000 },
        },
      },
    },
    ...over,
  });
}

export function aResponder(over: Partial<Responder> = {}): Responder {
  return {
    person: "Maria",
    client: "Safari on iPhone",
    clientId: "client-phone",
    at: instant(-40_000),
    ...over,
  };
}
