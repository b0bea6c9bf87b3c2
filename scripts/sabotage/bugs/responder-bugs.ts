import type { Bug } from "../bug.ts";

const PROTOCOL = "packages/protocol/src";
const RESPONDERS_TEST = "packages/engine/src/interaction/responders.test.ts";
const REACH_TEST = "packages/server/src/routes/reach.test.ts";
const WHOSE_TEST = "packages/engine/src/stream/whose-overview.test.ts";

const BACK_TEST = "packages/engine/src/interaction/hand-back.test.ts";
const NOTES_TEST = "packages/engine/src/interaction/notes.test.ts";

/** Responders, the votes and notes of several people, and the owners of sessions. */
export const RESPONDER_BUGS: readonly Bug[] = [
  {
    what: "one yes of several settles it",
    rule: "R-5",
    file: `${PROTOCOL}/votes.ts`,
    search: "length < needOf(interaction) ?",
    replace: "length < 1 ?",
    tests: [`${PROTOCOL}/votes.test.ts`, RESPONDERS_TEST],
  },
  {
    what: "one person votes with each of their devices",
    rule: "R-1",
    file: `${PROTOCOL}/votes.ts`,
    search: "personId !== undefined && personId !== by.personId && !uncounted",
    replace: "personId !== undefined && !uncounted",
    tests: [`${PROTOCOL}/votes.test.ts`, RESPONDERS_TEST],
  },
  {
    what: "somebody answers what others are asked",
    rule: "R-5",
    file: `${PROTOCOL}/may-answer.ts`,
    search: "if (!isInside(responders, voter, sinceMs)) {",
    replace: "if (!isInside(responders, voter, sinceMs) && sinceMs < 0) {",
    tests: [`${PROTOCOL}/may-answer.test.ts`, RESPONDERS_TEST],
  },
  {
    what: "a policy of an agent takes the place of the config's",
    rule: "R-5",
    file: `${PROTOCOL}/join-policies.ts`,
    search: "circles: policies.flatMap(",
    replace: "circles: policies.slice(-1).flatMap(",
    tests: [`${PROTOCOL}/join-policies.test.ts`, RESPONDERS_TEST],
  },
  {
    what: "a vote counts though its person has left",
    rule: "R-5",
    file: "packages/engine/src/interaction/uncounted-votes.ts",
    search: "return mayStill ? [] : [personId];",
    replace: "return mayStill ? [] : [];",
    tests: [RESPONDERS_TEST],
  },
  {
    what: "another write sets a vote back",
    rule: "R-10",
    file: "packages/engine/src/session/session-log.ts",
    search: "if (current && addedTo(current.interaction) === expectedAddedOf(write)) continue;",
    replace: "if (current || expectedAddedOf(write) < 0) continue;",
    tests: [RESPONDERS_TEST],
  },
  {
    what: "an answer is written over a comment",
    rule: "R-10",
    file: "packages/engine/src/session/session-log.ts",
    search: " || this.#noted.has(interaction.interactionId);",
    replace: ";",
    tests: [NOTES_TEST, "packages/engine/src/tools/schedules.test.ts"],
  },
  {
    what: "a comment ends the wait of the agent",
    rule: "R-5",
    file: `${PROTOCOL}/interaction-life.ts`,
    search:
      'note: (interaction, at) =>\n      isDue(interaction, at) ? refuse("deadline_passed") : move("pending"),',
    replace:
      'note: (interaction, at) =>\n      isDue(interaction, at) ? refuse("deadline_passed") : move("pending", "wake"),',
    tests: [`${PROTOCOL}/notes.test.ts`, NOTES_TEST],
  },
  {
    what: "who asked for it chooses who can allow it",
    rule: "R-5",
    file: `${PROTOCOL}/may-answer.ts`,
    search: 'return refusalOfResponder(asked, voter, { at, action: "approve" });',
    replace: 'return refusalOfResponder(asked, voter, { at, action: "deny" });',
    tests: [`${PROTOCOL}/may-answer.test.ts`, NOTES_TEST],
  },
  {
    what: "who hands it over is asked no more, though nobody else can allow it",
    rule: "R-5",
    file: "packages/engine/src/interaction/enough-others.ts",
    search: "return isOneMeant && accounts.size >= needOf(asked.interaction);",
    replace: "return isOneMeant || accounts.size >= 0;",
    tests: [NOTES_TEST, BACK_TEST],
  },
  {
    what: "what was handed to somebody who is let go is asked of nobody",
    rule: "R-5",
    file: "packages/engine/src/gateway/gateway.ts",
    search: "credentials.onRevoked(async () => handingBack.look());",
    replace: "",
    tests: [BACK_TEST],
  },
  {
    what: "whom a policy names is forgotten once the interaction moves",
    rule: "R-15",
    file: "packages/engine/src/interaction/settle.ts",
    search: "...(named && { named }),",
    replace: "",
    tests: [WHOSE_TEST],
  },
  {
    what: "an operation reaches the session of somebody else",
    rule: "R-15",
    file: "packages/engine/src/gateway/access.ts",
    search: 'if (reach === "session") await',
    replace: 'if (reach === "owner") await',
    tests: [REACH_TEST],
  },
  {
    what: "an overview tells of the sessions of others",
    rule: "R-15",
    file: "packages/engine/src/stream/follow-overview.ts",
    search: "changes.filter((change) => maySee(change, follower.sight))",
    replace: "[...changes]",
    tests: [WHOSE_TEST],
  },
  {
    what: "the answers of other people's sessions are listed",
    rule: "R-15",
    file: "packages/store-sqlite/src/seen.ts",
    search: "return `(${keys} IS NULL OR session_number IN (\n",
    replace: "return `(${keys} IS NULL OR 1 OR session_number IN (\n",
    tests: ["packages/store-sqlite/src/sqlite-store.contract.test.ts"],
  },
  {
    what: "whose token is revoked while a request is under way answers all the same",
    rule: "R-13",
    file: "packages/server/src/http/run-route.ts",
    search: "const credential = isWhole ? first :",
    replace: "const credential = isWhole || first.tokenId ? first :",
    tests: ["packages/server/src/http/late-bodies.test.ts"],
  },
  {
    what: "one person votes with each of their accounts",
    rule: "R-5",
    file: "packages/engine/src/interaction/other-accounts.ts",
    search: "return isOther && addressOf(one.signIn) === address ?",
    replace: "return isOther && addressOf(one.signIn) === undefined ?",
    tests: [RESPONDERS_TEST],
  },
];
