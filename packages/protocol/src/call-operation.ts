import type { Caller } from "./caller.ts";
import type { GatewayApi } from "./gateway-api.ts";
import type { Interaction } from "./interaction.ts";
import { type OperationInput, type RespondResult, toArguments } from "./operation.ts";
import { factsOf, type OperationName } from "./operations.ts";
import { fromProblem } from "./protocol-error.ts";

/**
 * Calls an operation of a gateway with a validated input. Resolves to the response body. Rejects like the gateway, and
 * with the problem of a refused response.
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
