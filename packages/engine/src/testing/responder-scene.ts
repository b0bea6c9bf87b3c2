import type {
  Caller,
  GivenGroup,
  Interaction,
  RespondBody,
  RespondResult,
  Role,
  SignedInAs,
} from "@holdpoint/protocol";

import { createMemoryCredentialStore } from "../memory-store/memory-credential-store.ts";
import { createMemoryStore } from "../memory-store/memory-store.ts";
import type { HoldRequest, HoldResult } from "../ports/agent-adapter.ts";
import type { CredentialStore } from "../ports/credential-store.ts";
import { NO_PEOPLE } from "../ports/people.ts";
import {
  approval,
  type FixtureOptions,
  type GatewayFixture,
  openFixture,
} from "./gateway-fixture.ts";
import { createScriptedAdapter, type TurnScript } from "./scripted-adapter.ts";
import type { Transcript } from "./scripted-parking.ts";

export const HOME = "https://login.example";
/**
 * The group of every person of a scene; sessions are shared with it when they start, unless the scene decides
 * otherwise.
 */
export const EVERYBODY: GivenGroup = { group: "everybody", issuer: HOME };
const KEY = new Uint8Array(32).fill(9);

/** A person who signed in at an issuer, as the caller of their requests. */
export type Signed = Caller & { readonly personId: string; readonly signIn: SignedInAs };

/** A gateway whose people sign in at an issuer, and whose agent asks once for each message. */
export interface ResponderScene extends GatewayFixture {
  readonly results: HoldResult[];
  /** The role of each person; a person without an entry can no longer sign in. */
  readonly roles: Map<string, Role>;
  /** Signs a person in on one more device. */
  signIn(subject: string, changes?: SignInChanges, role?: Role): Promise<Signed>;
  /** A session of this person, in which the agent asks. */
  ask(by: Caller): Promise<Interaction>;
  now(interactionId: string): Promise<Interaction>;
  approve(by: Caller, interactionId: string, more?: Partial<RespondBody>): Promise<RespondResult>;
  deny(by: Caller, interactionId: string, more?: Partial<RespondBody>): Promise<RespondResult>;
  /** The next gateway with this one's data; this one cannot shut down first. */
  restart(): Promise<ResponderScene>;
}

/** The issuer's further claims about them. */
interface SignInChanges {
  readonly issuer?: string;
  readonly email?: string;
  readonly groups?: readonly string[];
}

interface SceneOptions extends FixtureOptions {
  readonly request?: (toolCallId: string) => HoldRequest;
  readonly roles?: Map<string, Role>;
  readonly newSessionsFor?: readonly GivenGroup[];
  readonly credentials?: CredentialStore;
  /** If set, its agents can be parked. */
  readonly transcripts?: Map<string, Transcript>;
}

export async function openResponderScene(options: SceneOptions = {}): Promise<ResponderScene> {
  const { request = approval, roles = new Map<string, Role>() } = options;
  const { newSessionsFor = [EVERYBODY] } = options;
  const results: HoldResult[] = [];
  const store = options.store ?? createMemoryStore();
  const credentials = options.credentials ?? createMemoryCredentialStore();
  const passive = createScriptedAdapter(async () => ({ reason: "done" }));
  const script: TurnScript = async (message, context) => {
    const result = await context.hold(request(message.messageId), { signal: context.signal });
    results.push(result);
    if (result.outcome === "answered") await result.delivered();
    return { reason: context.signal.aborted ? "stopped" : "done" };
  };
  const { transcripts } = options;
  const fixture = await openFixture(script, {
    people: {
      ...NO_PEOPLE,
      issuers: [HOME],
      newSessionsFor,
      roleOf: ({ subject }) => roles.get(subject),
    },
    otherAgents: new Map([["mcp", Object.assign(passive, { isPassive: true as const })]]),
    ...(transcripts && { adapter: createScriptedAdapter(script, { canPark: true, transcripts }) }),
    ...options,
    store,
    credentials,
    credentialKey: KEY,
  });
  const { gateway, clock, ids } = fixture;
  const respond = async (by: Caller, interactionId: string, body: RespondBody) => {
    const result = await gateway.respond(by, interactionId, body);
    await clock.settle();
    return result;
  };
  return {
    ...fixture,
    results,
    roles,
    async signIn(subject, changes = {}, role = "responder") {
      roles.set(subject, role);
      const groups = [...(changes.groups ?? []), EVERYBODY.group];
      const signIn = { issuer: HOME, subject, ...changes, groups };
      const holder = { person: subject, personId: `per_${subject}`, signIn };
      const { credential } = await gateway.credentials.issue({
        kind: "device",
        ...holder,
        signIn: { ...signIn, confirmedAtMs: clock.now() },
        label: "phone",
      });
      const { tokenId, label: client } = credential;
      return { principal: "person", ...holder, role, client, tokenId };
    },
    async ask(by) {
      const { sessionId } = await gateway.createSession(by, { agent: "scripted" });
      await gateway.sendMessage(by, sessionId, { content: "go", queue: true });
      await clock.settle();
      const { items } = await gateway.listInteractions(by, {
        sessionId,
        limit: 10,
        status: ["pending"],
      });
      if (!items[0]) throw new Error("Nothing is asked.");
      return items[0];
    },
    now: (interactionId) => gateway.getInteraction(VIEWER, interactionId),
    async approve(by, interactionId, more = {}) {
      const { approval: asked } = await gateway.getInteraction(by, interactionId);
      return respond(by, interactionId, { action: "approve", digest: asked?.digest, ...more });
    },
    deny: (by, interactionId, more = {}) => respond(by, interactionId, { action: "deny", ...more }),
    restart: () => openResponderScene({ ...options, store, credentials, roles, clock, ids }),
  };
}

const VIEWER: Caller = { principal: "person", person: "viewer", scope: "read", client: "page" };
