import type {
  AgentInfo,
  FolderOffer,
  FolderTrust,
  Interaction,
  InteractionList,
  RespondBody,
  SentMessage,
  Session,
  SessionEvent,
} from "@holdpoint/protocol";

import { TOKEN } from "./gateway-process.ts";

export interface ApiAnswer<TBody> {
  readonly status: number;
  readonly body: TBody;
}

/** The HTTP interface as any program would use it. */
export class Api {
  readonly #url: string;
  readonly #headers: Record<string, string>;

  constructor(url: string, options: { token?: string; clientId?: string } = {}) {
    this.#url = url;
    this.#headers = {
      authorization: `Bearer ${options.token ?? TOKEN}`,
      ...(options.clientId && { "x-holdpoint-client": options.clientId }),
    };
  }

  async call<TBody>(method: string, path: string, body?: unknown): Promise<ApiAnswer<TBody>> {
    const response = await fetch(`${this.#url}/api${path}`, {
      method,
      headers: {
        ...this.#headers,
        accept: "application/json",
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text === "" ? undefined : JSON.parse(text)) as TBody };
  }

  async #must<TBody>(method: string, path: string, body?: unknown): Promise<TBody> {
    const answer = await this.call<TBody>(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer.body;
  }

  async agents(): Promise<readonly AgentInfo[]> {
    return (await this.#must<{ items: AgentInfo[] }>("GET", "/agents")).items;
  }
  createSession(body: {
    agent: string;
    title?: string;
    cwd?: string;
    model?: string;
    permissionMode?: string;
  }): Promise<Session> {
    return this.#must("POST", "/sessions", body);
  }
  session(sessionId: string): Promise<Session> {
    return this.#must("GET", `/sessions/${sessionId}`);
  }
  send(sessionId: string, content: string, queue = false): Promise<SentMessage> {
    return this.#must("POST", `/sessions/${sessionId}/messages`, { content, queue });
  }
  stop(sessionId: string): Promise<void> {
    return this.#must("POST", `/sessions/${sessionId}/stop`, {});
  }
  /** Archives the session once its agent is idle. */
  async archive(sessionId: string): Promise<void> {
    await this.idle(sessionId);
    await this.#must("PATCH", `/sessions/${sessionId}`, { archived: true });
  }
  /** Waits until its agent is idle. */
  async idle(sessionId: string): Promise<void> {
    const rests = async () => (await this.session(sessionId)).status === "idle";
    await until(rests, "a session whose agent rests");
  }
  respond(
    interactionId: string,
    body: RespondBody,
  ): Promise<ApiAnswer<{ interaction: Interaction }>> {
    return this.call("POST", `/interactions/${interactionId}/response`, body);
  }
  interaction(interactionId: string): Promise<Interaction> {
    return this.#must("GET", `/interactions/${interactionId}`);
  }
  async interactions(sessionId: string, status: string): Promise<readonly Interaction[]> {
    const query = new URLSearchParams({ sessionId, status });
    return (await this.#must<InteractionList>("GET", `/interactions?${query}`)).items;
  }
  folder(): Promise<FolderTrust> {
    return this.#must("GET", "/folder-trust");
  }
  /** Trusts the current content of the gateway's folder, as a person does after looking at it. */
  async trustFolder(): Promise<FolderTrust> {
    const [path, offer] = await until<[string, FolderOffer]>(async () => {
      const folder = await this.folder();
      return folder.offer === undefined ? undefined : [folder.path, folder.offer];
    }, "something to trust");
    return this.#must("POST", "/folder-trust", { path, hash: offer.hash });
  }
  /** The log after a cursor, page by page. */
  async events(sessionId: string, after = 0): Promise<readonly SessionEvent[]> {
    const events: SessionEvent[] = [];
    for (;;) {
      const query = `after=${events.at(-1)?.seq ?? after}&limit=1000`;
      const page = await this.#must<{ items: SessionEvent[] }>(
        "GET",
        `/sessions/${sessionId}/events?${query}`,
      );
      if (page.items.length === 0) return events;
      events.push(...page.items);
    }
  }
}

const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 150;

/** Polls until there is a result, less often after a while, since polling costs the gateway time as well. */
export async function until<TValue>(
  ask: () => Promise<TValue | undefined | false>,
  what: string,
  timeoutMs = 90_000,
): Promise<TValue> {
  const limit = performance.now() + timeoutMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(1.3 * pauseMs, LONGEST_PAUSE_MS)) {
    const value = await ask();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > limit) throw new Error(`Waited in vain for ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** Waits until the session's current turn has ended, or its last one if none runs. */
export function endOfTurn(api: Api, sessionId: string): Promise<unknown> {
  return until(
    async () => (await api.events(sessionId)).findLast(({ type }) => type === "turn_ended"),
    "the end of the turn",
  );
}

/** The oldest pending interaction of the session. */
export function pending(api: Api, sessionId: string): Promise<Interaction> {
  return until(
    async () => (await api.interactions(sessionId, "pending"))[0],
    "a pending interaction",
  );
}
