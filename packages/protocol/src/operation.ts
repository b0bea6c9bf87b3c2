import type { z } from "zod";

import type { Caller, GatewayApi } from "./gateway-api.ts";
import type { Interaction } from "./interaction.ts";
import type { OPERATION_SCHEMAS } from "./operation-schemas.ts";
import { factsOf, idsOf, type OperationName, type OPERATIONS } from "./operations.ts";
import type { Problem } from "./problem.ts";
import { fromProblem } from "./protocol-error.ts";

/** Losing a race or being late is an outcome, not an error: nothing is thrown for it. */
export type RespondResult =
  | { readonly status: "accepted"; readonly interaction: Interaction }
  | { readonly status: "refused"; readonly problem: Problem };

type FactsOf<TName extends OperationName> = (typeof OPERATIONS)[TName];
type SchemasOf<TName extends OperationName> = (typeof OPERATION_SCHEMAS)[TName];

type IdNames<TPath extends string> = TPath extends `${string}{${infer TId}}${infer TRest}`
  ? [TId, ...IdNames<TRest>]
  : [];
type IdsOf<TName extends OperationName> = IdNames<FactsOf<TName>["path"]>;
/** Without the calling client's own id, which its transport knows. */
type GivenIds<TIds> = TIds extends [infer TId, ...infer TRest]
  ? [...(TId extends "clientId" ? [] : [TId]), ...GivenIds<TRest>]
  : [];
type Strings<TIds> = TIds extends [unknown, ...infer TRest] ? [id: string, ...Strings<TRest>] : [];

/** What an operation comes to: what its answer carries, or what became of a response. */
export type ResultOf<TName extends OperationName> =
  FactsOf<TName> extends { responds: true }
    ? RespondResult
    : SchemasOf<TName>["answer"] extends { schema: infer TSchema }
      ? z.output<TSchema>
      : void;

/** The arguments of an operation's method on a gateway: its ids, then its query or body as the schema gives it. */
export type GatewayArguments<TName extends OperationName> = [
  ...ids: Strings<IdsOf<TName>>,
  ...input: SchemasOf<TName> extends { query: infer TQuery }
    ? [query: z.output<TQuery>]
    : SchemasOf<TName> extends { body: infer TBody }
      ? [body: z.output<TBody>]
      : [],
];

/** The arguments of an operation's method on a transport: its ids, then its query or body as a client writes it. */
export type ClientArguments<TName extends OperationName> = [
  ...ids: Strings<GivenIds<IdsOf<TName>>>,
  ...input: SchemasOf<TName> extends { query: infer TQuery }
    ? [query?: z.input<TQuery>]
    : SchemasOf<TName> extends { body: infer TBody }
      ? [body: z.input<TBody>]
      : [],
];

/** Everything that goes into an operation, as one object: ids by their names, and `query` or `body`. */
export interface OperationInput {
  readonly [id: string]: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

/** The input that a method was called with on a transport, and the argument that comes after it. */
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

/** The arguments of the gateway's method for an input. */
export function toArguments(name: OperationName, caller: Caller, input: OperationInput): unknown[] {
  const whole: OperationInput = { clientId: caller.clientId, ...input };
  return keysOf(name).map((key) => whole[key]);
}

function keysOf(name: OperationName): string[] {
  const { input } = factsOf(name);
  return input ? [...idsOf(name), input] : idsOf(name);
}

/**
 * Asks a gateway for an operation with an input that was checked. Resolves to the body of its answer. Rejects as the
 * gateway does, and with the problem of a response that was refused.
 */
export async function callOperation(
  gateway: GatewayApi,
  caller: Caller,
  name: OperationName,
  input: OperationInput,
): Promise<unknown> {
  const method = gateway[name] as (caller: Caller, ...input: unknown[]) => Promise<unknown>;
  const result = await method(caller, ...toArguments(name, caller, input));
  return factsOf(name).responds ? toAccepted(result as RespondResult) : result;
}

function toAccepted(result: RespondResult): { readonly interaction: Interaction } {
  if (result.status === "refused") throw fromProblem(result.problem);
  return { interaction: result.interaction };
}
