import {
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
} from "@modelcontextprotocol/server";

type RequestId = string | number;

/** The unanswered ids of one HTTP request. Disposed when no response will come. */
interface OpenRequestIds extends Disposable {
  readonly ids: Set<RequestId>;
}

/**
 * The unanswered requests of an MCP session. The SDK finds a response's stream by the request id alone, so a second
 * request with an open id would get the response to the first.
 */
export class OpenRequests {
  readonly #byId = new Map<RequestId, OpenRequestIds>();

  /** Takes the ids of all requests in a body. Returns `undefined` when one is open or appears twice. */
  take(body: unknown): Disposable | undefined {
    const requests = [body].flat().filter((message) => isJSONRPCRequest(message));
    const ids = new Set(requests.map(({ id }) => id));
    if (ids.size < requests.length || [...ids].some((id) => this.#byId.has(id))) return undefined;
    const taken: OpenRequestIds = { ids, [Symbol.dispose]: () => this.#free(taken) };
    for (const id of ids) this.#byId.set(id, taken);
    return taken;
  }

  /** Frees the id of a sent response. The SDK sends a batch as one, so its ids are freed together. */
  noteSent(message: JSONRPCMessage): void {
    if (isJSONRPCResponse(message)) this.#end(message.id);
  }

  /** Frees the ids of cancelled requests, to which the SDK sends no response. */
  noteCancelled(body: unknown): void {
    for (const message of [body].flat()) this.#end(cancelledId(message));
  }

  #end(id: unknown): void {
    const taken = this.#byId.get(id as RequestId);
    taken?.ids.delete(id as RequestId);
    if (taken?.ids.size === 0) this.#free(taken);
  }

  #free(taken: OpenRequestIds): void {
    for (const [id, by] of this.#byId) if (by === taken) this.#byId.delete(id);
  }
}

function cancelledId(message: unknown): unknown {
  const { method, params } = fieldsOf(message);
  return method === "notifications/cancelled" ? fieldsOf(params)["requestId"] : undefined;
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
