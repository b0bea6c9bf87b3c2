import { ProtocolError } from "@holdpoint/protocol";
import { expect } from "vitest";

import type { ToolCall } from "../../tools/running-call.ts";
import type { ToolCallResult } from "../../tools/tool-result.ts";
import type { Outcome, ToolKind } from "./call-model.ts";
import { RuleBroken, type RuleLedger } from "./rule-ledger.ts";
import type { PlacedCall } from "./schedule-rows.ts";

/** A call from its agent's point of view. */
export class AgentCall implements PlacedCall {
  readonly sessionId: string;
  readonly toolCallId: string;
  readonly kind: ToolKind;
  /** Identifies the call: the ids are the same in every session. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly #ledger: RuleLedger;
  #call: ToolCall | undefined;
  #end: { readonly result: ToolCallResult } | { readonly failure: unknown } | undefined;
  #isLost = false;

  constructor(
    place: PlacedCall,
    { kind, index, ledger }: { kind: ToolKind; index: number; ledger: RuleLedger },
  ) {
    this.#ledger = ledger;
    this.sessionId = place.sessionId;
    this.toolCallId = place.toolCallId;
    this.kind = kind;
    this.args = { index };
  }

  /** The call was made, for the first time or again. */
  begin(call: ToolCall): void {
    this.#call = call;
    this.#end = undefined;
    call.result.then(
      (result) => {
        if (this.#call === call) this.#end = { result };
      },
      (failure: unknown) => {
        if (this.#call === call) this.#end = { failure };
      },
    );
  }

  finishAsQueued(): void {
    if (!this.#isLost) this.#call?.finishAsQueued();
  }

  /** The agent no longer waits for it. */
  lose(): void {
    this.#isLost = true;
  }

  get outcome(): Outcome | undefined {
    if (this.#isLost) return "lost";
    if (!this.#end) return undefined;
    if ("failure" in this.#end) {
      const { failure } = this.#end;
      if (ProtocolError.isInstance(failure) && failure.code === "STORE_UNAVAILABLE") {
        return "refused";
      }
      throw failure;
    }
    return this.#read(this.#end.result);
  }

  #read({ content, structured }: ToolCallResult): Outcome {
    const { status, code, action, input } = structured ?? {};
    if (status === "queued") return "queued";
    switch (code ?? action) {
      case "approve":
        this.#ledger.check("R-6", () => expect(input).toEqual(this.args));
        return "approved";
      case "deny":
        expect(input).toBeUndefined();
        return "denied";
      case "INTERACTION_UNAVAILABLE":
        return "unavailable";
      case "INTERACTION_TIMEOUT":
        return "timeout";
      case "INTERACTION_REFUSED":
        return "refused";
      case "INTERACTION_CANCELLED":
        return "cancelled";
      case "DUPLICATE_CALL":
        throw new RuleBroken("R-15", "A call met one of another session.");
      default:
        throw new Error(`A call came to ${content}.`);
    }
  }
}
