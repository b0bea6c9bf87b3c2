import type { Interaction } from "@holdpoint/protocol";
import { sampleInteraction as interaction } from "@holdpoint/protocol/testing";
import { expect, test } from "vitest";

import {
  textsOf,
  toAskedMessage,
  toCloseMessage,
  toMoreMessage,
  toTestMessage,
} from "./message.ts";
import { MAX_MESSAGE_BYTES } from "./web-push/encrypt-message.ts";

function approval(changes: object): Partial<Interaction> {
  const base = { input: {}, cwd: "/work", display: {}, digest: "d", scopes: ["once"] as const };
  return { approval: { ...base, scopes: ["once"], scopeText: {}, editable: false, ...changes } };
}

function titleOf(changes: Partial<Interaction>): string {
  const from = { step: "tell", nowMs: 0, agent: "Claude", cwd: "/home/ada/orders-api/" } as const;
  return toAskedMessage({ ...from, interaction: interaction(changes) }).title;
}

test.each<[string, Partial<Interaction>]>([
  ["Run npm run build?", approval({ input: { command: "npm run build", description: "Builds" } })],
  ["Run npm ci…?", approval({ input: { command: "npm ci\nrm -rf ~" } })],
  [
    "files: Run npm ci?",
    {
      kind: "form",
      prompt: "Run npm ci?",
      form: {
        schema: { type: "object", properties: {} },
        server: { name: "files", requestId: "1" },
      },
    },
  ],
  [
    "Edit due-date.ts?",
    approval({
      input: { a: "secret" },
      change: { path: "/work/src/due-date.ts", before: "", after: "x" },
    }),
  ],
  ["Create notes.md?", approval({ change: { path: "C:\\work\\notes.md", after: "x" } })],
  ["Send the letter?", approval({ display: { title: "Send the letter?" }, input: { to: "Bob" } })],
  ["Use Bash?", approval({ input: { to: "Bob" } })],
  ["Use Bash?", approval({ input: { command: " " } })],
  [
    "Delete the production database?",
    approval({
      input: { command: "echo dry run" },
      display: { title: "Delete the production database?" },
    }),
  ],
  [
    "Replace the settings?",
    {
      ...approval({ change: { path: "/work/notes.md", after: "x" } }),
      prompt: "Replace the settings?",
    },
  ],
  ["Use Bash?", {}],
  [
    "Send it with mail now?",
    { ...approval({ input: { to: "Bob" } }), prompt: "Send it with `mail` now?" },
  ],
  ["Send it to Bob?", { ...approval({ input: { to: "Bob" } }), prompt: "Send it to Bob?" }],
  [
    "Approve this plan?",
    { ...approval({ input: { plan: "1. Delete it all" } }), toolName: "ExitPlanMode" },
  ],
  [
    "Which color? (and 1 more)",
    {
      kind: "question",
      questions: ["Which color?", "Which size?"].map((question, index) => ({
        id: `q${index}`,
        header: "",
        question,
        multiSelect: false,
        options: [],
      })),
    },
  ],
  ["A form to fill in", { kind: "form" }],
  ["Connect the mailbox", { kind: "form", prompt: "Connect the mailbox" }],
])("the title is %s", (title, changes) => {
  expect(titleOf(changes)).toBe(title);
});

test("the body has the agent and the folder, and the path leads to the card", () => {
  const from = { step: "tell", nowMs: 0, agent: "Claude", cwd: "/home/ada/orders-api/" } as const;
  expect(toAskedMessage({ ...from, interaction: interaction({}) })).toEqual({
    step: "tell",
    tag: "int_1",
    title: "Use Bash?",
    body: "Claude in orders-api",
    said: {
      title: [{ code: "asked_use", values: { tool: "Bash" } }],
      body: [{ code: "notify_from", values: { agent: "Claude", folder: "orders-api" } }],
    },
    path: "/i/int_1",
    asked: {
      interactionId: "int_1",
      sessionId: "ses_1",
      kind: "approval",
      agent: "Claude",
      folder: "orders-api",
    },
  });
});

test("a message to programs names the groups that can answer, including groups the agent named", () => {
  const from = { step: "tell", nowMs: 0, agent: "Claude", cwd: "/work" } as const;
  const who = ["ops", "a\u0000b".repeat(100)].map((group) => ({ group, issuer: "https://i" }));
  const { asked } = toAskedMessage({
    ...from,
    interaction: interaction({ responders: { circles: [{ who }] } }),
  });
  expect(asked?.groups?.[0]).toBe("ops");
  expect(asked?.groups?.[1]).not.toMatch(/\p{Cc}/u);
  expect(JSON.stringify(asked).length).toBeLessThan(500);
});

test("a message is bounded, on one line, marked, and without credentials, whatever the agent sends", () => {
  const hostile = [
    "\u202Egnp.exe\u202C",
    "a\u0000b\u001B[31mred",
    "\r\n\r\nSecond",
    "e\u0301".repeat(100_000),
    "😀".repeat(5000),
    "<script>alert(1)</script>",
    "https://evil.example/".repeat(500),
    "\ud800 half",
    "echo TOKEN=hunter2secret",
  ];
  for (const text of hostile) {
    for (const changes of [
      approval({ input: { command: text } }),
      approval({ display: { title: text } }),
      approval({ change: { path: text, after: "" } }),
      { toolName: text },
      { kind: "form" as const, prompt: text },
    ]) {
      const from = { step: "tell", nowMs: 0, agent: text, cwd: `/work/${text}` } as const;
      const message = toAskedMessage({ ...from, interaction: interaction(changes) });
      expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThan(MAX_MESSAGE_BYTES);
      const shown = `${message.title} ${message.body}`;
      expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
      expect(shown).not.toContain("hunter2secret");
    }
  }
});

test("a message about a program has its name and no folder, and the demo agent's label is translated", () => {
  const from = { step: "tell", nowMs: 0, cwd: "/home/ada/orders-api/" } as const;
  const kept = interaction({ ...approval({}), hold: "kept", agentId: "CI: deploy.sh" });
  const program = toAskedMessage({ ...from, agent: "Program", interaction: kept });
  const agent = "Demo agent (scripted, no model)";
  const demo = toAskedMessage({ ...from, agent, interaction: interaction(approval({})) });
  const bodies = ["en", "de"].map((tag) => [program, demo].map((one) => textsOf(one, tag).body));
  expect(bodies).toEqual([
    ["Program CI: deploy.sh", "Demo agent (scripted, no model) in orders-api"],
    ["Programm CI: deploy.sh", "Demo-Agent (nach Skript, ohne Modell) in orders-api"],
  ]);
});

test("a message is in the language of its device, and in English without a translation", () => {
  const from = { step: "tell", nowMs: 0, agent: "Claude", cwd: "/home/ada/orders-api/" } as const;
  const run = approval({ input: { command: "npm run build" } });
  const asked = toAskedMessage({ ...from, interaction: interaction(run) });
  const messages = [
    asked,
    toMoreMessage("tell", 1),
    toMoreMessage("tell", 1200),
    toCloseMessage("int_1"),
    toTestMessage("Handy"),
  ];
  expect(messages.map((message) => textsOf(message, "de-AT"))).toEqual([
    { title: "npm run build ausführen?", body: "Claude in orders-api" },
    { title: "1 weitere Anfrage wartet auf Sie", body: "Holdpoint" },
    { title: "1.200 weitere Anfragen warten auf Sie", body: "Holdpoint" },
    { title: "Beantwortet", body: "Hier ist nichts mehr zu tun." },
    {
      title: "Benachrichtigungen kommen an",
      body: "Dieses Gerät, Handy, erfährt es, wenn ein Agent Sie fragt.",
    },
  ]);
  for (const tag of [undefined, "en", "fr", "constructor", ""]) {
    expect(textsOf(asked, tag)).toEqual({ title: asked.title, body: asked.body });
  }
});
