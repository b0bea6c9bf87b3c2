import type { Clock, SignIn } from "@holdpoint/engine";
import { ProtocolError, type Role } from "@holdpoint/protocol";

import { sourceOf } from "../auth/failure-limiter.ts";
import { roleOf } from "./admit.ts";
import { IssuerDown, isSafeAddress } from "./bounded-fetch.ts";
import type { Issuer } from "./issuer.ts";
import {
  issuerIdOf,
  type IssuerOptions,
  type PeopleOptions,
  redirectUriOf,
} from "./people-options.ts";
import { toIssuerKey } from "./person-id.ts";
import type { Statement } from "./read-claims.ts";
import { type BegunAt, SignInStates } from "./sign-in-states.ts";

/** Sign-ins that end at the same time, in all and from one address; each asks the issuer a few times. */
const MAX_RUNNING = 64;
const MAX_RUNNING_FROM_ONE = 16;
/** States that were used are remembered while they would be good. Beyond these only the issuer knows that its code was used. */
const MAX_USED = 10_000;

/** What the page brings back from an issuer. */
export interface BroughtBack extends BegunAt {
  /** The query of the address at which the browser came back. */
  readonly answer: string;
  /** The address that it came from. */
  readonly from: string | undefined;
}

/** Who somebody is, as an issuer has just said it. */
export interface Confirmed {
  readonly signIn: SignIn;
  readonly name: string;
}

interface PeopleParts {
  readonly clock: Clock;
  readonly onProblem: (issuerId: string, error: unknown) => void;
}

/**
 * The people of a gateway: where they sign in, and which of them may come in. Nothing of OpenID Connect is loaded before
 * somebody signs in.
 */
export class People {
  readonly #options: PeopleOptions;
  readonly #parts: PeopleParts;
  readonly #states: SignInStates;
  readonly #issuers = new Map<string, Promise<Issuer>>();
  /** Of states that were used, until when they would be good; the oldest first. */
  readonly #used = new Map<string, number>();
  /** Where the sign-ins that are ending came from. */
  readonly #running: string[] = [];

  constructor(options: PeopleOptions, parts: PeopleParts) {
    this.#options = options;
    this.#parts = parts;
    this.#states = new SignInStates(parts.clock, options.key);
  }

  get issuers(): readonly { readonly issuerId: string; readonly name: string }[] {
    return this.#options.issuers.map((options) => ({
      issuerId: issuerIdOf(options),
      name: options.name ?? new URL(options.issuer).host,
    }));
  }

  /** By the config as it is now. `undefined` for whom it does not let in. */
  roleOf(signIn: SignIn): Role | undefined {
    return roleOf(this.#options.issuers, signIn);
  }

  /** Rejects with `NOT_FOUND` for an issuer that there is not, `ISSUER_UNAVAILABLE` for one that cannot be asked. */
  async begin(at: BegunAt): Promise<{ readonly url: string; readonly state: string }> {
    const issuer = await this.#issuerOf(at.issuerId);
    const begun = this.#states.begin(at);
    const url = await this.#ask(at.issuerId, down, () => issuer.begin(begun, redirectUriOf(at)));
    if (!isSafeAddress(url)) throw down();
    return { url: url.href, state: begun.state };
  }

  /**
   * Who it is. Rejects with `UNAUTHENTICATED` for what does not belong to a sign-in that this browser began here, or that
   * the issuer does not stand by; with `ISSUER_UNAVAILABLE` and `RATE_LIMITED`, after which one begins again.
   */
  async finish({ issuerId, thumbprint, pageUrl, answer, from }: BroughtBack): Promise<Confirmed> {
    const begun = this.#states.open(new URLSearchParams(answer).get("state") ?? "");
    const isOwn =
      begun?.issuerId === issuerId && begun.thumbprint === thumbprint && begun.pageUrl === pageUrl;
    if (!begun || !isOwn || this.#used.has(begun.state)) throw refused();
    const source = sourceOf(from);
    const own = this.#running.filter((other) => other === source).length;
    if (this.#running.length >= MAX_RUNNING || own >= MAX_RUNNING_FROM_ONE) {
      throw new ProtocolError("RATE_LIMITED", "Too many people sign in.", { retryAfterMs: 1000 });
    }
    this.#useUp(begun.state, begun.untilMs);
    const url = new URL(redirectUriOf(begun));
    url.search = answer;
    this.#running.push(source);
    try {
      const issuer = await this.#issuerOf(issuerId);
      const { name, ...statement } = await this.#ask(issuerId, refused, () =>
        issuer.finish(begun, url),
      );
      return { name, signIn: this.#toSignIn(issuerId, statement) };
    } finally {
      this.#running.splice(this.#running.indexOf(source), 1);
    }
  }

  #toSignIn(issuerId: string, statement: Omit<Statement, "name">): SignIn {
    const issuer = toIssuerKey(this.#optionsOf(issuerId).issuer);
    return { issuer, ...statement, confirmedAtMs: this.#parts.clock.now() };
  }

  #optionsOf(issuerId: string): IssuerOptions {
    const options = this.#options.issuers.find((each) => issuerIdOf(each) === issuerId);
    if (options) return options;
    throw new ProtocolError("NOT_FOUND", "There is no such issuer.");
  }

  async #issuerOf(issuerId: string): Promise<Issuer> {
    const options = this.#optionsOf(issuerId);
    const known =
      this.#issuers.get(issuerId) ?? load(options, this.#options.groups, this.#parts.clock);
    this.#issuers.set(issuerId, known);
    return known;
  }

  /** What an issuer says of itself and its people is not shown: it goes to the log, without any of it. */
  async #ask<T>(
    issuerId: string,
    otherwise: () => ProtocolError,
    run: () => Promise<T>,
  ): Promise<T> {
    try {
      return await run();
    } catch (error: unknown) {
      this.#parts.onProblem(issuerId, error);
      throw isDown(error) ? down() : otherwise();
    }
  }

  #useUp(state: string, untilMs: number): void {
    const now = this.#parts.clock.now();
    for (const [used, endMs] of this.#used) {
      if (endMs > now && this.#used.size < MAX_USED) break;
      this.#used.delete(used);
    }
    this.#used.set(state, untilMs);
  }
}

async function load(
  options: IssuerOptions,
  groups: PeopleOptions["groups"],
  clock: Clock,
): Promise<Issuer> {
  const { Issuer: Loaded } = await import("./issuer.ts");
  return new Loaded({ ...options, groups }, clock);
}

function isDown(error: unknown, depth = 4): boolean {
  if (!(error instanceof Error) || depth === 0) return false;
  const isTimeout = (error as { code?: unknown }).code === "OAUTH_TIMEOUT";
  return isTimeout || error instanceof IssuerDown || isDown(error.cause, depth - 1);
}

function down(): ProtocolError {
  const detail = "The issuer cannot be asked now. A launch link or a code signs in all the same.";
  return new ProtocolError("ISSUER_UNAVAILABLE", detail);
}

function refused(): ProtocolError {
  return new ProtocolError(
    "UNAUTHENTICATED",
    "This sign-in was not begun here, is over, or the issuer does not stand by it. Begin again.",
  );
}
