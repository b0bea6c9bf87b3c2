import { openAgentHosts } from "@holdpoint/agents";
import { type Clock, StoreError } from "@holdpoint/engine";
import type { Forwarder, Front, FrontHandlers, NodeListener } from "@holdpoint/server";
import type { LeaseState, NodeLease, WorkingNode } from "@holdpoint/store-postgres";

import type { ComposeOptions } from "../compose/compose-parts.ts";
import { compose, type RunningGateway } from "../compose/compose.ts";
import { VERSION } from "../version.ts";
import type { Membership } from "./open-membership.ts";
import { openStandbyControl } from "./standby-control.ts";

/** How long the work may take to end. A node whose work does not end in time ends as a whole. */
const ENDING_LIMIT_MS = 10_000;
/** How long a node that could not start to work leaves the lease to others. */
const PAUSE_MS = 5000;

export interface NodeOptions extends Omit<ComposeOptions, "nodes" | "openStore"> {
  readonly member: Membership;
  /** Called when the node begins to work. */
  readonly onWorking: (gateway: RunningGateway) => void;
  /** Called when the node can neither work nor stand by. The process has to end. */
  readonly onFatal: (error: unknown) => void;
}

/** One of several nodes on one database, in either role. */
export interface RunningNode {
  readonly url: string;
  readonly port: number;
  /** Resolves once the node works, or knows which node does. */
  readonly settled: Promise<"standby" | "working">;
  /** Ends its work like a gateway, and returns the lease. */
  close(): Promise<void>;
}

/** A node's network parts: the front for clients, the door for other nodes, and the forwarder to the working node. */
export interface Places {
  readonly front: Front;
  readonly door: NodeListener;
  readonly forwarder: Forwarder;
  /** The front's handlers while the node stands by. */
  readonly standby: FrontHandlers;
  /** The working node, if that is another one. */
  readonly known: { working: WorkingNode | undefined };
}

/** The work under one lease. */
interface Term {
  readonly fence: number;
  /** Aborts when the lease is lost: nothing is written after that. */
  readonly lost: AbortController;
  /** Aborts when the work has to end for any reason. */
  readonly ended: AbortController;
}

/**
 * Works while it has the lease, and stands by while another node has it. Ended work leaves nothing behind: the next
 * term begins like a start of the gateway.
 */
export class Node implements RunningNode {
  readonly settled: Promise<"standby" | "working">;
  readonly #options: NodeOptions & Places & { readonly clock: Clock };
  readonly #resources: AsyncDisposableStack;
  readonly #settled = Promise.withResolvers<"standby" | "working">();
  readonly #lease: NodeLease;
  #control: AsyncDisposable | undefined;
  #term: Term | undefined;
  /** A queue of tasks: terms, and cleanups between them. */
  #work: Promise<void>;
  #isClosing = false;
  #told: string | undefined;

  constructor(
    options: NodeOptions & Places & { readonly clock: Clock },
    resources: AsyncDisposableStack,
  ) {
    this.#options = options;
    this.#resources = resources;
    this.settled = this.#settled.promise;
    const { member, door, clock } = options;
    this.#work = this.#openControl();
    this.#lease = member.openLease({
      address: door.address,
      release: VERSION,
      clock,
      onChange: (state) => this.#follow(state),
      onProblem: (problem) => this.#tell(problem),
    });
  }

  get url(): string {
    return this.#options.front.url;
  }

  get port(): number {
    return this.#options.front.port;
  }

  async close(): Promise<void> {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#options.front.stopListening();
    this.#term?.ended.abort();
    await this.#work;
    await this.#lease[Symbol.asyncDispose]();
    await this.#control?.[Symbol.asyncDispose]();
    await this.#resources.disposeAsync();
  }

  #follow(state: LeaseState): void {
    const { known, forwarder, log } = this.#options;
    const working = state.role === "standby" ? state.working : undefined;
    known.working = working;
    if (this.#term && (state.role === "standby" || state.fence !== this.#term.fence)) {
      this.#lose(this.#term, new StoreError("STORE_LOCKED", "This node has lost its lease."));
    }
    forwarder.pointTo(working);
    if (state.role === "working") return this.#then(() => this.#workUnder(state.fence));
    if (!working) return;
    log.info({ working: working.address, fence: working.fence }, "stands by");
    this.#settled.resolve("standby");
    this.#then(() => this.#endHosts());
  }

  #then(run: () => Promise<void>): void {
    this.#work = this.#work.then(run).catch((error: unknown) => this.#options.onFatal(error));
  }

  /** Stops a term at once: nothing more is written, and clients no longer reach its gateway. */
  #lose(term: Term, error: StoreError): void {
    if (term.lost.signal.aborted) return;
    term.lost.abort(error);
    this.#leave();
    term.ended.abort();
    if (!this.#isClosing) this.#tell(`${error.message} Its work ends, and it stands by.`);
  }

  #leave(): void {
    const { front, door, standby } = this.#options;
    front.use(standby);
    door.use(undefined);
  }

  async #workUnder(fence: number): Promise<void> {
    const { state } = this.#lease;
    if (this.#isClosing || state.role !== "working" || state.fence !== fence) return;
    const term: Term = { fence, lost: new AbortController(), ended: new AbortController() };
    this.#term = term;
    await this.#control?.[Symbol.asyncDispose]();
    this.#control = undefined;
    const problem = await this.#workUntilEnd(term).catch((error: unknown) => error ?? "unknown");
    this.#term = undefined;
    const isDone = problem === undefined && !this.#isClosing;
    await this.#lease.giveBack(isDone ? 0 : PAUSE_MS);
    if (this.#isClosing) return;
    if (problem !== undefined && !term.lost.signal.aborted) this.#judge(problem);
    const lostBy: unknown = term.lost.signal.reason;
    if (StoreError.isInstance(lostBy) && lostBy.code === "HISTORY_LOST") this.#judge(lostBy);
    await this.#openControl();
  }

  async #workUntilEnd(term: Term): Promise<undefined> {
    const { member, front, door, onWorking, log } = this.#options;
    const { fence, lost, ended } = term;
    const events = {
      onProblem: (problem: string): void => this.#tell(problem),
      onLost: (error: StoreError): void => this.#lose(term, error),
    };
    const seen = this.#lease.takeSeen();
    let gateway: RunningGateway | undefined;
    try {
      gateway = await compose({
        ...this.#options,
        openStore: () => member.openStore({ fence, seen, signal: lost.signal }, events),
        nodes: { front, door, fence },
      });
      if (!ended.signal.aborted) {
        log.info({ fence }, "works");
        onWorking(gateway);
        this.#settled.resolve("working");
      }
      await aborted(ended.signal);
      return undefined;
    } finally {
      if (gateway) await this.#end(gateway);
      this.#leave();
    }
  }

  async #end(gateway: RunningGateway): Promise<void> {
    const { clock, onFatal } = this.#options;
    const tooLong = new Error("The work of this node does not end.");
    using _ = clock.after(ENDING_LIMIT_MS, () => onFatal(tooLong));
    await gateway.close();
  }

  /** Handles a reason why this node cannot work: a passing one is reported, others are fatal. */
  #judge(problem: unknown): void {
    const isPassing = StoreError.isInstance(problem) && problem.code !== "HISTORY_LOST";
    if (isPassing) this.#tell(problem.message);
    else this.#options.onFatal(problem);
  }

  /** Ends agent hosts of this node: another node has taken over their agents' turns, so they cannot continue. */
  async #endHosts(): Promise<void> {
    const { state } = this.#lease;
    if (this.#isClosing || state.role === "working" || process.platform === "win32") return;
    const { member, settings } = this.#options;
    const tokenFor = (id: string): string =>
      member.secret.derive(`host:${id}`).toString("base64url");
    await openAgentHosts({ dataDir: settings.dataDir, tokenFor }).endLeftOver();
  }

  async #openControl(): Promise<void> {
    const { settings, front, clock, known, log } = this.#options;
    const working = (): string | undefined => known.working?.address;
    const { dataDir } = settings;
    this.#control = await openStandbyControl({ dataDir, url: front.url, clock, working }).catch(
      (error: unknown) => {
        log.warn({ err: error }, "the command line cannot reach this node");
        return undefined;
      },
    );
  }

  /** Shows a line, unless it equals the previous one. */
  #tell(line: string): void {
    if (line === this.#told) return;
    this.#told = line;
    this.#options.say(`holdpoint: ${line}`);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
