import type { Bug } from "../bug.ts";

const ENGINE = "packages/engine/src";
const PARKING = [
  `${ENGINE}/turn/park-turn.test.ts`,
  `${ENGINE}/turn/park-races.test.ts`,
  `${ENGINE}/gateway/park-crash.test.ts`,
  `${ENGINE}/gateway/recover.test.ts`,
  `${ENGINE}/tools/parked.test.ts`,
];
const LOST = `${ENGINE}/turn/agent-lost.test.ts`;

/** Agents that are parked, started again, taken over or lost. */
export const PARKING_BUGS: readonly Bug[] = [
  {
    what: "the end of a turn orphans what is parked",
    rule: "R-4",
    file: `${ENGINE}/turn/close-interactions.ts`,
    search:
      "    isParked(interaction) || (isResuming(interaction) && turn.resumes !== interaction.interactionId)\n",
    replace: "    isResuming(interaction) && turn.resumes !== interaction.interactionId\n",
    tests: PARKING,
  },
  {
    what: "the end of a turn sends on what starts the agent again",
    rule: "R-4",
    file: `${ENGINE}/turn/close-interactions.ts`,
    search:
      "    isParked(interaction) || (isResuming(interaction) && turn.resumes !== interaction.interactionId)\n",
    replace: "    isParked(interaction)\n",
    tests: PARKING,
  },
  {
    what: "a gateway that stops takes back what could be parked",
    rule: "R-4",
    file: `${ENGINE}/gateway/close-gateway.ts`,
    search: "  if (await isParked(core, turn)) return true;\n",
    replace: "",
    tests: PARKING,
  },
  {
    what: "stopping a parked session leaves open what it asks",
    rule: "R-18",
    file: `${ENGINE}/turn/stop-turn.ts`,
    search:
      "  for (const { interaction } of parked) await withdraw(interaction.interactionId, STOPPED);\n",
    replace: "",
    tests: PARKING,
  },
  {
    what: "a parked agent hears that its wait has ended, and goes on without an answer",
    rule: "R-5",
    file: `${ENGINE}/turn/park-turn.ts`,
    search: "  waiters.drop(interactionId);\n",
    replace: '  waiters.settle(interactionId, { status: "withdrawn", reason: "parked" });\n',
    tests: PARKING,
  },
  {
    what: "an agent is parked though something else waits in its turn",
    rule: "R-4",
    file: `${ENGINE}/turn/park-turn.ts`,
    search:
      "  const isAlone = pending.size === 1 && pending.has(interactionId) && calls.size <= 1;",
    replace: "  const isAlone = pending.has(interactionId) && calls.size <= 1;",
    tests: PARKING,
  },
  {
    what: "what an agent asks again is a second interaction, under another id",
    rule: "R-4",
    file: `${ENGINE}/interaction/open-interaction.ts`,
    search: "  if (!turn.asksAgain || tool || parts.draining.aborted) return false;\n",
    replace: "  if (turn.asksAgain || tool || parts.draining.aborted) return false;\n",
    tests: PARKING,
  },
  {
    what: "an agent that asks something else under the same id gets the answer to what it asked before",
    rule: "R-6",
    file: `${ENGINE}/interaction/resume-wait.ts`,
    search: "    return mayBeTaken && shownDigestOf(interaction) === digest;",
    replace: "    return mayBeTaken && digest.length > 0;",
    tests: PARKING,
  },
  {
    what: "an answer is handed over while its row still says that no agent has it",
    rule: "R-4",
    file: `${ENGINE}/interaction/resume-wait.ts`,
    search:
      "  if (!stored || !(isParked(stored.interaction) || isResuming(stored.interaction))) return stored;\n",
    replace: "  if (!stored || !isParked(stored.interaction)) return stored;\n",
    tests: PARKING,
  },
  {
    what: "an agent that crashes while it waits is not parked",
    rule: "R-4",
    file: `${ENGINE}/turn/close-interactions.ts`,
    search: "  const parked = await parkLost(parts, ending, open);\n",
    replace:
      "  const parked = open.length < 0 ? await parkLost(parts, ending, open) : undefined;\n",
    tests: PARKING,
  },
  {
    what: "the next gateway gives up what its agent could be started again for",
    rule: "R-4",
    file: `${ENGINE}/gateway/repair.ts`,
    search: "      if (await canPark(core, sessionId)) return core.recovery.add(sessionId);\n",
    replace: "",
    tests: PARKING,
  },
  {
    what: "the next gateway does not start the agent that an answer was for",
    rule: "R-4",
    file: `${ENGINE}/gateway/repair.ts`,
    search: "  else if (isResuming(interaction)) return sessionId;\n",
    replace: "  else if (isResuming(interaction)) return undefined;\n",
    tests: PARKING,
  },
  {
    what: "the next gateway sends an approval that may have run to the agent once more",
    rule: "R-4",
    file: `${ENGINE}/gateway/recovery.ts`,
    search: '  if (knowledge === "not_taken" || mayComeAgain) return false;\n',
    replace: '  if (knowledge !== "resumed") return false;\n',
    tests: [...PARKING, `${ENGINE}/gateway/repair.test.ts`],
  },
  {
    what: "the next gateway does not see that a turn was stopped",
    rule: "R-4",
    file: `${ENGINE}/gateway/interrupted-turn.ts`,
    search: '    isStopped ||= event.type === "interaction_closed" && event.reason === STOPPED;\n',
    replace: "",
    tests: [`${ENGINE}/gateway/lost-stop.test.ts`],
  },
  {
    what: "a question is withdrawn when the line to its agent's host is lost",
    rule: "R-4",
    file: "packages/server/src/mcp/mcp-session.ts",
    search: "    if (reason === LINE_LOST) return LINE_GRACE_MS;\n",
    replace: "    if (reason === LINE_LOST) return DEATH_GRACE_MS;\n",
    tests: ["packages/server/src/mcp/lost-line.test.ts", "e2e/claude-lost-calls.test.ts"],
  },
  {
    what: "what nobody knows to have arrived counts as delivered",
    rule: "R-4",
    file: `${ENGINE}/interaction/hold-end.ts`,
    search: "        await record(knowledge ? { how: knowledge } : {});\n",
    replace: "        await record({});\n",
    tests: [LOST, ...PARKING],
  },
  {
    what: "a message goes to a parked session before the answer that it waits for",
    rule: "R-8",
    file: `${ENGINE}/turn/turn-queue.ts`,
    search: "      if (isParked(live.sessionId)) return false;\n",
    replace: "",
    tests: PARKING,
  },
  {
    what: "a tool that asks something else when it is run again gets the answer to what it asked before",
    rule: "R-6",
    file: `${ENGINE}/tools/round.ts`,
    search:
      "  if (known && known.call?.requestDigest !== requestDigest) throw mismatch(parts, call);\n",
    replace: "",
    tests: [`${ENGINE}/tools/replay.test.ts`, `${ENGINE}/tools/crash.test.ts`],
  },
  {
    what: "a request that refuses to wait for nobody waits all the same",
    rule: "R-18",
    file: `${ENGINE}/tools/round.ts`,
    search: '  return (request.whenUnavailable ?? parts.whenUnavailable) === "refuse";',
    replace: "  return parts.draining.aborted && request.whenUnavailable === undefined;",
    tests: [`${ENGINE}/tools/availability.test.ts`],
  },
  {
    what: "a session's pace is counted by the wall clock",
    rule: "R-20",
    file: `${ENGINE}/interaction/open-interaction.ts`,
    search: "asks.reserve(clock.monotonic())",
    replace: "asks.reserve(clock.now())",
    tests: [`${ENGINE}/gateway/clock-jumps.test.ts`],
  },
  {
    what: "durations are measured by the wall clock",
    rule: "R-18",
    file: `${ENGINE}/lib/system-clock.ts`,
    search: "    monotonic: () => performance.now(),",
    replace: "    monotonic: () => Date.now(),",
    tests: [`${ENGINE}/lib/system-clock.test.ts`],
  },
];
