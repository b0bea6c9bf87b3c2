import type { Access, Caller, ErrorCode, OperationFacts, Role } from "@holdpoint/protocol";
import type { Context } from "hono";
import type { z } from "zod";

import type { Credential } from "../auth/credential.ts";
import type { ServerEnv } from "./server-env.ts";

/** The type of input for which a route declares no schema. */
export type NoInput = undefined;

/** A request to a route that needs no credential. */
export interface OpenRequest<TParams, TQuery, TBody> {
  readonly c: Context<ServerEnv>;
  readonly params: TParams;
  readonly query: TQuery;
  readonly body: TBody;
}

/** A request with a verified credential. */
export interface RouteRequest<TParams, TQuery, TBody> extends OpenRequest<TParams, TQuery, TBody> {
  readonly caller: Caller;
  readonly credential: Credential;
}

/** One kind of successful answer, with its schema by media type. Without `content` the body is empty. */
export interface RouteAnswer {
  readonly description: string;
  readonly content?: Readonly<Record<string, z.ZodType>>;
}

/** One route as data, used for routing, validation and the OpenAPI document. */
interface RouteFacts<TParams, TQuery, TBody> {
  readonly method: OperationFacts["method"];
  /** Parameters are in braces: `/api/sessions/{sessionId}`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  /** Who may use it. Agent tokens can only call tools, which may ask a person. */
  readonly access: Access;
  /** The minimum role of the person. */
  readonly role?: Role | undefined;
  readonly params?: z.ZodObject & z.ZodType<TParams>;
  readonly query?: z.ZodObject & z.ZodType<TQuery>;
  readonly body?: z.ZodType<TBody>;
  /** In bytes. Default 256 KiB. */
  readonly maxBodyBytes?: number;
  readonly answers: Readonly<Record<number, RouteAnswer>>;
  /** Problem codes in addition to those common to all routes. */
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

/** Infers the handler's input types from the route's schemas. */
export function defineRoute<TParams = NoInput, TQuery = NoInput, TBody = NoInput>(
  definition: GuardedRouteDefinition<TParams, TQuery, TBody>,
): GuardedRoute {
  return definition;
}

/** Like `defineRoute`, for a route that needs no credential. */
export function defineOpenRoute<TParams = NoInput, TQuery = NoInput, TBody = NoInput>(
  definition: OpenRouteDefinition<TParams, TQuery, TBody>,
): Route {
  return definition;
}

export function routeKey({ method, path }: Pick<Route, "method" | "path">): string {
  return `${method} ${path}`;
}
