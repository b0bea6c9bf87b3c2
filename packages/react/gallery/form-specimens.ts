import { aFormInteraction } from "../src/testing/interactions.ts";
import { answered, id, refuse, type Specimen } from "./specimen.ts";

const titled = (...titles: string[]) =>
  titles.map((title) => ({ const: title.toLowerCase().replaceAll(" ", "-"), title }));

const EVERY_FIELD = {
  schema: {
    type: "object" as const,
    description: "The bank asks for this once. What is not marked with a star can be left out.",
    required: ["name", "iban", "pin", "country", "plan", "topics", "terms"],
    properties: {
      name: { type: "string" as const, title: "Name", description: "As on the card" },
      iban: { type: "string" as const, title: "Account", pattern: "^[A-Z]{2}" },
      pin: { type: "string" as const, title: "Access key", sensitive: true, minLength: 4 },
      mail: { type: "string" as const, format: "email" as const, title: "E-mail" },
      site: { type: "string" as const, format: "uri" as const, title: "Website" },
      amount: { type: "number" as const, title: "Amount in euros", minimum: 0.01, maximum: 5000 },
      day: { type: "string" as const, format: "date" as const, title: "Day" },
      call: { type: "string" as const, format: "date-time" as const, title: "Call me at" },
      country: {
        type: "string" as const,
        title: "Country",
        oneOf: titled("Austria", "Belgium", "Denmark", "France", "Germany", "Italy"),
      },
      plan: {
        type: "string" as const,
        title: "Plan",
        oneOf: titled("Basic", "Plus", "Everything"),
      },
      color: { type: "string" as const, title: "Color", enum: ["red", "blue"] },
      topics: {
        type: "array" as const,
        title: "Tell me about",
        items: { anyOf: titled("Rates", "Outages", "New things") },
        maxItems: 2,
      },
      terms: { type: "boolean" as const, title: "Are the terms accepted?" },
      paper: {
        type: "boolean" as const,
        title: "Send statements on paper",
        description: "Costs 2 € each",
      },
      notes: { type: "string" as const, title: "Notes", multiline: true },
    },
  },
};

const RELEASE = aFormInteraction().form;
const RELEASE_VALUES = { version: "4.2.0", channel: "beta", announce: false };

const filled: [string, string | string[]][] = [
  ["name", "Maria"],
  ["color", "blue"],
  ["country", "denmark"],
  ["plan", "plus"],
  ["topics", ["rates"]],
  ["terms", "no"],
  ["paper", "yes"],
  ["notes", "Call in the morning.\nNot on Fridays."],
];

const response = {
  action: "submit" as const,
  values: {
    name: "Maria",
    iban: "DE02",
    country: "denmark",
    plan: "plus",
    topics: ["rates", "new-things"],
    terms: false,
    call: "2026-12-01T10:30:00+01:00",
  },
  redacted: ["pin"],
};

function aVisit(url: string): ReturnType<typeof aFormInteraction> {
  return aFormInteraction({
    ...id(),
    prompt: "Sign in, so that I can read your files.",
    onTimeout: "deny",
    form: {
      schema: { type: "object", properties: {} },
      server: { name: "files", requestId: "1" },
      visit: { url },
    },
  });
}

export const FORMS: readonly Specimen[] = [
  { name: "Form", interaction: aFormInteraction(id()) },
  {
    name: "Form · every field",
    interaction: aFormInteraction({ ...id(), prompt: "Open the account", form: EVERY_FIELD }),
    draft: filled,
  },
  {
    name: "Form · every field, tried to send",
    interaction: aFormInteraction({ ...id(), prompt: "Open the account", form: EVERY_FIELD }),
    press: "Submit",
  },
  {
    name: "Form · not accepted by the gateway",
    interaction: aFormInteraction(id()),
    draft: [
      ["version", "4.2.0"],
      ["channel", "beta"],
      ["announce", "no"],
    ],
    respond: refuse({
      code: "INVALID_RESPONSE",
      detail: "The response does not fit what was asked.",
      fieldErrors: { "values.version": "Wrong format." },
    }),
    press: "Submit",
  },
  {
    name: "Form · asked again",
    interaction: aFormInteraction({
      ...id(),
      attempt: 2,
      error: "That version exists already.",
      fieldErrors: { version: "4.2.0 was published in May" },
      ...(RELEASE && { form: { ...RELEASE, initialValues: RELEASE_VALUES } }),
    }),
  },
  {
    name: "Form · an MCP server asks",
    interaction: aFormInteraction({
      ...id(),
      prompt: "Which branch, and with which key?",
      onTimeout: "deny",
      form: {
        schema: {
          type: "object",
          properties: {
            branch: { type: "string", title: "Branch", default: "main" },
            key: { type: "string", title: "Deploy key", sensitive: true },
          },
        },
        server: { name: "files", requestId: "1" },
      },
    }),
  },
  {
    name: "Form · an MCP server wants a page visited",
    interaction: aVisit("https://xn--pypal-4ve.com:8443/oauth/authorize?client=files&state=6ab1f0"),
  },
  {
    name: "Form · a page on the gateway's machine",
    interaction: aVisit("http://localhost:3334/setup"),
  },
  {
    name: "Done · page visited",
    interaction: {
      ...aVisit("https://example.com/setup"),
      ...answered({ action: "submit", values: {} }, true, "resumed"),
    },
  },
  { name: "Form · queued", interaction: aFormInteraction({ ...id(), hold: "queued" }) },
  {
    name: "Form · answering is off here",
    interaction: aFormInteraction({ ...id(), prompt: "Open the account", form: EVERY_FIELD }),
    draft: filled,
    canRespond: false,
  },
  {
    name: "Form · larger field",
    interaction: aFormInteraction(id()),
    draft: [["notes", "Call in the morning.\nNot on Fridays."]],
    press: "Expand",
    covers: true,
  },
  {
    name: "Done · form, with its values",
    interaction: aFormInteraction({
      ...answered(response, true, "resumed"),
      prompt: "Open the account",
      form: EVERY_FIELD,
      completedView: { showInputs: true },
    }),
  },
  {
    name: "Done · form, with the tool's summary",
    interaction: aFormInteraction({
      ...answered(response, false, "resumed"),
      form: EVERY_FIELD,
      completedView: {
        showInputs: false,
        summaryTemplate: "Opened an account in {country}, plan {plan}, key {pin} <b>{nothing}</b>",
      },
    }),
  },
  {
    name: "Done · form, cancelled",
    interaction: aFormInteraction(answered({ action: "cancel" }, true, "resumed")),
  },
  {
    name: "Form · nothing to fill in",
    interaction: aFormInteraction({
      ...id(),
      form: { schema: { type: "object", properties: {} } },
    }),
  },
  {
    name: "Done · form, declined",
    interaction: aFormInteraction(answered({ action: "deny" }, true, "resumed")),
  },
  {
    name: "Done · form, as a message",
    interaction: aFormInteraction(answered(response, true, "user_message")),
  },
];
