import { expect, test } from "vitest";
import { z } from "zod";

import { serve } from "../testing/serve.ts";

test("the document describes the frames of the WebSocket next to the routes, for anyone", async () => {
  await using served = await serve();
  const answer = await served.call("/socket-frames.json", { token: null });
  expect(answer.headers.get("content-type")).toBe("application/json");
  const document = (await answer.json()) as { $defs: Record<string, object> };
  const text = JSON.stringify(document);
  const named = [...text.matchAll(/"\$ref":"#\/\$defs\/(\w+)"/g)].map(([, name]) => name!);
  expect(named.filter((name) => !(name in document.$defs))).toEqual([]);
  expect(text).not.toContain('"$id"');

  // A reader of the document takes the frames that the gateway takes.
  const frame = z.fromJSONSchema(document as z.core.JSONSchema.JSONSchema);
  const hello = { type: "hello", clientId: "doorbell" };
  const request = {
    type: "request",
    requestId: "r1",
    method: "sendMessage",
    params: { sessionId: "ses_1", body: { content: "Go on." } },
  };
  const takes = (value: unknown) => frame.safeParse(value).success;
  const good = [hello, request, { type: "subscribe_overview" }];
  expect(good.filter((value) => !takes(value))).toEqual([]);
  const bad = [{ type: "hullo" }, { ...hello, pasword: "x" }, { ...request, params: 7 }];
  expect(bad.filter(takes)).toEqual([]);
});
