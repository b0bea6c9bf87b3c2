/** What a check has found, as one line. */
export interface Finding {
  /** What was looked at, such as "Data folder". */
  readonly check: string;
  /** A note is no fault, and a person may want to do something about it all the same. */
  readonly status: "ok" | "note" | "problem";
  /** May hold what agents, tools and other programs have written, such as a session's title. */
  readonly text: string;
  /** What to do about it. */
  readonly remedy?: string;
  /** The same for programs. It holds names of variables and never what they hold. */
  readonly facts?: Readonly<Record<string, unknown>>;
}

/** Makes the findings of one check. */
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
