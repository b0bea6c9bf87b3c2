/** The rules that schedules check; see ARCHITECTURE.md. */
export type Rule = `R-${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15}`;

/** A rule was broken; `cause` is the failed expectation. */
export class RuleBroken extends Error {
  readonly rule: Rule;

  constructor(rule: Rule, cause: unknown) {
    super(`${rule}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = "RuleBroken";
    this.rule = rule;
  }
}

/** Counts how often each rule was checked. */
export class RuleLedger {
  readonly #counts = new Map<Rule, number>();
  /** All cases that have occurred, in words. */
  readonly met = new Set<string>();

  /** The number of checks of a rule. */
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
