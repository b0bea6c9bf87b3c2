import type { z } from "zod";

import type { Access } from "./access.ts";
import type { ErrorCode } from "./error-code.ts";

/** What the gateway and its documentation know of an operation, beside what a client must know. */
export interface OperationDetails {
  /** One line for the OpenAPI document. */
  readonly summary: string;
  readonly access: Exclude<Access, "anyone">;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** What success looks like; without a schema it has no body. */
  readonly answer: {
    readonly status: number;
    readonly description: string;
    readonly schema?: z.ZodType;
  };
  /** Codes that it can be refused with, beside those that any operation can. */
  readonly errors: readonly ErrorCode[];
  /** The same path gives a stream to who accepts one: its HTTP route is written by hand. */
  readonly hasStream?: true;
}

/** Ties the two tables together: the schema of further input stands where the facts say that there is some. */
export type DetailsOf<TFacts> = OperationDetails &
  (TFacts extends { input: "query" }
    ? { readonly query: z.ZodObject; readonly body?: never }
    : TFacts extends { input: "body" }
      ? { readonly body: z.ZodType; readonly query?: never }
      : { readonly query?: never; readonly body?: never });
