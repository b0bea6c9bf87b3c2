import { createMemoryStore, type Gateway, type HoldRequest } from "@holdpoint/engine";
import {
  type Caller,
  callOperation,
  type OperationName,
  parseOperationInput,
  ProtocolError,
  type Role,
} from "@holdpoint/protocol";

import { hashSecret } from "../auth/secrets.ts";
import { toPeoplePort } from "../people/people-port.ts";
import { sampleInput } from "./sample-requests.ts";
import { serveEngine } from "./serve-engine.ts";
import type { Served } from "./serve.ts";

export const ISSUER = "https://login.example.org/";
/** Part of everything that people without access to the session must not see. */
export const SECRET = "s3cret-of-ada";

/** Ada's session is shared with ops, and one of its requests names sec. Olga is an owner who has signed in. */
const PEOPLE = {
  ada: { role: "responder", groups: [] },
  bob: { role: "responder", groups: ["ops"] },
  sid: { role: "responder", groups: ["sec"] },
  carl: { role: "responder", groups: ["others"] },
  vera: { role: "viewer", groups: ["sec"] },
  olga: { role: "owner", groups: [] },
} as const satisfies Record<string, { role: Role; groups: readonly string[] }>;

export type Name = keyof typeof PEOPLE;
export const NAMES = Object.keys(PEOPLE) as Name[];

const OPTIONS = {
  issuers: [
    {
      issuer: ISSUER,
      clientId: "holdpoint",
      admit: NAMES.map((subject) => ({ subject, role: PEOPLE[subject].role })),
    },
  ],
  key: new Uint8Array(32),
};

const ROOM = { sessionBytes: 99, perSession: 9, gatewayBytes: 99, forgetBeforeMs: 0 };

export interface PeopleScene extends Served<Gateway> {
  readonly sessionId: string;
  /** A file of the session, and a queued message. */
  readonly attachmentId: string;
  readonly messageId: string;
  /** Everyone with the role who sees the session can answer it. */
  readonly open: string;
  /** Only members of the group sec can answer it. */
  readonly named: string;
  callerOf(name: Name): Caller;
  tokenOf(name: Name): string;
  /** Shares Ada's session with these groups only. */
  give(...groups: string[]): Promise<void>;
  /** The result of an operation as JSON: its answer, or the problem. */
  ask(name: OperationName, by: Name, ids: Record<string, string>): Promise<string>;
}

function asked(toolCallId: string): HoldRequest {
  const responders = [{ who: [{ group: "sec" }] }];
  return {
    kind: "approval",
    toolCallId,
    toolName: "Bash",
    input: { command: `echo ${SECRET}` },
    display: {},
    scopes: ["once"],
    scopeText: {},
    editable: false,
    ...(toolCallId === "call_named" && { responders }),
  };
}

/** A session of Ada's with two pending approvals, and everyone who could look at it. */
export async function servePeople(): Promise<PeopleScene> {
  const store = createMemoryStore();
  const served = await serveEngine(
    async (_, context) => {
      const { signal } = context;
      await Promise.all(["call_1", "call_named"].map((id) => context.hold(asked(id), { signal })));
      return { reason: signal.aborted ? "stopped" : "done" };
    },
    { people: OPTIONS },
    { store, people: toPeoplePort(OPTIONS, { now: () => 0 }) },
  );
  const { gateway, credentials, clock } = served;
  const tokenOf = (name: Name): string => name.padEnd(43, "x");
  const signInOf = (name: Name) => {
    const groups = [...PEOPLE[name].groups];
    return { issuer: ISSUER, subject: name, groups, confirmedAtMs: clock.now() };
  };
  for (const name of NAMES) {
    await credentials.add({
      tokenId: `tok_${name}`,
      tokenHash: hashSecret(tokenOf(name)),
      kind: "program",
      scope: "respond",
      person: name,
      personId: `per_${name}`,
      label: "Script",
      createdAtMs: clock.now(),
      expiresAtMs: Date.UTC(2099, 0, 1),
      signIn: signInOf(name),
    });
  }
  const callerOf = (name: Name): Caller => ({
    principal: "person",
    person: name,
    personId: `per_${name}`,
    signIn: signInOf(name),
    role: PEOPLE[name].role,
    client: "Script",
    tokenId: `tok_${name}`,
  });
  const ada = callerOf("ada");
  const body = { agent: "scripted", title: `Title ${SECRET}` };
  const { sessionId } = await gateway.createSession(ada, body);
  const give = async (...groups: string[]): Promise<void> => {
    const given = groups.map((group) => ({ group, issuer: ISSUER }));
    await gateway.giveSession(ada, sessionId, { groups: given });
    await clock.settle();
  };
  await give("ops");
  await gateway.sendMessage(ada, sessionId, { content: `Do ${SECRET}`, queue: true });
  await clock.settle();
  const queued = { content: `Then ${SECRET}`, queue: true };
  const { messageId } = await gateway.sendMessage(ada, sessionId, queued);
  const attachmentId = "att_of_ada";
  const file = { name: `${SECRET}.txt`, mediaType: "text/plain", bytes: 3, data: "YWJj" } as const;
  await store.attachments.put({ sessionId, attachmentId, uploadedAtMs: 0, ...file }, ROOM);
  const query = { sessionId, status: ["pending"] as const, limit: 10 };
  const { items } = await gateway.listInteractions(ada, { ...query, status: ["pending"] });
  const idOf = (toolCallId: string): string =>
    items.find((one) => one.toolCallId === toolCallId)?.interactionId ?? "";
  // Changes the interaction after it was first written.
  await gateway.addComment(ada, idOf("call_named"), { text: `Which ${SECRET}?` });
  return {
    ...served,
    sessionId,
    attachmentId,
    messageId,
    open: idOf("call_1"),
    named: idOf("call_named"),
    callerOf,
    tokenOf,
    give,
    async ask(name, by, ids) {
      try {
        const input = parseOperationInput(name, sampleInput(name, ids));
        return JSON.stringify(await callOperation(gateway, callerOf(by), name, input)) ?? "";
      } catch (error: unknown) {
        if (!ProtocolError.isInstance(error)) throw error;
        return JSON.stringify({ code: error.code, detail: error.message });
      }
    },
  };
}
