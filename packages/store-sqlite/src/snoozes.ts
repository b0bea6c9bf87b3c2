import type { StoredSnooze } from "@holdpoint/engine";

import type { Work } from "./group-commit.ts";
import type { Statements } from "./statements/statements.ts";
import { toKey } from "./text-key.ts";

interface SnoozeRow {
  readonly interactionId: string;
  readonly untilMs: number;
}

/** Lists snoozes, the first to end first. */
export function listSnoozes({ listSnoozes }: Statements, person: string): StoredSnooze[] {
  const rows = listSnoozes.all(toKey(person)) as unknown as SnoozeRow[];
  return rows.map(({ interactionId, untilMs }) => ({ person, interactionId, untilMs }));
}

export function putSnooze(
  { putSnooze, forgetSnoozes }: Statements,
  { person, interactionId, untilMs }: StoredSnooze,
  nowMs: number,
): Work<boolean> {
  forgetSnoozes.run(nowMs);
  const { changes } = putSnooze.run(toKey(person), interactionId, untilMs, toKey(interactionId));
  return { keep: true, value: changes === 1 };
}

export function removeSnooze(
  { removeSnooze }: Statements,
  person: string,
  interactionId: string,
): Work<boolean> {
  const isRemoved = removeSnooze.run(toKey(person), toKey(interactionId)).changes === 1;
  return { keep: isRemoved, value: isRemoved };
}
