import { describe, expect, test } from "vitest";

import { spokenText, type AdapterBench } from "./adapter-bench.ts";
import type { AdapterCapability } from "./adapter-subject.ts";
import type { ScriptedOutcome } from "./recording-turn.ts";
import { approvalOf, approve, deny } from "./scripted-person.ts";

/** The request expires, the gateway refuses it, or the person's response is not a decision. */
const NO_DECISION: readonly ScriptedOutcome[] = [
  { outcome: "expired" },
  { outcome: "withdrawn", reason: "Too many are waiting." },
  { outcome: "answered", response: { action: "cancel" } },
  { outcome: "answered", response: { action: "submit" } },
];

/** The part of the adapter contract about approvals. */
export function describeApprovals(bench: AdapterBench, cannot: readonly AdapterCapability[]): void {
  describe("an approval", () => {
    test("[R-6] runs exactly the requested input", async () => {
      const { turn, result } = await bench.run(await bench.open(), "run_tool", () => approve());
      expect(result).toEqual({ reason: "done" });
      expect(turn.requests).toHaveLength(1);
      expect(bench.subject.ranWith()).toEqual([approvalOf(turn.requests[0]).input]);
    });

    test.skipIf(cannot.includes("edited_input"))(
      "[R-6] runs exactly the person's edit",
      async () => {
        let edited: Record<string, unknown> = {};
        const { turn } = await bench.run(await bench.open(), "run_tool", (request) => {
          edited = bench.subject.edit(approvalOf(request).input);
          return approve({ editedInput: edited });
        });
        expect(approvalOf(turn.requests[0]).editable).toBe(true);
        expect(bench.subject.ranWith()).toEqual([edited]);
      },
    );

    test("offers a single approval, and has a text for each wider scope", async () => {
      const { turn } = await bench.run(await bench.open(), "run_tool", () => deny("no"));
      const { scopes, scopeText } = approvalOf(turn.requests[0]);
      expect(scopes).toContain("once");
      const wider = scopes.filter((scope) => scope !== "once");
      expect(wider.filter((scope) => (scopeText[scope] ?? "") === "")).toEqual([]);
    });

    test("does not run when it is denied, and the agent gets the reason", async () => {
      const { turn, result } = await bench.run(await bench.open(), "run_tool", () =>
        deny("Not on a Friday."),
      );
      expect(result).toEqual({ reason: "done" });
      expect(bench.subject.ranWith()).toEqual([]);
      expect(bench.subject.heard().join("\n")).toContain("Not on a Friday.");
      expect(spokenText(turn)).not.toBe("");
    });

    test("stops the turn when it is denied with an end to the turn", async () => {
      const session = await bench.open();
      const { result } = await bench.run(session, "run_tool", () => ({
        outcome: "answered",
        response: { action: "deny", reason: "Enough.", stopTurn: true },
      }));
      expect(result).toEqual({ reason: "stopped" });
      expect(bench.subject.ranWith()).toEqual([]);
      await bench.expectUsable(session);
    });

    test("[R-5] runs nothing without a decision, for any reason, and the agent continues", async () => {
      const session = await bench.open();
      for (const [index, outcome] of NO_DECISION.entries()) {
        const { result } = await bench.run(session, "run_tool", () => outcome);
        expect(result).toEqual({ reason: "done" });
        expect(bench.subject.ranWith()).toEqual([]);
        expect(bench.subject.heard()).toHaveLength(index + 1);
      }
      await bench.expectUsable(session);
    });

    test("[R-5] is asked for in an unknown permission mode", async () => {
      const session = await bench.open({ permissionMode: "no_such_mode" });
      const { turn } = await bench.run(session, "run_tool", () => deny("no"));
      expect(turn.requests.map(({ kind }) => kind)).toEqual(["approval"]);
      expect(bench.subject.ranWith()).toEqual([]);
    });

    test("[R-5] is still asked for after a permission mode was refused", async () => {
      const session = await bench.open();
      await expect(session.setPermissionMode("no_such_mode")).rejects.toThrow(/\S/);
      const { turn } = await bench.run(session, "run_tool", () => deny("no"));
      expect(turn.requests).toHaveLength(1);
      expect(bench.subject.ranWith()).toEqual([]);
    });

    test.skipIf(cannot.includes("run_three_tools"))(
      "[R-15] decides only its own call among others",
      async () => {
        let count = 0;
        const { turn, result } = await bench.run(await bench.open(), "run_three_tools", () => {
          count += 1;
          return count === 2 ? deny("Not the second.") : approve();
        });
        expect(result).toEqual({ reason: "done" });
        const inputs = turn.requests.map((request) => approvalOf(request).input);
        expect(inputs).toHaveLength(3);
        const ran = bench.subject.ranWith();
        expect(ran).toHaveLength(2);
        expect(ran).toEqual(expect.arrayContaining([inputs[0], inputs[2]]));
      },
    );
  });
}
