import {
  type Caller,
  foldInteraction,
  type Interaction,
  isAskedOf,
  ProtocolError,
} from "@holdpoint/protocol";
import { expect } from "vitest";

import { createMemoryCredentialStore } from "../../memory-store/memory-credential-store.ts";
import type { CredentialStore } from "../../ports/credential-store.ts";
import { aDeploy } from "../ask-scene.ts";
import type { Disk, MortalStore } from "../memory-disk.ts";
import { openResponderScene, type ResponderScene, type Signed } from "../responder-scene.ts";
import { createSequentialIds } from "../sequential-ids.ts";
import { PatientClock } from "./patient-clock.ts";
import type { RuleLedger } from "./rule-ledger.ts";
import {
  type AskState,
  MANAGER,
  PEOPLE,
  type PersonName,
  STEP_MS,
  VoteModel,
} from "./vote-model.ts";
import type { Act, VoteStep } from "./vote-steps.ts";

interface Running {
  readonly scene: ResponderScene;
  readonly store: MortalStore;
  readonly clock: PatientClock;
}

/** A gateway whose program asks several people, and its model: both take every step. */
export class VoteSchedule implements AsyncDisposable {
  readonly #disk: Disk;
  readonly #ledger: RuleLedger;
  readonly #credentials: CredentialStore = createMemoryCredentialStore();
  readonly #ids = createSequentialIds();
  readonly #roles: ResponderScene["roles"] = new Map();
  readonly #people = new Map<PersonName, Signed>();
  readonly #asks: string[] = [];
  #program: Caller | undefined;
  #running!: Running;
  #model!: VoteModel;
  #texts = 0;

  private constructor(disk: Disk, ledger: RuleLedger) {
    this.#disk = disk;
    this.#ledger = ledger;
  }

  static async open(disk: Disk, ledger: RuleLedger): Promise<VoteSchedule> {
    const schedule = new VoteSchedule(disk, ledger);
    schedule.#running = await schedule.#start();
    const { scene, clock } = schedule.#running;
    schedule.#model = new VoteModel(clock.now());
    for (const name of PEOPLE) {
      const groups = [name === MANAGER ? "managers" : "ops"];
      schedule.#people.set(name, await scene.signIn(name, { groups }));
    }
    const owner = await scene.signIn("olga", {}, "owner");
    const { sessionId, tokenId } = await scene.gateway.createAgentToken(owner, { label: "ci" });
    schedule.#program = { principal: "agent", person: "olga", client: "ci", sessionId, tokenId };
    return schedule;
  }

  async take(step: VoteStep): Promise<void> {
    const model = this.#model;
    switch (step.type) {
      case "ask":
        await this.#ask(step.need, step.timeoutMs);
        break;
      case "role":
        model.setRole(step.who, step.hasRole);
        this.#roles.set(step.who, step.hasRole ? "responder" : "viewer");
        break;
      case "advance":
        model.advance(step.ms);
        await this.#running.clock.advance(step.ms);
        break;
      case "act":
        await this.#act([step.act]);
        break;
      case "both":
        await this.#act(step.acts);
        break;
      case "pass":
        await this.#pass(step);
        break;
      case "crash":
        await this.#crash(step);
        break;
    }
    await this.#running.clock.settle();
    await this.#check();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#running.scene[Symbol.asyncDispose]();
  }

  async #start(nowMs?: number): Promise<Running> {
    const store = await this.#disk.open();
    const clock = new PatientClock(store, nowMs);
    const steps = [{ who: [{ group: "managers" }], afterMs: STEP_MS }];
    const scene = await openResponderScene({
      store,
      clock,
      ids: this.#ids,
      credentials: this.#credentials,
      roles: this.#roles,
      responders: { tools: { ask: { who: [{ group: "ops" }], steps } } },
      limits: { asksPerSecondPerSession: 1e6 },
    });
    await clock.settle();
    return { scene, store, clock };
  }

  async #ask(need: number, timeoutMs: number): Promise<void> {
    const { gateway } = this.#running.scene;
    const body = aDeploy({
      responders: { need },
      ...(timeoutMs !== Infinity && { timeoutMs }),
    });
    this.#asks.push((await gateway.createAsk(this.#program!, body)).interactionId);
    this.#model.ask(need, timeoutMs);
  }

  async #pass({ ask, to, hasRole }: Extract<VoteStep, { type: "pass" }>): Promise<void> {
    if (this.#asks.length === 0) return;
    const can = this.#model.whoCan(ask % this.#asks.length);
    for (const who of can.filter((one) => one !== to)) {
      await this.#act([{ type: "hand_over", who, ask, to }]);
    }
    await this.take({ type: "role", who: to, hasRole });
    // The issuer reports it at the next sign-in.
    const { personId, signIn } = this.#people.get(to)!;
    const { issuer, subject, groups } = signIn;
    const { scene, clock } = this.#running;
    const said = { issuer, subject, groups, confirmedAtMs: clock.now() };
    await scene.gateway.credentials.confirm(personId, said);
    await clock.settle();
    await this.#checkAsked();
  }

  /** Simultaneous actions may arrive in any order. */
  async #act(acts: readonly Act[]): Promise<void> {
    if (this.#asks.length === 0) return;
    const placed = acts.map((act) => this.#place(act));
    const index = placed[0]!.ask;
    const codes = await Promise.all(placed.map((act) => this.#do(act)));
    const before = this.#model.stateOf(index);
    const found = toState(await this.#now(index), before);
    const orders =
      placed.length === 1
        ? [[0]]
        : [
            [0, 1],
            [1, 0],
          ];
    const ends = orders.map((order) => {
      this.#model.asks[index] = { ...before };
      const told: string[] = [];
      for (const at of order) told[at] = this.#modelled(placed[at]!);
      return { told, state: this.#model.stateOf(index) };
    });
    const end = ends.find(({ told, state }) => isSame([told, bare(state)], [codes, bare(found)]));
    this.#ledger.check("R-1", () => {
      expect(end ? undefined : { codes, found, ends }).toBeUndefined();
    });
    this.#model.asks[index] = end!.state;
    for (const code of codes) this.#ledger.meet(code);
  }

  /** Acknowledged changes exist, and changes in progress exist completely or not at all. */
  async #crash({ acts, write, moment }: Extract<VoteStep, { type: "crash" }>): Promise<void> {
    if (this.#asks.length === 0) return;
    const { store, clock } = this.#running;
    const placed = acts.map((act) => this.#place(act));
    const index = placed[0]!.ask;
    const acknowledged = new Set<number>();
    store.killAt(write, moment);
    placed.forEach((act, at) => {
      void this.#do(act).then(
        (code) => code === "accepted" && !store.isDead && acknowledged.add(at),
        () => undefined,
      );
    });
    await clock.settle();
    store.kill();
    this.#running = await this.#start(clock.now());
    this.#ledger.meet("crash");
    const before = this.#model.stateOf(index);
    const found = toState(await this.#now(index), before);
    const possible = [[], [0], [1], [0, 1], [1, 0]]
      .filter((order) => [...acknowledged].every((at) => order.includes(at)))
      .map((order) => {
        this.#model.asks[index] = { ...before };
        for (const at of order) this.#modelled(placed[at]!);
        return this.#model.stateOf(index);
      });
    const left = possible.find((state) => isSame(bare(state), bare(found)));
    this.#ledger.check("R-2", () => {
      expect(left ? undefined : { acknowledged, found, possible }).toBeUndefined();
    });
    this.#model.asks[index] = left!;
    await this.#checkAsked();
  }

  /** No ask stays open without anyone who can allow it, once the gateway knows of lost roles. */
  async #checkAsked(): Promise<void> {
    const at = new Date(this.#running.clock.now()).toISOString();
    for (const index of this.#asks.keys()) {
      const interaction = await this.#now(index);
      if (interaction.status !== "pending") continue;
      const can = this.#model.whoCan(index);
      const asked = can.filter((who) => isAskedOf(interaction, this.#people.get(who)!, at));
      this.#ledger.check("R-5", () => {
        expect(can.length > 0 && asked.length === 0 ? interaction : undefined).toBeUndefined();
      });
      if (interaction.notes?.handOvers?.some(({ back }) => back)) this.#ledger.meet("back");
    }
  }

  /** Each ask equals the model's; its log does too, and its program got only the answer. */
  async #check(): Promise<void> {
    const { scene } = this.#running;
    const events = await scene.events(this.#program!.sessionId!);
    for (const [index, interactionId] of this.#asks.entries()) {
      const state = this.#model.stateOf(index);
      const { remainingMs: _, ...interaction } = await this.#now(index);
      this.#ledger.check("R-5", () => {
        expect(bare(toState(interaction, state))).toEqual(bare(state));
        if (interaction.response?.action === "approve" && state.need > 1) {
          expect(new Set(interaction.votes?.map(({ personId }) => personId)).size).toBe(state.need);
        }
      });
      this.#ledger.check("R-10", () => {
        let folded: Interaction | undefined;
        for (const event of events) {
          if (event.type === "interaction_request") {
            if (event.interaction.interactionId === interactionId) folded = event.interaction;
          } else if ("interactionId" in event && event.interactionId === interactionId) {
            folded = folded && foldInteraction(folded, event as never);
          }
        }
        expect(folded).toEqual(interaction);
      });
      const told = await scene.gateway.getAsk(this.#program!, interactionId, {});
      this.#ledger.check("R-4", () => {
        expect(told.response?.action).toBe(state.said);
        expect(told.comments?.map(({ text }) => text) ?? []).toEqual(state.comments);
      });
      this.#ledger.meet(state.said ?? state.phase);
    }
  }

  #now(index: number): Promise<Interaction> {
    return this.#running.scene.now(this.#asks[index]!);
  }

  /** Applies the act to an existing ask, with a distinct text. */
  #place(act: Act): Act & { readonly text: string } {
    this.#texts += 1;
    return { ...act, ask: act.ask % this.#asks.length, text: `comment ${this.#texts}` };
  }

  #modelled({ type, who, ask, text, to }: Act & { readonly text: string }): string {
    if (type === "comment") return this.#model.comment(who, ask, text);
    return type === "hand_over"
      ? this.#model.handOver(who, ask, to)
      : this.#model.say(who, ask, type);
  }

  async #do({ type, who, ask, text, to }: Act & { readonly text: string }): Promise<string> {
    const { gateway } = this.#running.scene;
    const interactionId = this.#asks[ask]!;
    const role = this.#model.hasRole(who) ? "responder" : "viewer";
    const caller: Caller = { ...this.#people.get(who)!, role };
    try {
      if (type === "comment") await gateway.addComment(caller, interactionId, { text });
      else if (type === "hand_over") {
        const named = to === MANAGER ? { group: "managers" } : { person: to };
        await gateway.handOver(caller, interactionId, { to: named });
      } else {
        const { approval } = await gateway.getInteraction(caller, interactionId);
        const digest = type === "approve" ? { digest: approval?.digest } : {};
        const result = await gateway.respond(caller, interactionId, { action: type, ...digest });
        return result.status === "accepted" ? "accepted" : result.problem.code;
      }
      return "accepted";
    } catch (error: unknown) {
      if (ProtocolError.isInstance(error)) return error.code;
      throw error;
    }
  }
}

function toState({ status, response, votes = [], notes }: Interaction, known: AskState): AskState {
  const said = response?.action;
  return {
    ...known,
    phase: status === "pending" || status === "expired" ? status : "answered",
    said: said === "approve" || said === "deny" ? said : undefined,
    votes: votes.map(({ person }) => person as PersonName),
    comments: notes?.comments?.map(({ text }) => text) ?? [],
    isHandedOver: notes?.handOvers?.some(({ to }) => "group" in to) ?? false,
  };
}

/** The compared state: the order of votes does not matter. */
function bare({ phase, said, votes, comments, isHandedOver }: AskState): object {
  return { phase, said, votes: votes.toSorted(), comments, isHandedOver };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
