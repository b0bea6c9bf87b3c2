import type { Bug } from "../bug.ts";

const PROTOCOL = "packages/protocol/src";
const INTERACTION = "packages/engine/src/interaction";
const LIFE_TEST = `${PROTOCOL}/interaction-life.test.ts`;
const SCHEDULES = "packages/engine/src/tools/schedules.test.ts";

/** The life of an interaction, and the checks of a response. */
export const LIFE_BUGS: readonly Bug[] = [
  {
    what: "a response after the deadline counts as one in time",
    rule: "R-3",
    file: `${PROTOCOL}/interaction-life.ts`,
    search:
      '  pending: {\n    respond: (interaction, at) =>\n      isDue(interaction, at) ? refuse("deadline_passed") : move("answered", "wake"),',
    replace:
      '  pending: {\n    respond: (interaction, at) =>\n      isDue(interaction, at) ? move("answered", "wake") : move("answered", "wake"),',
    tests: [
      LIFE_TEST,
      `${INTERACTION}/respond.test.ts`,
      `${INTERACTION}/deadlines.test.ts`,
      SCHEDULES,
    ],
  },
  {
    what: "a request expires before its deadline",
    rule: "R-3",
    file: `${PROTOCOL}/interaction-life.ts`,
    search: '      if (!isDue(interaction, at)) return refuse("not_due");\n',
    replace: "",
    tests: [LIFE_TEST, INTERACTION, SCHEDULES],
  },
  {
    what: "an answered interaction takes another answer",
    rule: "R-1",
    file: `${PROTOCOL}/interaction-life.ts`,
    search:
      '    respond: refuse("already_answered"),\n    vote: refuse("already_answered"),\n    note: refuse("already_answered"),\n    park: move("resuming"',
    replace:
      '    respond: move("answered", "wake"),\n    vote: refuse("already_answered"),\n    note: refuse("already_answered"),\n    park: move("resuming"',
    tests: [LIFE_TEST, `${INTERACTION}/respond.test.ts`, SCHEDULES],
  },
  {
    what: "a response is delivered twice",
    rule: "R-4",
    file: `${PROTOCOL}/interaction-life.ts`,
    search: 'deliver: refuse("already_delivered"),',
    replace: 'deliver: move("delivered"),',
    tests: [LIFE_TEST, "packages/engine/src/interaction", "packages/engine/src/gateway", SCHEDULES],
  },
  {
    what: "what was withdrawn can be approved",
    rule: "R-5",
    file: `${PROTOCOL}/interaction-life.ts`,
    search: 'respond: refuse("withdrawn"),',
    replace: 'respond: move("answered", "queue_message"),',
    tests: [LIFE_TEST, INTERACTION, "packages/engine/src/turn", SCHEDULES],
  },
  {
    what: "a late answer comes though nobody takes one",
    rule: "R-5",
    file: `${PROTOCOL}/interaction-status.ts`,
    search: '  return onTimeout === "wait";',
    replace: '  return onTimeout === "wait" || onTimeout === "deny";',
    tests: [LIFE_TEST, INTERACTION, SCHEDULES],
  },
  {
    what: "an old event sets a newer interaction back",
    rule: "R-10",
    file: `${PROTOCOL}/interaction-event.ts`,
    search: "return isAhead(next, interaction) ? next : interaction;",
    replace: "return next;",
    tests: [LIFE_TEST, "packages/client/src/view"],
  },
  {
    what: "a scope that was not offered is taken",
    rule: "R-11",
    file: `${INTERACTION}/validate-response.ts`,
    search:
      'if (!approval.scopes.includes(scope)) errors["approvalScope"] = "This scope was not offered.";',
    replace: "",
    tests: [INTERACTION, SCHEDULES],
  },
  {
    what: "an option that was not offered is taken",
    rule: "R-11",
    file: `${INTERACTION}/validate-response.ts`,
    search:
      '  if (answer.selected.some((id) => !offered.has(id))) return "This option was not offered.";\n',
    replace: "",
    tests: [INTERACTION],
  },
  {
    what: "cancelling approves",
    rule: "R-11",
    file: `${INTERACTION}/validate-response.ts`,
    search: '        action: "deny",\n        ...ending(body),',
    replace:
      '        action: body.action === "cancel" ? ("approve" as const) : ("deny" as const),\n        ...ending(body),',
    tests: [INTERACTION],
  },
  {
    what: "an approval of something else than was shown counts",
    rule: "R-6",
    file: `${INTERACTION}/validate-response.ts`,
    search: '  if (body.digest !== approval.digest) return { status: "digest_mismatch" };\n',
    replace: "",
    tests: [INTERACTION, SCHEDULES],
  },
  {
    what: "an edit also makes a lasting grant",
    rule: "R-6",
    file: `${INTERACTION}/validate-response.ts`,
    search: 'approvalScope: body.editedInput ? "once" : scope,',
    replace: "approvalScope: scope,",
    tests: [INTERACTION, "packages/engine/src/grants"],
  },
  {
    what: "the digest does not cover the directory",
    rule: "R-6",
    file: "packages/engine/src/lib/digest.ts",
    search: "return hashOf({ tool, input, cwd, sessionId });",
    replace: "void cwd;\n  return hashOf({ tool, input, sessionId });",
    tests: ["packages/engine/src/lib", "packages/engine/src/grants", INTERACTION],
  },
];
