/** A check's result, as one line. */
export interface Finding {
  /** The checked subject, such as "Data folder". */
  readonly check: string;
  /** A note is not a fault, but may still call for action. */
  readonly status: "ok" | "note" | "problem";
  /** May contain text written by agents, tools and other programs, such as a session's title. */
  readonly text: string;
  /** The suggested fix. */
  readonly remedy?: string;
  /** The result for programs. May contain names of variables, but never their values. */
  readonly facts?: Readonly<Record<string, unknown>>;
}

/** Collects the findings of one check. */
export class Findings {
  readonly list: Finding[] = [];
  readonly #check: string;

  constructor(check: string) {
    this.#check = check;
  }

  ok(text: string, facts?: Finding["facts"]): void {
    this.#add({ status: "ok", text, ...(facts && { facts }) });
  }

  note(text: string, remedy?: string, facts?: Finding["facts"]): void {
    this.#add({
      status: "note",
      text,
      ...(remedy !== undefined && { remedy }),
      ...(facts && { facts }),
    });
  }

  problem(text: string, remedy: string, facts?: Finding["facts"]): void {
    this.#add({ status: "problem", text, remedy, ...(facts && { facts }) });
  }

  #add(finding: Omit<Finding, "check">): void {
    this.list.push({ check: this.#check, ...finding });
  }
}
