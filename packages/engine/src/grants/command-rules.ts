import { type CommandRule, type Saying, saying } from "@holdpoint/protocol";

import { escapeOf } from "./command-escapes.ts";
import { matchesWords, readCommandPattern } from "./command-pattern.ts";
import { readCommandWords } from "./command-words.ts";

/** A command's text, and where it would run. */
export interface Command {
  readonly text: string;
  readonly cwd: string;
}

/** A rule, and the only directory it applies in. */
export interface PlacedRule {
  readonly rule: CommandRule;
  readonly cwd?: string | undefined;
}

/** Strictest first. */
const VERDICTS: readonly CommandRule["verdict"][] = ["deny", "ask", "allow"];

/**
 * The rule that decides a command: deny before ask before allow, and the first one of those. Rules cover only simple
 * commands. A rule that allows covers no command with an option that is known to escape.
 */
export function decidingRule<TRule extends PlacedRule>(
  rules: readonly TRule[],
  command: Command,
): TRule | undefined {
  const reading = readCommandWords(command.text);
  if (reading.status === "refused") return undefined;
  const here = rules.filter(({ cwd }) => cwd === command.cwd);
  for (const verdict of VERDICTS) {
    const found = here.find(
      ({ rule }) => rule.verdict === verdict && whyNotMeant(rule, reading.words) === undefined,
    );
    if (found) return found;
  }
  return undefined;
}

/** Why a rule does not cover a command, or `undefined` when it does. */
export function whyNotCovered(
  { rule, cwd }: PlacedRule,
  command: Command,
): readonly Saying[] | undefined {
  if (command.cwd !== cwd) return [saying("call_elsewhere")];
  const reading = readCommandWords(command.text);
  if (reading.status === "refused") return [saying("call_has"), reading.why];
  const why = whyNotMeant(rule, reading.words);
  return why && [why];
}

function whyNotMeant(rule: CommandRule, words: readonly string[]): Saying | undefined {
  const reading = readCommandPattern(rule.pattern);
  if (reading.status === "refused") return saying("call_without_pattern");
  if (!matchesWords(reading.pattern, words)) return saying("call_differs");
  return rule.verdict === "allow" ? escapeOf(words) : undefined;
}
