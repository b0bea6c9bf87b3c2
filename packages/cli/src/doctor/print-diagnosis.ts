import { toMarkedString } from "@holdpoint/protocol";

import type { Finding } from "./finding.ts";
import { count } from "./words.ts";

const MARKS = { ok: " ", note: "-", problem: "!" } as const;
const WIDTH = 12;
const LINE_BREAKS = /[\n\v\f\r\u0085\u2028\u2029]+/gu;

/** What `holdpoint doctor --json` prints. */
export interface Diagnosis {
  /** Of this shape. */
  readonly version: 1;
  /** Whether there is no problem: then the exit code is 0. */
  readonly healthy: boolean;
  readonly checks: readonly Finding[];
}

export function toDiagnosis(checks: readonly Finding[]): Diagnosis {
  return { version: 1, healthy: checks.every(({ status }) => status !== "problem"), checks };
}

/** One line for each finding, whatever its text holds, and a last one that counts the problems. */
export function toText({ checks }: Diagnosis): string {
  const problems = checks.filter(({ status }) => status === "problem").length;
  const last =
    problems === 0
      ? "No problem was found."
      : `${count(problems, "problem")} found, marked with !.`;
  return [...checks.map(toLine), "", last, ""].join("\n");
}

/** One line of JSON in ASCII: a terminal obeys some characters that JSON leaves as they are. */
export function toJson(diagnosis: Diagnosis): string {
  return `${JSON.stringify(diagnosis).replaceAll(/[^\x20-\x7E]/g, escapeUnit)}\n`;
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function toLine({ check, status, text, remedy }: Finding): string {
  const said = remedy === undefined ? text : `${text} ${remedy}`;
  const inOne = said.replaceAll(LINE_BREAKS, " ");
  return `${MARKS[status]} ${check.padEnd(WIDTH)}  ${toMarkedString(inOne, "exact")}`;
}
