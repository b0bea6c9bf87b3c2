import { Agent, get } from "node:http";

import { Api } from "../../e2e/support/api.ts";
import { atMost, percentile, type Row } from "../support/report.ts";
import type { ClusterScene } from "./scene.ts";
import { ASK } from "./trips.ts";

const ROUNDS = 10;
const MAX_TOLD_MS = 1000;
/** Below the limits of one person and of one credential. */
const CLIENTS_PER_PERSON = 400;
const CLIENTS_PER_TOKEN = 100;
const JOINING_AT_ONCE = 50;
/** A client without data for this long counts as lost. */
const PATIENCE_MS = 30_000;
const MARK = '"interaction_response"';

/** Measures the time from sending an answer until each client, over all nodes, has received it. */
export async function measureTold(scene: ClusterScene, count: number): Promise<Row[]> {
  const [working, ...others] = await scene.urlsInOrder();
  const urls = [working, ...others];
  const person = await scene.signIn();
  const { token, sessionId } = await person.createAgentToken({ label: "Program" });
  const program = new Api(working, { token });
  using crowd = new Crowd();
  const tokens = await issueTokens(scene, count);
  await crowd.join(count, (index) => ({
    url: `${urls[index % urls.length]}/api/sessions/${sessionId}/events`,
    token: tokens[index % tokens.length]!,
  }));
  const toldMs: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const interactionId = await ask(program);
    const heard = crowd.hear(interactionId);
    const startedAt = performance.now();
    const answerer = new Api(urls[round % urls.length]!, { token: tokens[0]! });
    const answer = await answerer.respond(interactionId, { action: "submit", reply: "Yes" });
    if (answer.status !== 200) throw new Error(`An answer got ${answer.status}.`);
    const at = await heard;
    // The first round only warms up.
    if (round > 0) toldMs.push(...at.map((ms) => ms - startedAt));
  }
  const p95Ms = percentile(toldMs, 0.95);
  return [
    {
      what: `one answer until ${count} clients over ${urls.length} nodes are told, p95`,
      figure: `${p95Ms.toFixed(0)} ms (p50 ${percentile(toldMs, 0.5).toFixed(0)}, max ${Math.max(...toldMs).toFixed(0)} ms)`,
      budget: atMost(p95Ms, MAX_TOLD_MS, `${MAX_TOLD_MS} ms`),
    },
  ];
}

async function ask(program: Api): Promise<string> {
  const { status, body } = await program.call<{ interactionId: string }>("POST", "/asks", ASK);
  if (status !== 201) throw new Error(`An ask got ${status}: ${JSON.stringify(body)}`);
  return body.interactionId;
}

/** Issues tokens of as many people as that many clients need. */
async function issueTokens(scene: ClusterScene, clients: number): Promise<string[]> {
  const tokens: string[] = [];
  for (let left = clients; left > 0; left -= CLIENTS_PER_PERSON) {
    const person = await scene.signIn();
    const own = Math.ceil(Math.min(left, CLIENTS_PER_PERSON) / CLIENTS_PER_TOKEN);
    for (let made = 0; made < own; made += 1) {
      const label = `Clients ${tokens.length}`;
      const wanted = { label, scope: "respond", expiresInDays: 1 } as const;
      tokens.push((await person.createProgramToken(wanted)).token);
    }
  }
  return tokens;
}

interface Place {
  readonly url: string;
  readonly token: string;
}

/** Clients on event streams that only look for an answer's text. */
class Crowd implements Disposable {
  readonly #agent = new Agent({ maxSockets: Infinity });
  #clients = 0;
  #heard: { interactionId: string; take: () => void } | undefined;

  async join(count: number, place: (index: number) => Place): Promise<void> {
    for (let joined = 0; joined < count; joined += JOINING_AT_ONCE) {
      const some = Math.min(JOINING_AT_ONCE, count - joined);
      await Promise.all(
        Array.from({ length: some }, (_, index) => this.#follow(place(joined + index))),
      );
    }
  }

  /** Resolves with the time at which each client received it. */
  async hear(interactionId: string): Promise<readonly number[]> {
    const { promise, resolve, reject } = Promise.withResolvers<readonly number[]>();
    const at: number[] = [];
    const limit = setTimeout(() => {
      reject(new Error(`${this.#clients - at.length} clients were not told.`));
    }, PATIENCE_MS);
    const take = (): void => {
      at.push(performance.now());
      if (at.length === this.#clients) resolve(at);
    };
    this.#heard = { interactionId, take };
    try {
      return await promise;
    } finally {
      clearTimeout(limit);
    }
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  /** Resolves with the first bytes. */
  #follow({ url, token }: Place): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const headers = { authorization: `Bearer ${token}`, accept: "text/event-stream" };
    const call = get(url, { headers, agent: this.#agent });
    call.on("error", reject);
    call.on("response", (response) => {
      if (response.statusCode !== 200) reject(new Error(`A stream got ${response.statusCode}.`));
      else this.#clients += 1;
      let rest = "";
      response.setEncoding("utf8").on("error", () => undefined);
      response.on("data", (chunk: string) => {
        resolve();
        const frames = (rest + chunk).split("\n\n");
        rest = frames.pop() ?? "";
        for (const frame of frames) this.#read(frame);
      });
    });
    return promise;
  }

  #read(frame: string): void {
    if (!this.#heard || !frame.includes(MARK)) return;
    if (frame.includes(this.#heard.interactionId)) this.#heard.take();
  }
}
