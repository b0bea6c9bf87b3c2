import { expect, test } from "vitest";

import { openScene } from "../testing/tool-scene.ts";
import { defineTool } from "../tools/define-tool.ts";
import type { ToolLogEntry } from "../tools/tool-context.ts";
import { errorResult } from "../tools/tool-result.ts";
import { maskSecrets, secretTexts } from "./mask-secrets.ts";

test("[R-19] nothing is left of two secrets that begin alike", () => {
  for (const secrets of [
    ["open", "open sesame"],
    ["open sesame", "open"],
  ]) {
    expect(maskSecrets("Say open sesame or open.", secrets)).toBe("Say ••• or •••.");
  }
});

test("[R-19] a short secret is masked wherever it is a whole word, and no other word is", () => {
  const secrets = secretTexts({ cvv: "123", pin: "7", mark: "§", blank: " " });
  for (const [text, masked] of [
    ["The code is 123.", "The code is •••."],
    ['{"cvv":"123","n":123,"of":"1234"}', '{"cvv":"•••","n":•••,"of":"1234"}'],
    ["cvv=123&pin=7&year=2027", "cvv=•••&pin=•••&year=2027"],
    ['{"out":"cvv:\\n123\\u001b7"}', '{"out":"cvv:\\n•••\\u001b•••"}'],
    ["a§b and x123", "a•••b and x123"],
  ] as const) {
    expect(maskSecrets(text, secrets)).toBe(masked);
  }
});

test("[R-19] a truncated error contains no beginning of a secret", () => {
  const error = new Error(`${"x".repeat(1990)} sesame opens`);
  const { content } = errorResult(error, (text) => maskSecrets(text, ["sesame opens"]));
  expect(content).not.toContain("sesame");
});

for (const token of ["sesame", "123"]) {
  test(`[R-19] a handler's log and result contain none of its secrets: ${token}`, async () => {
    const { logged, results } = await connectWith(token);
    expect(logged).toEqual(["Connecting with •••."]);
    expect(results).toMatchObject([{ content: '{"connectedWith":"•••"}' }]);
  });
}

async function connectWith(token: string) {
  const entries: ToolLogEntry[] = [];
  const tool = defineTool({
    name: "connect",
    description: "Asks for a token.",
    async handler(_args: Record<string, unknown>, context) {
      const { values } = await context.requestInteraction({
        kind: "form",
        inputSchema: {
          type: "form",
          fields: [{ id: "token", type: "text", label: "Token", sensitive: true }],
        },
      });
      context.log.info(`Connecting with ${String(values?.["token"])}.`);
      return { connectedWith: values?.["token"] };
    },
  });
  await using scene = await openScene({
    tools: [tool],
    onToolLog: (entry) => entries.push(entry),
  });
  scene.call({ name: "connect" });
  await scene.clock.settle();
  await scene.answer({ action: "submit", values: { token } });
  const events = await scene.events(scene.sessionId);
  return {
    logged: entries.map(({ message }) => message),
    results: events.filter(({ type }) => type === "tool_result"),
  };
}
