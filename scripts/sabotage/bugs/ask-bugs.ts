import type { Bug } from "../bug.ts";

const ENGINE = "packages/engine/src";
const ASKS = `${ENGINE}/asks/asks.test.ts`;
const ROUTES = "packages/server/src/routes/asks.test.ts";
const CALLBACKS = "packages/notify/src/callbacks";

/** Requests of programs, and the reports of their outcome. */
export const ASK_BUGS: readonly Bug[] = [
  {
    what: "a program sees a program's ask that is not its own",
    rule: "R-15",
    file: `${ENGINE}/asks/own-ask.ts`,
    search: "stored?.interaction.sessionId === sessionId && isKept(stored.interaction)",
    replace: "sessionId !== undefined && stored !== undefined && isKept(stored.interaction)",
    tests: [ASKS, ROUTES, CALLBACKS],
  },
  {
    what: "a key finds a program's ask that asked something else",
    rule: "R-5",
    file: `${ENGINE}/asks/create-ask.ts`,
    search: "  if (known.call?.callDigest === digest) return known;\n",
    replace: "  if (digest !== toolCallId) return known;\n",
    tests: [ASKS, CALLBACKS],
  },
  {
    what: "a program's ask that nobody answered counts as answered",
    rule: "R-5",
    file: "packages/client/src/asks/ask.ts",
    search: '      return { status: ended.status === "withdrawn" ? "withdrawn" : "expired" };\n',
    replace: '      return { status: "answered", value: {} };\n',
    tests: ["packages/client/src/asks"],
  },
  {
    what: "a callback has the answer in it",
    rule: "R-19",
    file: `${CALLBACKS}/send-callback.ts`,
    search: "  const data = { interactionId, kind,",
    replace: "  const data = { response: interaction.response, interactionId, kind,",
    tests: [CALLBACKS],
  },
  {
    what: "a callback counts as delivered before it is sent",
    rule: "R-4",
    file: `${CALLBACKS}/callbacks.ts`,
    search: "    const trying = beginTry(row, clock.now());\n",
    replace: '    const trying = { ...beginTry(row, clock.now()), state: "delivered" as const };\n',
    tests: [CALLBACKS],
  },
  {
    what: "a restarted gateway forgets the callback that it was sending",
    rule: "R-4",
    file: `${CALLBACKS}/callbacks.ts`,
    search: "    for (const row of this.#open.values()) this.#plan(row);\n",
    replace: "",
    tests: [CALLBACKS],
  },
  {
    what: "a callback goes to any host",
    rule: "R-20",
    file: `${CALLBACKS}/callback-targets.ts`,
    search: "url.host === hostOf(url.protocol, host)",
    replace: 'host !== ""',
    tests: [CALLBACKS],
  },
  {
    what: "a callback goes to any address that its host stands for",
    rule: "R-20",
    file: `${CALLBACKS}/callback-targets.ts`,
    search: "isPrivate ? isNotLinkLocal : isPublicAddress;",
    replace: "isPrivate ? () => true : isNotLinkLocal;",
    tests: [CALLBACKS],
  },
  {
    what: "there may be any number of sessions in terminals",
    rule: "R-20",
    file: "packages/engine/src/gateway/external-session-limit.ts",
    search: "      if (known >= limits.sessionsElsewhere) await this.#makeRoom(createdBy);\n",
    replace: "",
    tests: ["packages/agents/src/terminal/terminal-asks.test.ts"],
  },
];
