import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";

import { routeKey } from "../http/route.ts";
import { listRoutes, serve } from "../testing/serve.ts";

interface Operation {
  readonly operationId: string;
  readonly security?: object[];
  readonly requestBody?: { required: boolean; content: Record<string, object> };
  readonly responses: Record<string, { description: string; content?: Record<string, object> }>;
}
interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { schemas: Record<string, object> };
}

async function fetchDocument(): Promise<Document> {
  await using served = await serve();
  const answer = await served.call("/openapi.json", { token: null });
  expect(answer.headers.get("content-type")).toBe("application/json");
  return (await answer.json()) as Document;
}

test("the served document is valid OpenAPI 3.1", async () => {
  const document = await fetchDocument();
  const validator = new Validator();
  expect(await validator.validate({ ...document })).toEqual({ valid: true });
  expect(validator.version).toBe("3.1");
});

test("every route is in it, once, and nothing else", async () => {
  const { paths } = await fetchDocument();
  const documented = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(documented.toSorted()).toEqual(listRoutes().map(routeKey).toSorted());
  const ids = Object.values(paths).flatMap((operations) =>
    Object.values(operations).map(({ operationId }) => operationId),
  );
  expect(new Set(ids).size).toBe(ids.length);
});

test("every reference leads somewhere, and every named schema is used", async () => {
  const document = await fetchDocument();
  const text = JSON.stringify(document);
  const used: string[] = [];
  for (const [, name] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) used.push(name!);
  expect([...new Set(used)].toSorted()).toEqual(
    Object.keys(document.components.schemas).toSorted(),
  );
  expect(text).not.toContain('"$id"');
});

test("operations list their responses, their bodies and who may call them", async () => {
  const { paths } = await fetchDocument();
  const respond = paths["/api/interactions/{interactionId}/response"]!["post"]!;
  expect(Object.keys(respond.responses)).toEqual([
    "200",
    "400",
    "401",
    "403",
    "404",
    "409",
    "410",
    "413",
    "415",
    "421",
    "422",
    "429",
    "500",
    "503",
  ]);
  expect(respond.responses["409"]).toEqual({
    description: "`KEY_REUSED`, `ALREADY_ANSWERED`, `DIGEST_MISMATCH`",
    content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
  });
  expect(respond.requestBody).toEqual({
    required: true,
    content: { "application/json": { schema: { $ref: "#/components/schemas/RespondBody" } } },
  });
  expect(respond.security).toBeUndefined();
  expect(paths["/healthz"]!["get"]!.security).toEqual([]);
  expect(paths["/api/sessions/{sessionId}/stop"]!["post"]!.requestBody?.required).toBe(false);
  const events = paths["/api/sessions/{sessionId}/events"]!["get"]!;
  expect(Object.keys(events.responses["200"]!.content!)).toEqual([
    "text/event-stream",
    "application/json",
  ]);
});
