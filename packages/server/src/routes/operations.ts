import {
  bodyLimitOf,
  detailsOf,
  factsOf,
  idsSchemaOf,
  OPERATION_NAMES,
  type OperationInput,
  type OperationName,
} from "@holdpoint/protocol";
import type { Context } from "hono";
import { z } from "zod";

import { jsonAnswer } from "../http/json-answer.ts";
import { defineRoute, type GuardedRoute } from "../http/route.ts";
import type { ServerEnv } from "../http/server-env.ts";
import { runOperation } from "../run-operation.ts";
import type { ServerContext } from "../server-context.ts";

/** A `POST` without a body may carry an empty JSON object. */
const NO_BODY = z.strictObject({}).optional();

/** The routes of all operations, except operations that share their path with a stream. */
export function operationRoutes(context: ServerContext): GuardedRoute[] {
  return OPERATION_NAMES.filter((name) => !detailsOf(name).hasStream).map((name) =>
    operationRoute(context, name),
  );
}

/** Creates an operation's route from the protocol's tables. */
export function operationRoute({ gateway }: ServerContext, name: OperationName): GuardedRoute {
  const { method, path, role } = factsOf(name);
  const { summary, access, query, answer, errors } = detailsOf(name);
  const body = detailsOf(name).body ?? (method === "POST" ? NO_BODY : undefined);
  const { description, schema } = answer;
  return defineRoute<object, unknown, unknown>({
    method,
    path,
    operationId: name,
    summary,
    access,
    role,
    params: idsSchemaOf(name),
    ...(query && { query }),
    ...(body && { body, maxBodyBytes: bodyLimitOf(name) }),
    answers: { [answer.status]: schema ? jsonAnswer(description, schema) : { description } },
    problems: errors,
    async handle({ c, caller, params, query, body }) {
      const input: OperationInput = { ...params, query, body };
      return toResponse(c, answer.status, await runOperation(gateway, caller, name, input));
    },
  });
}

function toResponse(c: Context<ServerEnv>, status: number, json: string | undefined): Response {
  c.status(status as Parameters<typeof c.status>[0]);
  return json === undefined ? c.body(null) : c.body(json, { headers: JSON_HEADERS });
}

const JSON_HEADERS = { "Content-Type": "application/json" };
