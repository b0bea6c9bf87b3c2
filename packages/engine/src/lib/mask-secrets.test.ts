import { expect, test } from "vitest";

import { openScene } from "../testing/tool-scene.ts";
import { defineTool } from "../tools/define-tool.ts";
import type { ToolLogEntry } from "../tools/tool-context.ts";
import { errorResult } from "../tools/tool-result.ts";
import { maskSecrets } from "./mask-secrets.ts";

test("[R-19] of two secrets that begin alike, nothing of either is left", () => {
  for (const secrets of [
    ["open", "open sesame"],
    ["open sesame", "open"],
  ]) {
    expect(maskSecrets("Say open sesame or open.", secrets)).toBe("Say ••• or •••.");
  }
});

test("[R-19] an error that is cut holds no beginning of a secret", () => {
  const error = new Error(`${"x".repeat(1990)} sesame opens`);
  const { content } = errorResult(error, (text) => maskSecrets(text, ["sesame opens"]));
  expect(content).not.toContain("sesame");
});

test("[R-19] what a handler logs holds no secret that it was given", async () => {
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
    },
  });
  await using scene = await openScene({
    tools: [tool],
    onToolLog: (entry) => entries.push(entry),
  });
  scene.call({ name: "connect" });
  await scene.clock.settle();
  await scene.answer({ action: "submit", values: { token: "sesame" } });
  expect(entries.map(({ message }) => message)).toEqual(["Connecting with •••."]);
});
