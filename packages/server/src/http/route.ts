import type { Caller, ErrorCode } from "@holdpoint/protocol";
import type { Context } from "hono";
import type { z } from "zod";

import type { Credential } from "../auth/authenticator.ts";
import type { ServerEnv } from "../server-context.ts";

/** No such input: the route declares no schema for it. */
export type NoInput = undefined;

export interface RouteRequest<TParams, TQuery, TBody> {
  readonly c: Context<ServerEnv>;
  /** Who calls. Routes that are open to anyone must not use it. */
  readonly caller: Caller;
  readonly credential: Credential;
  readonly params: TParams;
  readonly query: TQuery;
  readonly body: TBody;
}

/** One kind of successful answer: its schema by media type; none means an empty body. */
export interface RouteAnswer {
  readonly description: string;
  readonly content?: Readonly<Record<string, z.ZodType>>;
}

/** One route as data: what the router, the validation and the OpenAPI document are made from. */
export interface RouteDefinition<TParams, TQuery, TBody> {
  readonly method: "DELETE" | "GET" | "PATCH" | "POST" | "PUT";
  /** With parameters in braces: `/api/sessions/{sessionId}`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly params?: z.ZodObject & z.ZodType<TParams>;
  readonly query?: z.ZodObject & z.ZodType<TQuery>;
  readonly body?: z.ZodType<TBody>;
  /** Default 256 KiB. */
  readonly maxBodyBytes?: number;
  readonly answers: Readonly<Record<number, RouteAnswer>>;
  /** Codes of problems beyond those that any route can answer with. */
  readonly problems?: readonly ErrorCode[];
  handle(request: RouteRequest<TParams, TQuery, TBody>): Response | Promise<Response>;
}

/** A route whose input types are its own matter. */
export type Route = RouteDefinition<unknown, unknown, unknown>;

/** Ties the schemas of a route to its handler: the handler gets what the schemas give. */
export function defineRoute<TParams = NoInput, TQuery = NoInput, TBody = NoInput>(
  definition: RouteDefinition<TParams, TQuery, TBody>,
): Route {
  return definition;
}

/** The route's name in the access table, logs and tests. */
export function routeKey({ method, path }: Pick<Route, "method" | "path">): string {
  return `${method} ${path}`;
}
