import * as fc from "fast-check";

import type { WriteMoment } from "../memory-disk.ts";
import { MAILER_MS, STRICT_MS, type ToolKind } from "./call-model.ts";
import { toolKinds } from "./schedule-tools.ts";

export const clientCount = 2;
/** Tools are called in the first two sessions; in the others people talk with their agents. */
export const sessionCount = 4;
export const talkSession = 2;
/** The session whose agent can be parked. */
export const errandSession = 3;

/** From inside which moment of its publication a call is answered. */
/** In the commit of the interaction, just after it, or in the stream of a page that shows it. */
export type EarlyAnswer = "commit" | "publication" | "frame";

/** A step that can be in progress when a process dies. */
export type PlainStep =
  | {
      readonly type: "call";
      readonly kind: ToolKind;
      readonly session: number;
      readonly early?: EarlyAnswer | undefined;
    }
  | {
      readonly type: "answer";
      readonly client: number;
      readonly call: number;
      readonly approve: boolean;
    }
  | { readonly type: "finish"; readonly call: number }
  | {
      readonly type: "advance";
      readonly durationMs: number;
      /** Everything that reaches its deadline is answered at that very moment. */
      readonly answersDue?: boolean | undefined;
    }
  | { readonly type: "stop"; readonly session: number }
  /** A message to the agent, which asks this many things at once and talks in between. */
  | { readonly type: "talk"; readonly prompts: number }
  /** An answer to the agent's nth request. */
  | { readonly type: "reply"; readonly prompt: number }
  /** An errand for the agent that can be parked. */
  | { readonly type: "errand" }
  /** An answer to the request of one of the last errands. */
  | { readonly type: "errand_answer"; readonly pick: number; readonly approve: boolean };

export type PlainStepOf<TType> = Extract<PlainStep, { type: TType }>;

export type Step =
  | PlainStep
  | { readonly type: "connect" | "disconnect"; readonly client: number }
  | { readonly type: "toggle"; readonly client: number; readonly enabled: boolean }
  | { readonly type: "race" | "nonsense" | "dismiss"; readonly call: number }
  /** Sets the wall clock, and gives the gateway time to notice. */
  | { readonly type: "jump"; readonly ms: number }
  | {
      readonly type: "fault";
      readonly during: PlainStep;
      /** The write of that step that is reported as failed, and whether it was committed. */
      readonly write: number;
      readonly moment: WriteMoment;
    }
  | { readonly type: "mode"; readonly mode: "default" | "relaxed" }
  | CrashStep;

export interface CrashStep {
  readonly type: "crash";
  readonly during: PlainStep;
  /** The last write of that step, and whether it was committed. */
  readonly write: number;
  readonly moment: WriteMoment;
  readonly agentsCallAgain: boolean;
  /**
   * The fate of agents that can be parked: they survive in their hosts, die with a record of their calls, or die
   * without it.
   */
  readonly agents: "live" | "die" | "forget";
}

const HOUR_MS = 3_600_000;

const client = fc.nat(clientCount - 1);
const call = fc.nat(5);

function typed<const TType extends string, TModel extends object>(
  type: TType,
  model: { [TKey in keyof TModel]: fc.Arbitrary<TModel[TKey]> },
): fc.Arbitrary<TModel & { type: TType }> {
  return fc.record<TModel>(model).map((rest) => ({ ...rest, type }));
}

const openCall = typed("call", {
  kind: fc.constantFrom(...toolKinds),
  session: fc.nat(talkSession - 1),
});
const answer = typed("answer", { client, call, approve: fc.boolean() });
const finish = typed("finish", { call });
const durationMs = fc.constantFrom(1, 4000, 9999, 10_000, MAILER_MS, STRICT_MS);
const advance = typed("advance", { durationMs });
const stop = typed("stop", { session: fc.nat(sessionCount - 1) });
const talk = typed("talk", { prompts: fc.integer({ min: 0, max: 3 }) });
const errand = typed("errand", {});
const errandAnswer = typed("errand_answer", { pick: fc.nat(2), approve: fc.boolean() });
const reply = typed("reply", { prompt: fc.nat(2) });

/** One of the next writes, and the step in progress. */
const atWrite = {
  during: fc.oneof(answer, answer, reply, openCall, talk, finish, advance, stop),
  write: fc.integer({ min: 1, max: 4 }),
  moment: fc.constantFrom<WriteMoment>("before_commit", "after_commit"),
};

const crash = typed("crash", {
  ...atWrite,
  during: fc.oneof(
    { weight: 6, arbitrary: atWrite.during },
    { weight: 1, arbitrary: errand },
    { weight: 2, arbitrary: errandAnswer },
  ),
  agentsCallAgain: fc.boolean(),
  agents: fc.constantFrom("live" as const, "live" as const, "die" as const, "forget" as const),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: openCall },
  {
    weight: 2,
    arbitrary: typed("call", {
      kind: fc.constantFrom(...toolKinds),
      session: fc.nat(talkSession - 1),
      early: fc.constantFrom<EarlyAnswer>("commit", "publication", "frame"),
    }),
  },
  { weight: 3, arbitrary: answer },
  { weight: 2, arbitrary: advance },
  { weight: 2, arbitrary: typed("advance", { durationMs, answersDue: fc.constant(true) }) },
  { weight: 2, arbitrary: talk },
  { weight: 2, arbitrary: reply },
  { weight: 2, arbitrary: errand },
  { weight: 2, arbitrary: errandAnswer },
  { weight: 2, arbitrary: crash },
  { weight: 2, arbitrary: typed("fault", atWrite) },
  typed("jump", { ms: fc.constantFrom(-HOUR_MS, -MAILER_MS, MAILER_MS, HOUR_MS) }),
  typed("dismiss", { call }),
  finish,
  stop,
  { weight: 2, arbitrary: typed("connect", { client }) },
  typed("disconnect", { client }),
  typed("toggle", { client, enabled: fc.boolean() }),
  { weight: 2, arbitrary: typed("race", { call }) },
  typed("nonsense", { call }),
  typed("mode", { mode: fc.constantFrom("default" as const, "relaxed" as const) }),
);

/** Any order of possible events of a gateway. */
export const schedules: fc.Arbitrary<Step[]> = fc.noBias(
  fc.array(step, { minLength: 5, maxLength: 30, size: "max" }),
);
