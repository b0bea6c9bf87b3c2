import {
  type Caller,
  callOperation,
  type GatewayArguments,
  type OperationInput,
  type OperationName,
  toArguments,
} from "@holdpoint/protocol";

import type { ServedGateway } from "./server-context.ts";

/** Runs `callOperation`, and resolves to the JSON of the answer's body, or `undefined` without one. */
export async function runOperation(
  gateway: ServedGateway,
  caller: Caller,
  name: OperationName,
  input: OperationInput,
): Promise<string | undefined> {
  if (name === "readEvents") return readEvents(gateway, caller, input);
  const value = await callOperation(gateway, caller, name, input);
  return value === undefined ? undefined : JSON.stringify(value);
}

/** Joins the stored JSON texts, so that a page of a thousand events is not parsed and serialised again. */
async function readEvents(
  gateway: ServedGateway,
  caller: Caller,
  input: OperationInput,
): Promise<string> {
  const { epoch } = gateway;
  const given = toArguments("readEvents", caller, input) as GatewayArguments<"readEvents">;
  const { items, nextCursor } = await gateway.readEventTexts(caller, ...given);
  const texts = items.map(({ json }) => json).join(",");
  return `{"items":[${texts}],${JSON.stringify({ epoch, nextCursor }).slice(1)}`;
}
