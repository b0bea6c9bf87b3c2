/** The rules that schedules hold; see ARCHITECTURE.md. */
export type Rule = `R-${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15}`;

/** Something happened that a rule forbids; `cause` is what was expected. */
export class RuleBroken extends Error {
  readonly rule: Rule;

  constructor(rule: Rule, cause: unknown) {
    super(`${rule}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = "RuleBroken";
    this.rule = rule;
  }
}

/** Which rules were put to the test, and how often. */
export class RuleLedger {
  readonly #counts = new Map<Rule, number>();
  /** What has come up at all, in words. */
  readonly met = new Set<string>();

  /** How often there was something to check. */
  count(rule: Rule): number {
    return this.#counts.get(rule) ?? 0;
  }

  meet(what: string): void {
    this.met.add(what);
  }

  check(rule: Rule, assertion: () => void): void {
    this.#counts.set(rule, this.count(rule) + 1);
    try {
      assertion();
    } catch (error: unknown) {
      throw error instanceof RuleBroken ? error : new RuleBroken(rule, error);
    }
  }
}
