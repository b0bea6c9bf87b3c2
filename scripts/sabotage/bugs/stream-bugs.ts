import type { Bug } from "../bug.ts";

const ENGINE = "packages/engine/src";
const SERVER = "packages/server/src";
const CLIENT = "packages/client/src";
const SCHEDULES = `${ENGINE}/tools/schedules.test.ts`;

/** Followers, connections, the view of a page, and agents' decisions. */
export const STREAM_BUGS: readonly Bug[] = [
  {
    what: "a follower that comes back misses an event",
    rule: "R-7",
    file: `${ENGINE}/session/event-tail.ts`,
    search: "return this.#events.slice(seq + 1 - first.seq);",
    replace: "return this.#events.slice(seq + 2 - first.seq);",
    tests: [`${ENGINE}/session`, `${ENGINE}/stream`, SCHEDULES],
  },
  {
    what: "the tail of a log has a gap that nobody notices",
    rule: "R-7",
    file: `${ENGINE}/session/event-tail.ts`,
    search: "      this.clear();\n    }\n    for (const event of events) {",
    replace: "    }\n    for (const event of events) {",
    tests: [`${ENGINE}/session`, `${ENGINE}/stream`, SCHEDULES],
  },
  {
    what: "a cursor of another history is taken",
    rule: "R-7",
    file: `${ENGINE}/stream/follow-session.ts`,
    search: "const isForeign = cursor.epoch !== undefined && cursor.epoch !== store.epoch;",
    replace: "const isForeign = false;",
    tests: [`${ENGINE}/stream`, "packages/client/src/transports", `${SERVER}/streams`],
  },
  {
    what: "a follower is not told of what happens while it reads",
    rule: "R-7",
    file: `${ENGINE}/stream/follow-session.ts`,
    search: "await live.changes.wait(waitFrom, { signal });",
    replace: "await live.changes.wait(live.changes.version, { signal });",
    tests: [`${ENGINE}/stream`, SCHEDULES],
  },
  {
    what: "the view applies an event twice",
    rule: "R-7",
    file: `${CLIENT}/view/session-state.ts`,
    search: "    } else if (frame.seq === nextSeq) {\n      foldEvent(draft, frame);",
    replace: "    } else {\n      foldEvent(draft, frame);",
    tests: [`${CLIENT}/view`, `${CLIENT}/store`],
  },
  {
    what: "the view goes on over a gap",
    rule: "R-7",
    file: `${CLIENT}/view/session-state.ts`,
    search: "      gap = true;\n      break;",
    replace: "      foldEvent(draft, frame);",
    tests: [`${CLIENT}/view`, `${CLIENT}/store`],
  },
  {
    what: "a loaded history is folded from its end",
    rule: "R-10",
    file: `${CLIENT}/view/fold-log.ts`,
    search: "  for (const event of events) foldEvent(draft, event);",
    replace: "  for (const event of events.toReversed()) foldEvent(draft, event);",
    tests: [`${CLIENT}/view`],
  },
  {
    what: "an earlier page is put behind what is loaded",
    rule: "R-10",
    file: `${CLIENT}/view/session-state.ts`,
    search: "const all = earlier.length === 0 ? state.events : [...earlier, ...state.events];",
    replace: "const all = earlier.length === 0 ? state.events : [...state.events, ...earlier];",
    tests: [`${CLIENT}/view`],
  },
  {
    what: "a result is put to the first of two calls with one id",
    rule: "R-10",
    file: `${CLIENT}/view/fold-log.ts`,
    search: "  const ownKey = draft.usedAgain.get(callKey) ?? callKey;",
    replace: "  const ownKey = callKey;",
    tests: [`${CLIENT}/view`],
  },
  {
    what: "a slow reader is never closed",
    rule: "R-18",
    file: `${SERVER}/streams/event-stream.ts`,
    search: '    if (result === "stalled") this.#end("slow_client");\n',
    replace: "    void result;\n",
    tests: [`${SERVER}/streams`, `${SERVER}/server.test.ts`],
  },
  {
    what: "one person may open any number of streams",
    rule: "R-20",
    file: `${SERVER}/streams/stream-registry.ts`,
    search: "    assertFewer(open.filter((one) => one.person === person).length, perPerson);\n",
    replace: "    void perPerson;\n",
    tests: [`${SERVER}/streams`, `${SERVER}/socket`, `${SERVER}/auth`],
  },
  {
    what: "streams of a revoked token go on",
    rule: "R-13",
    file: `${SERVER}/streams/stream-registry.ts`,
    search: '    this.#end(tokenId, "revoked");\n',
    replace: "",
    tests: [`${SERVER}/streams`, `${SERVER}/socket`, `${SERVER}/auth`],
  },
  {
    what: "the proof of another key is taken",
    rule: "R-13",
    file: `${SERVER}/auth/authenticator.ts`,
    search: "      if (read.thumbprint !== keyThumbprint) throw refusedProof();\n",
    replace: "",
    tests: [`${SERVER}/auth`],
  },
  {
    what: "a proof can be used again",
    rule: "R-13",
    file: `${SERVER}/auth/proof-nonces.ts`,
    search: 'if (generation.used.has(proofId)) return "replayed";',
    replace: "",
    tests: [`${SERVER}/auth`],
  },
  {
    what: "what an agent could not ask is allowed",
    rule: "R-5",
    file: "packages/agents/src/claude/can-use-tool.ts",
    search:
      "    return deny(`${ask.toolName} was not run, because no one could be asked: ${cause}`);",
    replace: '    return { behavior: "allow", updatedInput: { cause } } as never;',
    tests: ["packages/agents/src/claude"],
  },
];
