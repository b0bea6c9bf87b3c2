import type { Access, Caller, ErrorCode, OperationFacts, Role } from "@holdpoint/protocol";
import type { Context } from "hono";
import type { z } from "zod";

import type { Credential } from "../auth/authenticator.ts";
import type { ServerEnv } from "./server-env.ts";

/** The route declares no schema for it. */
export type NoInput = undefined;

/** A request to a route that needs no credential. */
export interface OpenRequest<TParams, TQuery, TBody> {
  readonly c: Context<ServerEnv>;
  readonly params: TParams;
  readonly query: TQuery;
  readonly body: TBody;
}

/** A request whose credential was checked. */
export interface RouteRequest<TParams, TQuery, TBody> extends OpenRequest<TParams, TQuery, TBody> {
  readonly caller: Caller;
  readonly credential: Credential;
}

/** One kind of successful answer: its schema by media type; none means an empty body. */
export interface RouteAnswer {
  readonly description: string;
  readonly content?: Readonly<Record<string, z.ZodType>>;
}

/** One route as data: what the router, the validation and the OpenAPI document are made from. */
interface RouteFacts<TParams, TQuery, TBody> {
  readonly method: OperationFacts["method"];
  /** With parameters in braces: `/api/sessions/{sessionId}`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  /** Who may use it. An agent's token calls tools, which may ask a person, and gets nothing else. */
  readonly access: Access;
  /** The least role of a person who may use it. */
  readonly role?: Role | undefined;
  readonly params?: z.ZodObject & z.ZodType<TParams>;
  readonly query?: z.ZodObject & z.ZodType<TQuery>;
  readonly body?: z.ZodType<TBody>;
  /** In bytes. Default 256 KiB. */
  readonly maxBodyBytes?: number;
  readonly answers: Readonly<Record<number, RouteAnswer>>;
  /** Codes of problems beyond those that any route can answer with. */
  readonly problems?: readonly ErrorCode[];
}

export interface GuardedRouteDefinition<TParams, TQuery, TBody> extends RouteFacts<
  TParams,
  TQuery,
  TBody
> {
  readonly access: Exclude<Access, "anyone">;
  handle(request: RouteRequest<TParams, TQuery, TBody>): Response | Promise<Response>;
}

export interface OpenRouteDefinition<TParams, TQuery, TBody> extends RouteFacts<
  TParams,
  TQuery,
  TBody
> {
  readonly access: "anyone";
  handle(request: OpenRequest<TParams, TQuery, TBody>): Response | Promise<Response>;
}

export type GuardedRoute = GuardedRouteDefinition<unknown, unknown, unknown>;
/** Any route, without the types of its input. */
export type Route = GuardedRoute | OpenRouteDefinition<unknown, unknown, unknown>;

/** Ties the schemas of a route to its handler: the handler gets what the schemas give. */
export function defineRoute<TParams = NoInput, TQuery = NoInput, TBody = NoInput>(
  definition: GuardedRouteDefinition<TParams, TQuery, TBody>,
): GuardedRoute {
  return definition;
}

/** The same for a route that is open to anyone. */
export function defineOpenRoute<TParams = NoInput, TQuery = NoInput, TBody = NoInput>(
  definition: OpenRouteDefinition<TParams, TQuery, TBody>,
): Route {
  return definition;
}

/** The route's name in logs and tests. */
export function routeKey({ method, path }: Pick<Route, "method" | "path">): string {
  return `${method} ${path}`;
}
