import * as fc from "fast-check";

import type { WriteMoment } from "../memory-disk.ts";
import { PEOPLE, type PersonName, STEP_MS } from "./vote-model.ts";

/** One person's action on one ask. */
export interface Act {
  readonly type: "approve" | "deny" | "comment" | "hand_over";
  readonly who: PersonName;
  readonly ask: number;
  /** The receiver of a hand-over. */
  readonly to: PersonName;
}

export type VoteStep =
  | { readonly type: "ask"; readonly need: number; readonly timeoutMs: number }
  /** Two people act at the same instant. */
  | { readonly type: "both"; readonly acts: readonly [Act, Act] }
  | { readonly type: "act"; readonly act: Act }
  /** Everyone else who can answer hands it over to one person, who may lose the role. */
  | {
      readonly type: "pass";
      readonly ask: number;
      readonly to: PersonName;
      readonly hasRole: boolean;
    }
  | { readonly type: "role"; readonly who: PersonName; readonly hasRole: boolean }
  | { readonly type: "advance"; readonly ms: number }
  /** The gateway dies at one of the next writes. */
  | {
      readonly type: "crash";
      readonly acts: readonly [Act, Act];
      readonly write: number;
      readonly moment: WriteMoment;
    };

const who = fc.constantFrom(...PEOPLE);
const act: fc.Arbitrary<Act> = fc.record({
  type: fc.constantFrom("approve", "approve", "approve", "approve", "deny", "comment", "hand_over"),
  who,
  ask: fc.nat(2),
  to: who,
});
const acts = fc
  .tuple(act, act)
  .map(([one, other]): [Act, Act] => [one, { ...other, ask: one.ask }]);

const step: fc.Arbitrary<VoteStep> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant("ask"),
      need: fc.constantFrom(1, 2, 2, 3),
      timeoutMs: fc.constantFrom(Infinity, Infinity, STEP_MS / 2),
    }),
  },
  { weight: 8, arbitrary: fc.record({ type: fc.constant("act"), act }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant("both"), acts }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant("role"), who, hasRole: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("pass"),
      ask: fc.nat(2),
      to: who,
      hasRole: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant("advance"),
      ms: fc.constantFrom(60_000, STEP_MS),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant("crash"),
      acts,
      write: fc.constantFrom(1, 2),
      moment: fc.constantFrom<WriteMoment>("before_commit", "after_commit"),
    }),
  },
);

/** Any order of people's actions on asks. */
export const voteSchedules: fc.Arbitrary<VoteStep[]> = fc.noBias(
  fc.array(step, { minLength: 5, maxLength: 30, size: "max" }),
);
