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

/**
 * The most sign-ins finishing at the same time, in total and from one address. Each needs several requests to the
 * issuer.
 */
const MAX_RUNNING = 64;
const MAX_RUNNING_FROM_ONE = 16;
/** The most used states remembered until they expire. Beyond that, only the issuer can detect a reused code. */
const MAX_USED = 10_000;

/** The result that the page brings back from an issuer. */
export interface BroughtBack extends BegunAt {
  /** The query of the redirect URI when the browser returned. */
  readonly answer: string;
  /** The address of the client. */
  readonly from: string | undefined;
}

/** A person just confirmed by an issuer. */
export interface Confirmed {
  readonly signIn: SignIn;
  readonly name: string;
}

interface PeopleParts {
  readonly clock: Clock;
  readonly onProblem: (issuerId: string, error: unknown) => void;
}

/**
 * Signs people in at the configured issuers, and decides who is admitted. The OpenID Connect code is loaded with the
 * first sign-in.
 */
export class People {
  readonly #options: PeopleOptions;
  readonly #parts: PeopleParts;
  readonly #states: SignInStates;
  readonly #issuers = new Map<string, Promise<Issuer>>();
  /** Used states and their expiry in milliseconds since the epoch, oldest first. */
  readonly #used = new Map<string, number>();
  /** The addresses of the sign-ins that are finishing. */
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

  /** The person's role by the current config; `undefined` for people who are not admitted. */
  roleOf(signIn: SignIn): Role | undefined {
    return roleOf(this.#options.issuers, signIn);
  }

  /**
   * Starts a sign-in. Rejects with `NOT_FOUND` for an unknown issuer, and `ISSUER_UNAVAILABLE` for one that is down.
   */
  async begin(at: BegunAt): Promise<{ readonly url: string; readonly state: string }> {
    const issuer = await this.#issuerOf(at.issuerId);
    const begun = this.#states.begin(at);
    const url = await this.#ask(at.issuerId, down, () => issuer.begin(begun, redirectUriOf(at)));
    if (!isSafeAddress(url)) throw down();
    return { url: url.href, state: begun.state };
  }

  /**
   * Finishes a sign-in and returns the person. Rejects with `UNAUTHENTICATED` when this browser did not start the
   * sign-in here or the issuer does not confirm it. After `ISSUER_UNAVAILABLE` or `RATE_LIMITED` the person can start
   * again.
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

  /**
   * Runs a request to an issuer. Its errors may contain details about the issuer and people, so they are logged without
   * those and not shown.
   */
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
  const detail =
    "The issuer cannot be reached now. You can still sign in with a launch link or a code.";
  return new ProtocolError("ISSUER_UNAVAILABLE", detail);
}

function refused(): ProtocolError {
  return new ProtocolError(
    "UNAUTHENTICATED",
    "This sign-in was not started here, has expired, or was not confirmed by the issuer. Start again.",
  );
}
