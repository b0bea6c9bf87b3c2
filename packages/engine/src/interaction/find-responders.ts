import {
  freezePolicy,
  type InteractionResponse,
  isKept,
  isOpenToAll,
  joinPolicies,
  ProtocolError,
  type ResponderPolicy,
  type Responders,
  type SessionEvent,
} from "@holdpoint/protocol";

import type { HoldRequest } from "../ports/agent-adapter.ts";
import type { PeoplePort } from "../ports/people.ts";
import type { Store } from "../ports/store.ts";

const PAGE = { limit: 500, units: 4_000_000 };

/** The gateway owner's policies for who may answer. Tools and requests can only narrow them. */
export interface ResponderConfig {
  /** For every request. */
  readonly default?: ResponderPolicy | undefined;
  /** By the tool name that people see. Joined with the default. */
  readonly tools?: Readonly<Record<string, ResponderPolicy>> | undefined;
}

export interface FindRespondersParts {
  readonly store: Pick<Store, "getSession" | "readEvents">;
  readonly people: PeoplePort;
  readonly responders: ResponderConfig;
}

type Request = Pick<HoldRequest, "kind" | "responders" | "toolName">;

/**
 * Who may answer this request; `undefined`: everyone with the role. Throws a `ProtocolError` with the code
 * `INVALID_REQUEST` for a question or a form that needs several people: only for an approval do all of them give the
 * same answer.
 */
export function findResponders(
  parts: FindRespondersParts,
  sessionId: string,
  request: Request,
): Promise<Responders> | undefined {
  const { common, own } = policiesOf(parts.responders, request.toolName);
  const named = [...own, ...(request.responders ?? [])];
  const joined = joinPolicies([...common, ...named]);
  const isApproval = request.kind === "approval";
  if (!isApproval && joinPolicies(named).need > 1) {
    throw new ProtocolError("INVALID_REQUEST", "Only an approval can need several people.");
  }
  const policy = isApproval ? joined : { ...joined, need: 1 };
  if (isOpenToAll(policy)) return undefined;
  return freeze(parts, sessionId, policy);
}

/** Whether the config limits who may answer requests of this tool. */
export function isNarrowed(config: ResponderConfig, toolName: string): boolean {
  const { common, own } = policiesOf(config, toolName);
  return !isOpenToAll(joinPolicies([...common, ...own]));
}

function policiesOf({ default: common, tools = {} }: ResponderConfig, toolName: string) {
  // Case-insensitive, so that a different spelling does not let everyone answer.
  const name = toolName.toLowerCase();
  const own = Object.entries(tools).filter(([written]) => written.toLowerCase() === name);
  return { common: common ? [common] : [], own: own.map(([, policy]) => policy) };
}

async function freeze(
  { store, people }: FindRespondersParts,
  sessionId: string,
  policy: ReturnType<typeof joinPolicies>,
): Promise<Responders> {
  const requesters = policy.notRequester ? await findRequesters(store, sessionId) : [];
  return freezePolicy(policy, { issuers: people.issuers, requesters });
}

/**
 * The people whose instructions the agent has followed: they started the session or sent it a message, or they answered
 * its requests, edited them, or denied them with a reason. The agent may be acting for any of them.
 */
async function findRequesters(
  store: FindRespondersParts["store"],
  sessionId: string,
): Promise<(string | undefined)[]> {
  const session = await store.getSession(sessionId);
  const requesters = new Set([session?.startedBy]);
  const steering = new Steering();
  for (let after: number | undefined = 0; after !== undefined;) {
    const page = await store.readEvents(sessionId, { after, ...PAGE });
    for (const { json } of page) {
      if (!MAY_STEER.some((type) => json.includes(type))) continue;
      const event = JSON.parse(json) as SessionEvent;
      const isOfPerson = event.type === "user_message" && event.origin === "person";
      if (isOfPerson) requesters.add(event.personId);
      steering.take(event);
    }
    after = page.at(-1)?.seq;
  }
  return [...requesters, ...steering.people];
}

/** Types of events that `findRequesters` reads. Others are not parsed. */
const MAY_STEER = [
  '"user_message"',
  '"interaction_request"',
  '"interaction_response"',
  '"interaction_reopened"',
  '"interaction_note"',
];

/** Collects the people whose answers instruct an agent. */
class Steering {
  /** By interaction: the person who answered it, unless the answer was taken back. */
  readonly #answered = new Map<string, string | undefined>();
  /** Interactions whose program reads their comments. */
  readonly #readByProgram = new Set<string>();
  readonly #commented = new Set<string | undefined>();

  get people(): (string | undefined)[] {
    return [...this.#answered.values(), ...this.#commented];
  }

  take(event: SessionEvent): void {
    switch (event.type) {
      case "interaction_request":
        if (isKept(event.interaction)) this.#readByProgram.add(event.interaction.interactionId);
        return;
      case "interaction_response":
        if (tellsWhatToDo(event)) this.#answered.set(event.interactionId, event.by.personId);
        return;
      case "interaction_reopened":
        this.#answered.delete(event.interactionId);
        return;
      case "interaction_note": {
        const isComment = event.note.type === "comment" && event.note.program === undefined;
        const isRead = isComment && this.#readByProgram.has(event.interactionId);
        if (isRead) this.#commented.add(event.by.personId);
        return;
      }
      default:
    }
  }
}

/** Whether an answer instructs the agent. A bare yes or no does not. */
function tellsWhatToDo({
  action,
  reason,
  editedInput,
}: Pick<InteractionResponse, "action" | "editedInput" | "reason">): boolean {
  return action === "submit" || editedInput !== undefined || (reason ?? "").trim() !== "";
}

/** Narrows a request for its responders: if not everyone may answer, each approval is for this one call. */
export function narrowRequest(
  request: HoldRequest,
  responders: Responders | undefined,
): HoldRequest {
  if (!responders || request.kind !== "approval") return request;
  const { grantKey: _key, grantFamily: _family, ...once } = request;
  // Several people approve the same input, so no one may edit it.
  const editable = request.editable && responders.need === undefined;
  return { ...once, scopes: ["once"], scopeText: {}, editable };
}
