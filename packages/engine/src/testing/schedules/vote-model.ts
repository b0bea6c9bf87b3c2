/*
 * The expected outcomes of a program's asks, for any sequence of votes, lost roles and crashes of the gateway. A
 * second implementation of the rules, without promises or stores.
 */

export const PEOPLE = ["ada", "bob", "cyn", "max"] as const;
export type PersonName = (typeof PEOPLE)[number];
/** A member of the group that a later step names; the others are in the group that can answer from the beginning. */
export const MANAGER: PersonName = "max";
export const STEP_MS = 60 * 60_000;

export interface AskState {
  readonly need: number;
  readonly askedAtMs: number;
  readonly deadlineAtMs: number;
  phase: "pending" | "answered" | "expired";
  said: "approve" | "deny" | undefined;
  votes: readonly PersonName[];
  comments: readonly string[];
  isHandedOver: boolean;
}

export class VoteModel {
  asks: AskState[] = [];
  nowMs: number;
  readonly #withRole = new Set<PersonName>(PEOPLE);

  constructor(nowMs: number) {
    this.nowMs = nowMs;
  }

  hasRole(who: PersonName): boolean {
    return this.#withRole.has(who);
  }

  setRole(who: PersonName, hasRole: boolean): void {
    if (hasRole) this.#withRole.add(who);
    else this.#withRole.delete(who);
  }

  ask(need: number, timeoutMs: number): void {
    this.asks.push({
      need,
      askedAtMs: this.nowMs,
      deadlineAtMs: this.nowMs + timeoutMs,
      phase: "pending",
      said: undefined,
      votes: [],
      comments: [],
      isHandedOver: false,
    });
  }

  advance(ms: number): void {
    this.nowMs += ms;
    for (const ask of this.asks) {
      if (ask.phase === "pending" && ask.deadlineAtMs <= this.nowMs) ask.phase = "expired";
    }
  }

  /** Returns the person's result, and updates the ask. */
  say(who: PersonName, index: number, action: "approve" | "deny"): string {
    const ask = this.asks[index]!;
    if (!this.hasRole(who)) return "FORBIDDEN";
    if (ask.phase === "expired") return "EXPIRED";
    if (ask.phase === "answered") {
      // A repeated vote that has already counted.
      const isVoted = action === "approve" && ask.said === "approve" && ask.votes.includes(who);
      return isVoted ? "accepted" : "ALREADY_ANSWERED";
    }
    if (!this.#mayAnswer(who, ask)) return "NOT_RESPONDER";
    const counted = ask.votes.filter((one) => this.#mayAnswer(one, ask));
    if (action === "deny") {
      Object.assign(ask, { phase: "answered", said: "deny", votes: counted });
      return "accepted";
    }
    const others = counted.filter((one) => one !== who);
    if (others.length + 1 >= ask.need) {
      ask.phase = "answered";
      ask.said = "approve";
      if (ask.need > 1) ask.votes = [...others, who];
    } else if (!counted.includes(who)) ask.votes = [...others, who];
    return "accepted";
  }

  comment(who: PersonName, index: number, text: string): string {
    const ask = this.asks[index]!;
    if (!this.hasRole(who)) return "FORBIDDEN";
    if (ask.phase !== "pending") return "INVALID_REQUEST";
    ask.comments = [...ask.comments, text];
    return "accepted";
  }

  handOver(who: PersonName, index: number, to: PersonName): string {
    const ask = this.asks[index]!;
    if (!this.hasRole(who)) return "FORBIDDEN";
    if (!this.#mayAnswer(who, ask)) return "NOT_RESPONDER";
    // The policy names the group of managers, whoever is in it.
    if (ask.phase !== "pending" || (to !== MANAGER && !this.hasRole(to))) return "INVALID_REQUEST";
    if (to === MANAGER) ask.isHandedOver = true;
    return "accepted";
  }

  /** The ask as it is now. */
  stateOf(index: number): AskState {
    return { ...this.asks[index]! };
  }

  /** The people who can still allow it. */
  whoCan(index: number): readonly PersonName[] {
    const ask = this.asks[index]!;
    return PEOPLE.filter((who) => this.#mayAnswer(who, ask) && !ask.votes.includes(who));
  }

  #mayAnswer(who: PersonName, { askedAtMs, isHandedOver }: AskState): boolean {
    if (!this.hasRole(who)) return false;
    return who !== MANAGER || isHandedOver || this.nowMs - askedAtMs >= STEP_MS;
  }
}
