import { setTimeout as sleep } from "node:timers/promises";

import type { Ask, Interaction } from "@holdpoint/protocol";

import type { Book, Entry } from "./book.ts";
import { callSurely } from "./call-surely.ts";
import type { ClusterScene } from "./scene.ts";
import { ASK } from "./trips.ts";

/** Below the limits of a session and of one person's agents, since interactions that are being written also count. */
const OPEN_PER_PROGRAM = 80;
const OPEN_PER_PERSON = 1600;
const ASKING_AT_ONCE = 16;
const PAUSE_MS = 100;
const RIVALS = 2;

/** A program with a token and a session. */
export interface Program {
  readonly token: string;
  readonly sessionId: string;
  /** The token of another program of the same person, which only reads. */
  readonly readerToken: string;
}

/** Opens as many programs, of as many people, as that many pending interactions need. */
export async function openPrograms(scene: ClusterScene, pending: number): Promise<Program[]> {
  const programs: Program[] = [];
  for (let left = pending; left > 0; left -= OPEN_PER_PERSON) {
    const person = await scene.signIn();
    const wanted = { label: "Reader", scope: "respond", expiresInDays: 1 } as const;
    const { token: readerToken } = await person.createProgramToken(wanted);
    const own = Math.ceil(Math.min(left, OPEN_PER_PERSON) / OPEN_PER_PROGRAM);
    for (let made = 0; made < own; made += 1) {
      const label = `Program ${programs.length}`;
      const { token, sessionId } = await person.createAgentToken({ label });
      programs.push({ token, sessionId, readerToken });
    }
  }
  return programs;
}

/** The activity of programs and people while nodes die. */
export class Traffic {
  readonly #scene: ClusterScene;
  readonly #book: Book;
  readonly #bySession: ReadonlyMap<string, Program>;
  #asked = 0;

  constructor(scene: ClusterScene, book: Book, programs: readonly Program[]) {
    this.#scene = scene;
    this.#book = book;
    this.#bySession = new Map(programs.map((program) => [program.sessionId, program]));
  }

  /** Asks until this many interactions are pending. */
  async fill(pending: number): Promise<void> {
    const programs = [...this.#bySession.values()];
    let left = pending;
    const askOn = async (first: number): Promise<void> => {
      for (let index = first; left > 0; index += ASKING_AT_ONCE) {
        left -= 1;
        await this.#ask(programs[index % programs.length]!, { givesUp: false });
      }
    };
    await Promise.all(Array.from({ length: ASKING_AT_ONCE }, (_, index) => askOn(index)));
  }

  /**
   * A person who answers one interaction after the other, each in a race with others; after each answer, its program
   * asks again.
   */
  async answerOn(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const entry = this.#book.takeAny();
      if (entry) await this.#play(entry);
      await sleep(PAUSE_MS);
    }
  }

  async #play(entry: Entry): Promise<void> {
    await this.answer(entry);
    const program = this.#bySession.get(entry.sessionId)!;
    if (Math.random() < 0.5) await this.#fetch(entry, program);
    // Running agents may have taken the last place.
    await this.#ask(program, { givesUp: true });
  }

  /**
   * Several people answer at once, at any nodes: one of them wins, and gets the same result whenever they repeat the
   * answer.
   */
  async answer(entry: Entry): Promise<void> {
    const { interactionId } = entry;
    const replies = Array.from({ length: RIVALS }, (_, index) => `${interactionId} by ${index}`);
    const statuses = await Promise.all(
      replies.map(async (reply, index) => {
        const body = {
          action: "submit",
          reply,
          idempotencyKey: `key-of-${interactionId}-${index}`,
        };
        const path = `/interactions/${interactionId}/response`;
        return (await callSurely(this.#scene, this.#book, { method: "POST", path, body })).status;
      }),
    );
    const winners = replies.filter((_, index) => statuses[index] === 200);
    const [winner] = winners;
    const isRight =
      winners.length === 1 && statuses.filter((status) => status === 409).length === 1;
    if (!isRight) this.#book.problem(`${interactionId}: its answers got ${statuses.join(", ")}`);
    if (winner !== undefined) entry.reply = winner;
  }

  async #fetch(entry: Entry, { token }: Program): Promise<void> {
    const path = `/asks/${entry.interactionId}`;
    const { body } = await callSurely<Ask>(this.#scene, this.#book, { method: "GET", path, token });
    entry.isFetched = true;
    if (body.response?.reply === entry.reply) return;
    this.#book.problem(`${entry.interactionId}: its program got ${JSON.stringify(body)}`);
  }

  async #ask(
    { token, sessionId }: Program,
    { givesUp }: { readonly givesUp: boolean },
  ): Promise<void> {
    this.#asked += 1;
    const body = { ...ASK, idempotencyKey: `ask-number-${this.#asked}` };
    const call = { method: "POST", path: "/asks", body, token, givesUp };
    const answer = await callSurely<Interaction>(this.#scene, this.#book, call);
    if (answer.status === 429) return;
    if (answer.status !== 201) this.#book.problem(`an ask got ${JSON.stringify(answer)}`);
    else this.#book.asked({ interactionId: answer.body.interactionId, sessionId });
  }
}
