import { connect } from "node:net";

import {
  type Caller,
  FRAME_OPERATIONS,
  OPERATION_NAMES,
  refusalOfAccess,
  ROLES,
} from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { hashSecret } from "../auth/secrets.ts";
import {
  type HeaderLines,
  type HostileHeaders,
  HOSTILE_HEADERS,
} from "../testing/hostile-headers.ts";
import { sampleRequest } from "../testing/sample-requests.ts";
import { AGENT_TOKEN, listRoutes, PERSON_TOKEN, serve } from "../testing/serve.ts";
import { signIn } from "../testing/test-device.ts";
import { type Route, routeKey } from "./route.ts";

const AT_ONCE = 32;

/** A request as bytes: the correct lines that the attack keeps, then its own lines. */
function toRequest(
  port: number,
  { method, path, token }: { method: string; path: string; token: string },
  right: HeaderLines,
  attack: Pick<HostileHeaders, "lines" | "without">,
): string {
  const changed = new Set([
    ...attack.lines.map(([name]) => name.toLowerCase()),
    ...(attack.without ?? []),
  ]);
  const kept = right.filter(([name]) => !changed.has(name.toLowerCase()));
  const head = [...kept, ...attack.lines].map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${path} HTTP/1.1`, ...head, "", ""]
    .join("\r\n")
    .replaceAll("PORT", String(port))
    .replaceAll("TOKEN", token);
}

/** The status of the answer; 0 when the connection was closed without one. */
function send(port: number, request: string | Buffer): Promise<number> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => void socket.write(request));
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(0));
    socket.on("data", (head) => {
      resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(head.toString("latin1"))?.[1] ?? 0));
      socket.destroy();
    });
  });
}

async function inParallel<T>(jobs: readonly T[], run: (job: T) => Promise<void>): Promise<number> {
  let tried = 0;
  const left = [...jobs];
  const work = async (): Promise<void> => {
    for (let job = left.shift(); job !== undefined; job = left.shift()) {
      await run(job);
      tried += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return tried;
}

test("no route does anything for a request with a hostile header", async ({ annotate }) => {
  await using served = await serve();
  served.gateway.addSession("ses_1");
  const routes = listRoutes();
  expect(HOSTILE_HEADERS.length).toBeGreaterThanOrEqual(60);
  expect(new Set(HOSTILE_HEADERS.map(({ name }) => name)).size).toBe(HOSTILE_HEADERS.length);
  const planned = HOSTILE_HEADERS.flatMap((attack) =>
    routes
      .filter((route) => attack.concerns?.(route) ?? true)
      .map((route) => ({ attack, route, sample: sampleRequest(route) })),
  );
  const through: unknown[] = [];
  const tried = await inParallel(planned, async ({ attack, route, sample }) => {
    const token = route.access === "agent" ? AGENT_TOKEN : PERSON_TOKEN;
    const body = sample.body ? JSON.stringify(sample.body) : "";
    const right: HeaderLines = [
      ["Host", "127.0.0.1:PORT"],
      ["Authorization", "Bearer TOKEN"],
      ["Connection", "close"],
      ...(sample.body
        ? ([
            ["Content-Type", "application/json"],
            ["Content-Length", String(Buffer.byteLength(body))],
          ] as const)
        : []),
    ];
    const request = toRequest(served.port, { ...sample, token }, right, attack);
    const status = await send(served.port, request + body);
    const isRefused = status === 0 || (status >= 400 && status < 500);
    if (!isRefused) through.push([attack.name, routeKey(route), status]);
  });
  expect(through).toEqual([]);
  expect(served.gateway.callers).toEqual([]);
  expect(tried).toBe(planned.length);
  await annotate(
    `${HOSTILE_HEADERS.length} header combinations × ${routes.length} routes: ${tried} requests`,
    "cases",
  );
});

interface Principal {
  readonly name: string;
  /** Absent: it sends none, or is a device and sends proofs as well. */
  readonly token?: string;
  /** The gateway's caller for it; absent when it does not know the credential. */
  readonly caller?: Pick<Caller, "principal" | "role" | "scope">;
  /** It was admitted once, and no longer is. */
  readonly removed?: true;
}

/** The credentials that are revoked are its own, so the device comes last. */
const PRINCIPALS: readonly Principal[] = [
  { name: "nobody" },
  { name: "a wrong token", token: "w".repeat(43) },
  { name: "a revoked device", token: "r".repeat(43) },
  { name: "an agent", token: "3".repeat(43), caller: { principal: "agent" } },
  {
    name: "the configured program",
    token: PERSON_TOKEN,
    caller: { principal: "person", scope: "respond" },
  },
  {
    name: "a program that reads",
    token: "1".repeat(43),
    caller: { principal: "person", scope: "read" },
  },
  {
    name: "a program that responds",
    token: "2".repeat(43),
    caller: { principal: "person", scope: "respond" },
  },
  { name: "a device", caller: { principal: "person" } },
  ...ROLES.map((role, index) => ({
    name: `a program of a ${role}`,
    token: String(index).repeat(42) + "r",
    caller: { principal: "person", scope: "respond", role } as const,
  })),
  { name: "a program of somebody who was removed", token: "x".repeat(43), removed: true },
];

const ISSUER = "https://login.example.org";
/** Admits one person for each role, named after the role. */
const PEOPLE = {
  issuers: [
    { issuer: ISSUER, clientId: "1", admit: ROLES.map((role) => ({ subject: role, role })) },
  ],
  key: new Uint8Array(32),
};

/** The status required by the table of operations: 401, 403, or something else. */
function expectedRefusal(
  { caller }: Principal,
  { access, method, role }: Pick<Route, "access" | "method" | "role">,
): number | undefined {
  if (access === "anyone") return undefined;
  if (!caller) return 401;
  return refusalOfAccess(caller, { access, method, role }) === undefined ? undefined : 403;
}

async function serveToAll() {
  const served = await serve({ people: PEOPLE });
  served.gateway.addSession("ses_1");
  for (const { name, token, caller, removed } of PRINCIPALS) {
    if (token === undefined || token === PERSON_TOKEN || (!caller && !removed)) continue;
    const { scope, role } = caller ?? { scope: "respond" as const };
    const subject = removed ? "removed" : role;
    const confirmedAtMs = served.clock.now();
    await served.credentials.add({
      tokenId: `tok of ${name}`,
      tokenHash: hashSecret(token),
      person: "Ada",
      label: name,
      createdAtMs: Date.UTC(2026, 0, 1),
      ...(scope
        ? { kind: "program", scope, expiresAtMs: Date.UTC(2099, 0, 1) }
        : { kind: "agent", sessionId: "ses_1" }),
      ...(subject !== undefined && {
        personId: `per_${subject}`,
        signIn: { issuer: ISSUER, subject, groups: [], confirmedAtMs },
      }),
    });
  }
  return { served, device: await signIn(served) };
}

test("every route admits the callers that its entry names, and no one else", async ({
  annotate,
}) => {
  const routes = listRoutes();
  let tried = 0;
  for (const route of routes) {
    const { served, device } = await serveToAll();
    await using _ = served;
    const { path, method, body } = sampleRequest(route);
    for (const principal of PRINCIPALS) {
      const isDevice = principal.token === undefined && principal.caller !== undefined;
      const answer = isDevice
        ? await device.call(path, { method, body })
        : await served.call(path, { method, body, token: principal.token ?? null });
      await answer.body?.cancel();
      const { status } = answer;
      // A route for everyone may refuse the request's content.
      const isRefusal = route.access !== "anyone" && (status === 401 || status === 403);
      const expected = expectedRefusal(principal, route);
      const what = [routeKey(route), principal.name];
      expect([...what, isRefusal ? status : undefined]).toEqual([...what, expected]);
      tried += 1;
    }
  }
  expect(tried).toBe(routes.length * PRINCIPALS.length);
  await annotate(`${PRINCIPALS.length} principals × ${routes.length} routes`, "cases");
});

/** A text frame as a client sends it, masked with zeros. */
function maskedFrame(object: object): Buffer {
  const payload = Buffer.from(JSON.stringify(object));
  const head = Buffer.from([
    0x81,
    0x80 | 126,
    payload.length >> 8,
    payload.length & 0xff,
    0,
    0,
    0,
    0,
  ]);
  return Buffer.concat([head, payload]);
}

test("no command of a WebSocket does anything after a handshake with a hostile header", async ({
  annotate,
}) => {
  await using served = await serve();
  served.gateway.addSession("ses_1");
  const ids = { sessionId: "ses_1", interactionId: "int_1", toolCallId: "call_1" };
  const commands = [
    ...OPERATION_NAMES.map((method) => ({
      type: "request",
      requestId: "1",
      method,
      params: { ...ids, body: {} },
    })),
    ...Object.keys(FRAME_OPERATIONS).map((type) => ({ type, requestId: "1", ...ids })),
    { type: "subscribe", sessionId: "ses_1" },
    { type: "subscribe_overview" },
  ];
  const route = { access: "person", path: "/api/ws" } as const;
  // A WebSocket shows its token in its first frame, and has no body.
  const attacks = HOSTILE_HEADERS.filter(
    ({ name, concerns }) =>
      (concerns?.({ ...route }) ?? true) &&
      !/Authorization|token|length|chunk|encoding/i.test(name),
  );
  const planned = attacks.flatMap((attack) => commands.map((command) => ({ attack, command })));
  const right: HeaderLines = [
    ["Host", "127.0.0.1:PORT"],
    ["Upgrade", "websocket"],
    ["Connection", "Upgrade"],
    ["Sec-WebSocket-Version", "13"],
    ["Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="],
  ];
  const hello = maskedFrame({ type: "hello", token: PERSON_TOKEN, clientId: "attacker" });
  const target = { method: "GET", path: "/api/ws", token: PERSON_TOKEN };
  const through: unknown[] = [];
  const tried = await inParallel(planned, async ({ attack, command }) => {
    const head = toRequest(served.port, target, right, attack);
    const bytes = Buffer.concat([Buffer.from(head), hello, maskedFrame(command)]);
    const status = await send(served.port, bytes);
    if (status === 101 || status >= 500) through.push([attack.name, command.type, status]);
  });
  expect(through).toEqual([]);
  expect(served.gateway.callers).toEqual([]);
  expect(tried).toBe(planned.length);
  await annotate(
    `${attacks.length} header combinations × ${commands.length} socket commands: ${tried} handshakes`,
    "cases",
  );
});
