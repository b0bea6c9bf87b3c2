import { toMarkedString } from "@holdpoint/protocol";

import type { Finding } from "./finding.ts";
import { count } from "./words.ts";

const MARKS = { ok: " ", note: "-", problem: "!" } as const;
const WIDTH = 12;
const LINE_BREAKS = /[\n\v\f\r\u0085\u2028\u2029]+/gu;

/** The output of `holdpoint doctor --json`. */
export interface Diagnosis {
  /** The version of this format. */
  readonly version: 1;
  /** Whether there is no problem; the exit code is then 0. */
  readonly healthy: boolean;
  readonly checks: readonly Finding[];
}

export function toDiagnosis(checks: readonly Finding[]): Diagnosis {
  return { version: 1, healthy: checks.every(({ status }) => status !== "problem"), checks };
}

/** One line for each finding, whatever its text contains, and a last line with the number of problems. */
export function toText({ checks }: Diagnosis): string {
  const problems = checks.filter(({ status }) => status === "problem").length;
  const last =
    problems === 0
      ? "No problem was found."
      : `${count(problems, "problem")} found, marked with !.`;
  return [...checks.map(toLine), "", last, ""].join("\n");
}

/** One line of JSON in ASCII, since JSON leaves some characters unescaped that terminals interpret. */
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
