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

/** Commands that work only on Claude's own screen, or are meant for its own programs. */
const NOT_OFFERED: ReadonlySet<string> = new Set([
  "color",
  "doctor",
  "focus",
  "reload-plugins",
  "workflow-launch-exec",
]);

/** Claude's models and commands, read from a running process. Rejects when the process is gone. */
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
 * Claude's offers in a folder where no process of it runs: starts a process, sends it no message, and ends it. This
 * takes a second and no tokens; the answer is cached for some minutes.
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

  /** Rejects if Claude cannot be started or does not answer. */
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

/** Rejects after a time limit, or when `ending` aborts. */
async function inTime<T>(work: Promise<T>, clock: Clock, ending: AbortSignal): Promise<T> {
  const done = new AbortController();
  const signal = AbortSignal.any([done.signal, ending]);
  const late = clock.sleep(LIMIT_MS, { signal }).then(() => {
    throw new Error("Claude did not report its options.");
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    done.abort();
    // The slower of the two has no handler left.
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
