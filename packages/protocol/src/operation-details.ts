import type { z } from "zod";

import type { Access } from "./access.ts";
import type { ErrorCode } from "./error-code.ts";

/** The details of an operation for the gateway and its documentation, which clients do not need. */
export interface OperationDetails {
  /** One line for the OpenAPI document. */
  readonly summary: string;
  readonly access: Exclude<Access, "anyone">;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The response on success. Without a schema, it has no body. */
  readonly answer: {
    readonly status: number;
    readonly description: string;
    readonly schema?: z.ZodType;
  };
  /** The codes of refusals, in addition to the ones that any operation can have. */
  readonly errors: readonly ErrorCode[];
  /** The same path also serves an event stream to clients that accept one, so its HTTP route is handwritten. */
  readonly hasStream?: true;
}

/** Ties the two tables together: requires a schema exactly where the facts declare a query or body. */
export type DetailsOf<TFacts> = OperationDetails &
  (TFacts extends { input: "query" }
    ? { readonly query: z.ZodObject; readonly body?: never }
    : TFacts extends { input: "body" }
      ? { readonly body: z.ZodType; readonly query?: never }
      : { readonly query?: never; readonly body?: never });
