import { z } from "zod";

import { BODY_LIMITS } from "./limits.ts";
import { detailsOf } from "./operation-schemas.ts";
import type { OperationInput } from "./operation.ts";
import { factsOf, idsOf, OPERATION_NAMES, type OperationName } from "./operations.ts";
import { toBadRequest } from "./parse-input.ts";
import { idSchema } from "./primitives.ts";
import type { ProtocolError } from "./protocol-error.ts";

/** The ids in the path of an operation. */
export function idsSchemaOf(name: OperationName): z.ZodObject {
  return z.object(Object.fromEntries(idsOf(name).map((id) => [id, idSchema])));
}

const INPUT_SCHEMAS = new Map(OPERATION_NAMES.map((name) => [name, createInputSchema(name)]));

function createInputSchema(name: OperationName): z.ZodType<OperationInput | undefined> {
  const { clientId: _, ...ids } = idsSchemaOf(name).shape;
  const { query, body } = detailsOf(name);
  const shape = { ...ids, ...(query && { query }), ...(body && { body }) };
  const schema = z.strictObject(shape);
  return Object.keys(shape).length === 0 ? schema.optional() : schema;
}

/** An operation's input as one object, without the calling client's own id. One that takes nothing may be left out. */
export function inputSchemaOf(name: OperationName): z.ZodType<OperationInput | undefined> {
  return INPUT_SCHEMAS.get(name) ?? createInputSchema(name);
}

/** How large the JSON of an operation's body may be, in UTF-8 bytes. */
export function bodyLimitOf(name: OperationName): number {
  const { responds, carriesFile } = factsOf(name);
  if (responds) return BODY_LIMITS.responseBytes;
  return carriesFile ? BODY_LIMITS.fileBytes : BODY_LIMITS.requestBytes;
}

/** Checks an input as every transport does. Throws `BAD_REQUEST`. */
export function parseOperationInput(name: OperationName, input: unknown): OperationInput {
  const result = inputSchemaOf(name).safeParse(input);
  if (result.success) return result.data ?? {};
  throw toInputError(result.error.issues);
}

/** The error of an input. Fields are named as over HTTP: within the body, within the query or in the path. */
export function toInputError(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): ProtocolError {
  return toBadRequest(
    issues.map(({ path, message }) => ({
      path: path[0] === "body" || path[0] === "query" ? path.slice(1) : path,
      message,
    })),
  );
}
