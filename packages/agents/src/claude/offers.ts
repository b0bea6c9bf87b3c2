import type {
  ModelInfo,
  Options,
  Query,
  query,
  SDKUserMessage,
  SlashCommand,
} from "@anthropic-ai/claude-agent-sdk";
import type { AgentOffers, Clock } from "@holdpoint/engine";
import type { AgentCommand, AgentModel } from "@holdpoint/protocol";

import { InputQueue } from "./input-queue.ts";

const KEPT_MS = 5 * 60_000;
const LIMIT_MS = 20_000;
const MAX_KEPT = 50;

/** Commands that only a person at Claude's own screen can use, or that its own programs are for. */
const NOT_OFFERED: ReadonlySet<string> = new Set([
  "color",
  "doctor",
  "focus",
  "reload-plugins",
  "workflow-launch-exec",
]);

/** What Claude offers, as a process of it says. Rejects when the process is gone. */
export async function readOffers(
  process: Pick<Query, "supportedCommands" | "supportedModels">,
): Promise<AgentOffers> {
  const [models, commands] = await Promise.all([
    process.supportedModels(),
    process.supportedCommands(),
  ]);
  return { models: models.map(toModel), commands: commands.filter(isOffered).map(toCommand) };
}

export interface ProbeParts {
  readonly clock: Clock;
  readonly loadQuery: () => Promise<typeof query>;
  readonly toOptions: (cwd: string) => Options;
}

/**
 * What Claude offers in a folder in which no process of it runs: a process is started for that, gets no message, and is
 * ended. It costs a second and no tokens, so the answer is kept for some minutes.
 */
export class OffersProbe implements AsyncDisposable {
  readonly #parts: ProbeParts;
  readonly #kept = new Map<
    string,
    { readonly untilMs: number; readonly offers: Promise<AgentOffers> }
  >();
  readonly #ending = new AbortController();

  constructor(parts: ProbeParts) {
    this.#parts = parts;
  }

  /** Rejects when Claude could not be started, or says nothing. */
  read(cwd: string): Promise<AgentOffers> {
    const now = this.#parts.clock.monotonic();
    const known = this.#kept.get(cwd);
    if (known && known.untilMs > now) return known.offers;
    const offers = this.#probe(cwd);
    this.#kept.delete(cwd);
    this.#kept.set(cwd, { untilMs: now + KEPT_MS, offers });
    offers.catch(() => this.#kept.delete(cwd));
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return offers;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    await Promise.allSettled([...this.#kept.values()].map(({ offers }) => offers));
  }

  async #probe(cwd: string): Promise<AgentOffers> {
    const { clock, loadQuery, toOptions } = this.#parts;
    const start = await loadQuery();
    const input = new InputQueue<SDKUserMessage>();
    const running = start({ prompt: input, options: toOptions(cwd) });
    try {
      return await inTime(readOffers(running), clock, this.#ending.signal);
    } finally {
      input.close();
      running.close();
    }
  }
}

/** Rejects once the agent has had enough time, or when nobody waits any more. */
async function inTime<T>(work: Promise<T>, clock: Clock, ending: AbortSignal): Promise<T> {
  const done = new AbortController();
  const signal = AbortSignal.any([done.signal, ending]);
  const late = clock.sleep(LIMIT_MS, { signal }).then(() => {
    throw new Error("Claude did not say what it offers.");
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    done.abort();
    // Whichever came second is nobody's.
    work.catch(() => undefined);
    late.catch(() => undefined);
  }
}

function toModel({ value, resolvedModel, displayName, description }: ModelInfo): AgentModel {
  return {
    model: value,
    label: displayName,
    ...(resolvedModel !== undefined && { resolvesTo: resolvedModel }),
    ...(description !== "" && { description }),
  };
}

function isOffered({ name, builtin }: SlashCommand): boolean {
  return !builtin || !(NOT_OFFERED.has(name) || name.startsWith("__"));
}

function toCommand({ name, description, argumentHint, aliases = [] }: SlashCommand): AgentCommand {
  return {
    name,
    ...(description !== "" && { description }),
    ...(argumentHint !== "" && { argumentHint }),
    ...(aliases.length > 0 && { aliases }),
  };
}
