import type { Bug } from "../bug.ts";

const ENGINE = "packages/engine/src";
const AUTH = "packages/server/src/auth";

/** Responses that are checked, undone and turned into grants, and the proof that a request comes from its device. */
export const RESPONSE_BUGS: readonly Bug[] = [
  {
    what: "the time to take a response back runs on while it is taken back",
    rule: "R-4",
    file: `${ENGINE}/interaction/undo-window.ts`,
    search: "    window.timer?.[Symbol.dispose]();\n    window.timer = undefined;\n",
    replace: "",
    tests: [`${ENGINE}/interaction/undo-window.test.ts`],
  },
  {
    what: "a response is taken back twice",
    rule: "R-1",
    file: `${ENGINE}/interaction/undo-window.ts`,
    search: "window.undo ??= undo",
    replace: "window.undo = undo",
    tests: [`${ENGINE}/interaction/undo-window.test.ts`],
  },
  {
    what: "a limit counts for an edited approval",
    rule: "R-11",
    file: `${ENGINE}/interaction/validate-response.ts`,
    search: " || body.editedInput)) {",
    replace: ")) {",
    tests: [`${ENGINE}/interaction/validate-response.test.ts`],
  },
  {
    what: "a limit counts for an approval of one call",
    rule: "R-11",
    file: `${ENGINE}/interaction/validate-response.ts`,
    search: '(scope === "once" || !approval.canLimit',
    replace: "(!approval.canLimit",
    tests: [`${ENGINE}/interaction/validate-response.test.ts`],
  },
  {
    what: "a limit counts where none was offered",
    rule: "R-11",
    file: `${ENGINE}/interaction/validate-response.ts`,
    search: '(scope === "once" || !approval.canLimit || ',
    replace: '(scope === "once" || ',
    tests: [`${ENGINE}/interaction/validate-response.test.ts`],
  },
  {
    what: "an edited approval holds for longer",
    rule: "R-6",
    file: `${ENGINE}/interaction/validate-response.ts`,
    search: 'approvalScope: body.editedInput ? "once" : scope',
    replace: "approvalScope: scope",
    tests: [`${ENGINE}/interaction/validate-response.test.ts`],
  },
  {
    what: "an approval that a grant gave leaves another grant",
    rule: "R-5",
    file: `${ENGINE}/grants/grant-changes.ts`,
    search: 'response?.action === "approve" && response.grantId === undefined;',
    replace: 'response?.action === "approve";',
    tests: [`${ENGINE}/grants/grant-changes.test.ts`],
  },
  {
    what: "an edited approval leaves a grant for longer",
    rule: "R-6",
    file: `${ENGINE}/grants/grant-changes.ts`,
    search: "grantHash !== undefined && !editedInput;",
    replace: "grantHash !== undefined;",
    tests: [`${ENGINE}/grants/grant-changes.test.ts`],
  },
  {
    what: "an approval in time leaves a grant for one call",
    rule: "R-5",
    file: `${ENGINE}/grants/grant-changes.ts`,
    search: "return isLate ? oneTimeGrantOf(parts, stored) : NO_CHANGES;",
    replace: "return oneTimeGrantOf(parts, stored);",
    tests: [`${ENGINE}/grants/grant-changes.test.ts`],
  },
  {
    what: "the nonce before the current one is refused",
    rule: "R-13",
    file: `${AUTH}/proof-nonces.ts`,
    search: "[this.#current, this.#previous].find(",
    replace: "[this.#current].find(",
    tests: [`${AUTH}/proof-nonces.test.ts`],
  },
  {
    what: "a proof counts twice with one nonce",
    rule: "R-13",
    file: `${AUTH}/proof-nonces.ts`,
    search: "    generation.used.add(proofId);\n",
    replace: "",
    tests: [`${AUTH}/proof-nonces.test.ts`],
  },
];
