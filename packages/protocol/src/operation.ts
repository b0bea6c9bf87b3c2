import type { z } from "zod";

import type { Caller } from "./caller.ts";
import type { Interaction } from "./interaction.ts";
import type { OPERATION_SCHEMAS } from "./operation-schemas.ts";
import { factsOf, idsOf, type OperationName, type OPERATIONS } from "./operations.ts";
import type { Problem } from "./problem.ts";

/** The result of a response. Losing a race or being late is an outcome, not an error, so nothing is thrown. */
export type RespondResult =
  | { readonly status: "accepted"; readonly interaction: Interaction }
  | { readonly status: "refused"; readonly problem: Problem };

type FactsOf<TName extends OperationName> = (typeof OPERATIONS)[TName];
type SchemasOf<TName extends OperationName> = (typeof OPERATION_SCHEMAS)[TName];

type IdNames<TPath extends string> = TPath extends `${string}{${infer TId}}${infer TRest}`
  ? [TId, ...IdNames<TRest>]
  : [];
type IdsOf<TName extends OperationName> = IdNames<FactsOf<TName>["path"]>;
/** The ids without the client's id, which its transport knows. */
type GivenIds<TIds> = TIds extends [infer TId, ...infer TRest]
  ? [...(TId extends "clientId" ? [] : [TId]), ...GivenIds<TRest>]
  : [];
type Strings<TIds> = TIds extends [unknown, ...infer TRest] ? [id: string, ...Strings<TRest>] : [];

/** The result of an operation: its response body, or the outcome of a person's response. */
export type ResultOf<TName extends OperationName> =
  FactsOf<TName> extends { responds: true }
    ? RespondResult
    : SchemasOf<TName>["answer"] extends { schema: infer TSchema }
      ? z.output<TSchema>
      : void;

/** The arguments of an operation's method on a gateway: its ids, then its parsed query or body. */
export type GatewayArguments<TName extends OperationName> = [
  ...ids: Strings<IdsOf<TName>>,
  ...input: SchemasOf<TName> extends { query: infer TQuery }
    ? [query: z.output<TQuery>]
    : SchemasOf<TName> extends { body: infer TBody }
      ? [body: z.output<TBody>]
      : [],
];

/** The arguments of an operation's method on a transport: its ids, then its query or body as written by a client. */
export type ClientArguments<TName extends OperationName> = [
  ...ids: Strings<GivenIds<IdsOf<TName>>>,
  ...input: SchemasOf<TName> extends { query: infer TQuery }
    ? [query?: z.input<TQuery>]
    : SchemasOf<TName> extends { body: infer TBody }
      ? [body: z.input<TBody>]
      : [],
];

/** The whole input of an operation as one object: ids by name, and `query` or `body`. */
export interface OperationInput {
  readonly [id: string]: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

/** Converts the arguments of a transport's method to an input and its options. */
export function toInput(
  name: OperationName,
  args: readonly unknown[],
): { readonly input: OperationInput; readonly options: unknown } {
  const keys = keysOf(name).filter((key) => key !== "clientId");
  const entries = keys.map((key, index) => [
    key,
    args[index] ?? (key === "query" ? {} : undefined),
  ]);
  const input = Object.fromEntries(entries) as OperationInput;
  return { input, options: args[keys.length] };
}

/** Converts an input to the arguments of the gateway's method. */
export function toArguments(name: OperationName, caller: Caller, input: OperationInput): unknown[] {
  const whole: OperationInput = { clientId: caller.clientId, ...input };
  return keysOf(name).map((key) => whole[key]);
}

function keysOf(name: OperationName): string[] {
  const { input } = factsOf(name);
  return input ? [...idsOf(name), input] : idsOf(name);
}
