import { z } from "zod";

import { BODY_LIMITS } from "./limits.ts";
import { detailsOf } from "./operation-schemas.ts";
import type { OperationInput } from "./operation.ts";
import { factsOf, idsOf, OPERATION_NAMES, type OperationName } from "./operations.ts";
import { toBadRequest } from "./parse-input.ts";
import { idSchema } from "./primitives.ts";
import type { ProtocolError } from "./protocol-error.ts";

/** Returns the schema of the ids in an operation's path. */
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

/** Returns the schema of an operation's input as one object, without `clientId`. Optional if there is no input. */
export function inputSchemaOf(name: OperationName): z.ZodType<OperationInput | undefined> {
  return INPUT_SCHEMAS.get(name) ?? createInputSchema(name);
}

/** Returns the size limit of an operation's JSON body, in UTF-8 bytes. */
export function bodyLimitOf(name: OperationName): number {
  const { responds, carriesFile } = factsOf(name);
  if (responds) return BODY_LIMITS.responseBytes;
  return carriesFile ? BODY_LIMITS.fileBytes : BODY_LIMITS.requestBytes;
}

/** Validates an input like every transport does. Throws `BAD_REQUEST`. */
export function parseOperationInput(name: OperationName, input: unknown): OperationInput {
  const result = inputSchemaOf(name).safeParse(input);
  if (result.success) return result.data ?? {};
  throw toInputError(result.error.issues);
}

/** Returns the error of an invalid input. Its fields have the same names as over HTTP: within body, query or path. */
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
