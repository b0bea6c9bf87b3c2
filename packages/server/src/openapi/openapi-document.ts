import { ERROR_CODES, type ErrorCode } from "@holdpoint/protocol";
import type { z } from "zod";

import { PROBLEM_TYPE } from "../http/problem-response.ts";
import type { Route } from "../http/route.ts";
import { NAMED_SCHEMAS } from "./named-schemas.ts";
import { SchemaComponents } from "./schema-components.ts";

type Json = Record<string, unknown>;

export function createOpenApiDocument(routes: readonly Route[], version: string): Json {
  const components = new SchemaComponents(NAMED_SCHEMAS);
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const operations = (paths[route.path] ??= {});
    operations[route.method.toLowerCase()] = toOperation(route, components);
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Holdpoint",
      version,
      description: "A human-in-the-loop gateway for AI agents.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    // Relative to this document's URL.
    servers: [{ url: "." }],
    security: [{ bearer: [] }],
    paths,
    components: {
      schemas: components.toJson(),
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
    },
  };
}

function toOperation(route: Route, components: SchemaComponents): Json {
  const isOpen = route.access === "anyone";
  const parameters = [
    ...toParameters(route.params, "path", components),
    ...toParameters(route.query, "query", components),
    ...(isOpen ? [] : [CLIENT_HEADER]),
    ...(isStream(route) ? [CLIENT_QUERY, LAST_EVENT_ID] : []),
  ];
  return {
    operationId: route.operationId,
    summary: route.summary,
    ...(isOpen && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && { requestBody: toRequestBody(route.body, components) }),
    responses: { ...toAnswers(route, components), ...toProblems(route, isOpen, components) },
  };
}

const CLIENT_ID = { type: "string", minLength: 1, maxLength: 128 };
const CLIENT_HEADER = {
  name: "X-Holdpoint-Client",
  in: "header",
  description: "Names the client that calls.",
  schema: CLIENT_ID,
};
const CLIENT_QUERY = {
  name: "client",
  in: "query",
  description: "Names the client; it counts as connected for as long as the stream is open.",
  schema: CLIENT_ID,
};
const LAST_EVENT_ID = {
  name: "Last-Event-ID",
  in: "header",
  description: "`<epoch>.<seq>` of the last durable event that the reader has.",
  schema: { type: "string" },
};

function isStream(route: Route): boolean {
  return Object.values(route.answers).some(
    ({ content }) => content !== undefined && "text/event-stream" in content,
  );
}

function toParameters(
  schema: z.ZodObject | undefined,
  place: "path" | "query",
  components: SchemaComponents,
): Json[] {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => ({
    name,
    in: place,
    required: place === "path",
    schema: components.refer(field as z.ZodType),
  }));
}

function toRequestBody(schema: z.ZodType, components: SchemaComponents): Json {
  return {
    required: !schema.safeParse(undefined).success,
    content: { "application/json": { schema: components.refer(schema) } },
  };
}

function toAnswers({ answers }: Route, components: SchemaComponents): Json {
  return Object.fromEntries(
    Object.entries(answers).map(([status, { description, content }]) => [
      status,
      { description, ...(content && { content: toContent(content, components) }) },
    ]),
  );
}

function toContent(
  content: Readonly<Record<string, z.ZodType>>,
  components: SchemaComponents,
): Json {
  return Object.fromEntries(
    Object.entries(content).map(([type, schema]) => [type, { schema: components.refer(schema) }]),
  );
}

/** The problem answers of a route, by status, with their codes. */
function toProblems(route: Route, isOpen: boolean, components: SchemaComponents): Json {
  const codes = new Set<ErrorCode>([...commonProblems(route, isOpen), ...(route.problems ?? [])]);
  const byStatus = Map.groupBy(codes, (code) => ERROR_CODES[code].status);
  const documented = [...byStatus].filter(([status]) => !(status in route.answers));
  return Object.fromEntries(
    documented.map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\``).join(", "),
        content: toContent({ [PROBLEM_TYPE]: NAMED_SCHEMAS.Problem }, components),
      },
    ]),
  );
}

function commonProblems(route: Route, isOpen: boolean): ErrorCode[] {
  const isRead = route.method === "GET";
  return [
    ...(isOpen ? [] : (["UNAUTHENTICATED"] as const)),
    ...(takesInput(route) ? (["BAD_REQUEST"] as const) : []),
    ...(route.body ? (["UNSUPPORTED_MEDIA_TYPE", "TOO_LARGE"] as const) : []),
    ...(isRead ? [] : (["DRAINING"] as const)),
    "FORBIDDEN",
    "MISDIRECTED",
    "RATE_LIMITED",
    "STORE_UNAVAILABLE",
    "OUTCOME_UNKNOWN",
    "NO_WORKING_NODE",
    "INTERNAL",
  ];
}

function takesInput({ params, query, body }: Route): boolean {
  return Object.keys(params?.shape ?? {}).length > 0 || query !== undefined || body !== undefined;
}
