import { z } from "zod";

import { jsonAnswer } from "../http/json-answer.ts";
import { defineOpenRoute, type Route } from "../http/route.ts";
import { createOpenApiDocument } from "./openapi-document.ts";

/** The route of the OpenAPI document, which includes itself. */
export function openApiRoute(others: readonly Route[], version: string): Route {
  let text: string | undefined;
  const route: Route = defineOpenRoute({
    method: "GET",
    path: "/openapi.json",
    operationId: "getOpenApi",
    summary: "This document",
    access: "anyone",
    answers: { 200: jsonAnswer("OpenAPI 3.1.", z.looseObject({ openapi: z.string() })) },
    handle: ({ c }) => {
      text ??= JSON.stringify(createOpenApiDocument([...others, route], version));
      return c.body(text, 200, { "Content-Type": "application/json" });
    },
  });
  return route;
}
