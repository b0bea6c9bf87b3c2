import {
  createMemoryCredentialStore,
  createSystemIds,
  Credentials,
  type GatewayFigures,
  NO_FOLDER,
  Pairings,
} from "@holdpoint/engine";
import {
  type Ask,
  type Caller,
  type CreateRuleBody,
  drainingError,
  type GatewayApi,
  type GatewayArguments,
  type Grant,
  type Interaction,
  OPERATION_NAMES,
  type OperationName,
  OPERATIONS,
  ProtocolError,
  type RespondResult,
  type ResultOf,
  type SerializedFrame,
  type Session,
  toProblem,
  type UnplacedEvent,
} from "@holdpoint/protocol";
import { sampleInteraction } from "@holdpoint/protocol/testing";

import type { ServedGateway } from "../server-context.ts";
import { createFakeTools, type FakeTools } from "./fake-tools.ts";

type Follower = { queue: SerializedFrame[]; wake: () => void };

/** The controls and records of a gateway in the server's tests. */
export interface FakeGateway extends ServedGateway {
  epoch: string;
  draining: boolean;
  /** Callers, in the order of the calls. */
  readonly callers: Caller[];
  /** Signals of announced clients, by client id. */
  readonly announced: Map<string, AbortSignal>;
  /** Signals of pages in view, by client id. */
  readonly looking: Map<string, AbortSignal>;
  readonly followerCount: number;
  /** If set, the next call of any method rejects with it. */
  failure: Error | undefined;
  /** Whether its store accepts writes. */
  isWritable: boolean;
  readonly tools: FakeTools;
  /** The result of responses; default: accepted. */
  respondResult: RespondResult | undefined;
  addSession(sessionId: string): Session;
  /** Stores an event and shows it to all followers. */
  append(sessionId: string, event: UnplacedEvent): void;
  /** Shows a frame to all followers. */
  show(sessionId: string, frame: { readonly type: string; readonly [key: string]: unknown }): void;
}

const AT = "2026-01-02T03:04:05.000Z";

/** The result of each operation. */
type Answers = {
  [TName in OperationName]: (
    ...input: GatewayArguments<TName>
  ) => ResultOf<TName> | Promise<ResultOf<TName>>;
};

/** A gateway made of a few maps that follows the rules of `GatewayApi` about streams. */
export function createFakeGateway(): FakeGateway {
  const sessions = new Map<string, Session>();
  const logs = new Map<string, (SerializedFrame & { seq: number })[]>();
  const followers = new Map<Follower, string>();

  const mustHave = (sessionId: string): Session => {
    const session = sessions.get(sessionId);
    if (!session) throw new ProtocolError("NOT_FOUND", "There is no such session.");
    return session;
  };
  const enter = (caller: Caller): void => {
    gateway.callers.push(caller);
    const { failure } = gateway;
    gateway.failure = undefined;
    if (failure) throw failure;
  };
  const publish = (sessionId: string, frame: SerializedFrame): void => {
    for (const [follower, followed] of followers) {
      if (followed !== sessionId) continue;
      follower.queue.push(frame);
      follower.wake();
    }
  };
  async function* follow(
    sessionId: string,
    backlog: readonly SerializedFrame[],
    signal: AbortSignal,
  ): AsyncGenerator<readonly SerializedFrame[]> {
    const follower: Follower = { queue: [...backlog], wake: () => {} };
    followers.set(follower, sessionId);
    signal.addEventListener("abort", () => follower.wake());
    try {
      while (!signal.aborted) {
        if (follower.queue.length > 0) {
          yield follower.queue.splice(0, 1000);
          continue;
        }
        await new Promise<void>((resolve) => {
          follower.wake = resolve;
        });
      }
    } finally {
      followers.delete(follower);
    }
  }

  const clock = { now: () => Date.UTC(2026, 0, 1), monotonic: () => 0 };
  const ids = createSystemIds();
  const answers: Answers = {
    listAgents: () => ({ items: [] }),
    listSessions: () => ({ items: [...sessions.values()] }),
    createSession: () => gateway.addSession(`ses_${sessions.size + 1}`),
    getSession: mustHave,
    updateSession: (id, { title }) => ({ ...mustHave(id), ...(title !== undefined && { title }) }),
    listGroups: () => ({ items: [] }),
    giveSession: (id) => mustHave(id),
    deleteSession: async (sessionId) => {
      mustHave(sessionId);
      await gateway.credentials.revokeOfSession(sessionId);
      sessions.delete(sessionId);
    },
    listModels: () => ({ items: [] }),
    listCommands: () => ({ items: [] }),
    listAgentCommands: () => ({ items: [] }),
    findFolderFiles: () => ({ items: [] }),
    findFiles: () => ({ items: [] }),
    uploadAttachment: (sessionId, { name }) => {
      mustHave(sessionId);
      return { attachmentId: "att_1", name, mediaType: "text/plain", bytes: 3 };
    },
    readAttachment: (sessionId, attachmentId) => {
      mustHave(sessionId);
      return { attachmentId, name: "a.txt", mediaType: "text/plain", bytes: 3, data: "YWJj" };
    },
    sendMessage: (sessionId) => {
      mustHave(sessionId);
      return { turnId: "trn_1", messageId: "msg_1", queued: false };
    },
    listQueue: (sessionId) => {
      mustHave(sessionId);
      return { items: [] };
    },
    removeQueuedMessage: () => {
      throw new ProtocolError("NOT_FOUND", "There is no such message.");
    },
    stopTurn: (sessionId) => void mustHave(sessionId),
    readEvents: () => {
      throw new Error("The server reads texts.");
    },
    listInteractions: () => ({ items: [] }),
    listHistory: () => ({ items: [] }),
    listHistoryNames: () => ({ people: [], agents: [], tools: [] }),
    getInteraction: createInteraction,
    undoResponse: createInteraction,
    dismissInteraction: createInteraction,
    addComment: createInteraction,
    handOver: createInteraction,
    remind: createInteraction,
    listSnoozes: () => ({ items: [] }),
    snoozeInteraction: (interactionId, { until }) => ({ interactionId, until }),
    endSnooze: () => undefined,
    respond: (interactionId) => accept(gateway, interactionId),
    submitAnswers: () => accept(gateway, "int_1"),
    approveTool: () => accept(gateway, "int_1"),
    denyTool: () => accept(gateway, "int_1"),
    listGrants: () => ({ items: [] }),
    revokeGrant: () => undefined,
    createRule: (body) => createGrant(body),
    previewRule: () => ({
      text: "",
      since: AT,
      calls: 0,
      isPartial: false,
      coveredCalls: 0,
      covered: [],
      notCovered: [],
    }),
    createProgramToken: () => ({ token: "token", tokenId: "tok_2", expiresAt: AT }),
    listProgramTokens: () => ({ items: [] }),
    revokeProgramToken: () => undefined,
    setInteractionMode: () => undefined,
    getPerson: () => ({ person: "Ada", role: "owner" }),
    listDevices: () => ({ items: [] }),
    revokeDevice: () => undefined,
    renameDevice: () => undefined,
    createPairing: () => ({ code: "3KA-XW7-PCT", expiresAt: AT }),
    createAgentToken: () => {
      const { sessionId } = gateway.addSession(`ses_${sessions.size + 1}`);
      return { token: "token", tokenId: "tok_3", sessionId };
    },
    listAgentTokens: () => ({ items: [] }),
    revokeAgentToken: () => undefined,
    createAsk: () => createAsk("int_1"),
    getAsk: createAsk,
    addAskComment: createAsk,
    withdrawAsk: createAsk,
    getFolderTrust: () => NO_FOLDER.read(),
    trustFolder: () => NO_FOLDER.read(),
    getNotifications: () => ({ devices: [] }),
    subscribeNotifications: () => undefined,
    updateNotifications: () => undefined,
    removeNotifications: () => undefined,
    testNotifications: () => ({ result: "sent" }),
  };
  const toMethod = (name: OperationName) => {
    const answer = answers[name] as (...input: unknown[]) => unknown;
    const method = async (caller: Caller, ...input: unknown[]): Promise<unknown> => {
      enter(caller);
      if (gateway.draining && OPERATIONS[name].method !== "GET") throw drainingError();
      return answer(...input);
    };
    return [name, method] as const;
  };

  const gateway: FakeGateway = {
    tools: createFakeTools(),
    epoch: "e1",
    draining: false,
    callers: [],
    announced: new Map(),
    looking: new Map(),
    failure: undefined,
    isWritable: true,
    takesWrites: async () => gateway.isWritable,
    readFigures: async () => noFigures(sessions.size),
    respondResult: undefined,
    get followerCount() {
      return followers.size;
    },
    addSession: (sessionId) => {
      const session: Session = {
        sessionId,
        agent: "demo",
        cwd: "/work",
        title: "A session",
        permissionMode: "default",
        status: "idle",
        createdAt: AT,
        updatedAt: AT,
        lastSeq: 0,
      };
      sessions.set(sessionId, session);
      logs.set(sessionId, []);
      return session;
    },
    append: (sessionId, event) => {
      const log = logs.get(sessionId)!;
      const placed = { ...event, seq: log.length + 1 };
      const frame = { seq: placed.seq, json: JSON.stringify(placed) };
      log.push(frame);
      publish(sessionId, frame);
    },
    show: (sessionId, frame) => {
      const json = JSON.stringify(frame);
      publish(sessionId, frame.type === "text_delta" ? { json, canWait: true } : { json });
    },
    credentials: new Credentials({ store: createMemoryCredentialStore(), clock, ids }),
    pairings: new Pairings({ clock, ids }),
    ...(Object.fromEntries(OPERATION_NAMES.map(toMethod)) as Pick<GatewayApi, OperationName>),
    readEventTexts: async (caller, sessionId, { after = 0, limit }) => {
      enter(caller);
      mustHave(sessionId);
      return { items: logs.get(sessionId)!.slice(after, after + limit) };
    },
    followSession: (caller, sessionId, cursor, { signal }) => {
      enter(caller);
      mustHave(sessionId);
      const isForeign = cursor.epoch !== undefined && cursor.epoch !== gateway.epoch;
      const events = logs.get(sessionId)!.slice(isForeign ? 0 : cursor.seq);
      const reset = { json: JSON.stringify({ type: "reset", epoch: gateway.epoch }) };
      return follow(sessionId, isForeign ? [reset, ...events] : events, signal);
    },
    async *followAsk(caller, interactionId) {
      enter(caller);
      yield [{ json: JSON.stringify({ type: "ask_changed", ask: createAsk(interactionId) }) }];
    },
    followOverview: (caller, { signal }) => {
      enter(caller);
      const { epoch } = gateway;
      const snapshot = {
        type: "snapshot",
        epoch,
        counts: {
          pending: 0,
          late: 0,
          sessions: sessions.size,
          waitingSessions: 0,
          workingSessions: 0,
        },
        sessions: { items: [...sessions.values()] },
        pending: { items: [] },
        late: { items: [] },
      };
      return follow("*", [{ json: JSON.stringify(snapshot) }], signal);
    },
    announceClient: (caller, { signal }) => void gateway.announced.set(caller.clientId!, signal),
    announceLooking: (caller, { signal }) => void gateway.looking.set(caller.clientId!, signal),
  };
  return gateway;
}

function noFigures(sessions: number): GatewayFigures {
  return {
    pending: new Map(),
    happened: [],
    delivered: new Map(),
    answerSeconds: { bounds: [], counts: [0], sum: 0 },
    counts: { pending: 0, late: 0, sessions, waitingSessions: 0, workingSessions: 0 },
    archivedSessions: 0,
    agents: 0,
  };
}

function accept(gateway: FakeGateway, interactionId: string): RespondResult {
  return (
    gateway.respondResult ?? { status: "accepted", interaction: createInteraction(interactionId) }
  );
}

/** A refusal with this error. */
export function refuse(error: ProtocolError): RespondResult {
  return { status: "refused", problem: toProblem(error) };
}

function createGrant({ verdict, pattern, cwd }: CreateRuleBody): Grant {
  const by = { person: "Ada", client: "laptop", at: AT };
  const rule = { verdict, pattern };
  const what = { toolName: "Commands", text: pattern, cwd, rule };
  return { grantId: "gnt_1", scope: "always", ...what, createdAt: AT, by };
}

function createAsk(interactionId: string): Ask {
  const { kind, startedAt } = createInteraction(interactionId);
  return { interactionId, kind, status: "withdrawn", cardUrl: `/i/${interactionId}`, startedAt };
}

function createInteraction(interactionId: string): Interaction {
  return sampleInteraction({ interactionId, startedAt: AT });
}
