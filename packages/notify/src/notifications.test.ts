import { getCACertificates, setDefaultCACertificates } from "node:tls";

import {
  createMemoryCredentialStore,
  createMemoryStore,
  createSystemClock,
  type GatewayOptions,
  type Holder,
  openGateway,
} from "@holdpoint/engine";
import { createScriptedAdapter, createSequentialIds } from "@holdpoint/engine/testing";
import type { Caller } from "@holdpoint/protocol";
import { createCertificate } from "@holdpoint/server/testing";
import { expect, onTestFinished, test, vi } from "vitest";

import { createMemoryNotificationStore } from "./memory-notification-store.ts";
import { Notifications, type NotificationsOptions } from "./notifications.ts";
import type { NotificationStore } from "./ports/notification-store.ts";
import { type PushService, startPushService } from "./testing/push-service.ts";
import { createVapidKey } from "./web-push/vapid-key.ts";

const CERTIFICATE = createCertificate({ hosts: ["127.0.0.1", "localhost"] });
setDefaultCACertificates([...getCACertificates("default"), CERTIFICATE.cert]);

const ada: Caller = { principal: "person", person: "Ada", client: "laptop" };
const until = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { interval: 10 });

/** A gateway whose agent asks for an approval in each turn, with notifications over a real push service. */
async function openNotified(
  changes: Partial<NotificationsOptions> = {},
  house: Partial<GatewayOptions> = {},
) {
  const service: PushService = await startPushService(CERTIFICATE);
  const clock = createSystemClock();
  const ids = createSequentialIds();
  const subscriptions = changes.store ?? createMemoryNotificationStore();
  const errors: unknown[] = [];
  const options: NotificationsOptions = {
    store: subscriptions,
    clock,
    ids,
    key: createVapidKey({ contact: "mailto:ada@example.org" }),
    pushServices: [service.host],
    onError: (error) => errors.push(error),
    ...changes,
  };
  const notifications = await Notifications.open(options);
  const adapter = createScriptedAdapter(async (message, context) => {
    const result = await context.hold(
      {
        kind: "approval",
        toolCallId: message.messageId,
        toolName: "Bash",
        input: { command: `${message.content} && echo "the rest"`, timeout: 4711 },
        display: {},
        scopes: ["once"],
        scopeText: {},
        editable: false,
      },
      { signal: context.signal },
    );
    if (result.outcome === "answered") await result.delivered();
    return { reason: context.signal.aborted ? "stopped" : "done" };
  });
  const gateway = await openGateway({
    store: createMemoryStore(),
    credentials: createMemoryCredentialStore(),
    clock,
    ids,
    agents: new Map([["scripted", adapter]]),
    defaultCwd: "/home/ada/orders-api",
    notifications,
    ...house,
  });
  await notifications.start(gateway, "http://127.0.0.1:4870");
  onTestFinished(async () => {
    await notifications[Symbol.asyncDispose]();
    await gateway[Symbol.asyncDispose]();
    await service[Symbol.asyncDispose]();
  });
  const device = async (label: string, holder: Partial<Holder> = {}): Promise<Caller> => {
    const wanted = { kind: "device", person: "Ada", label, ...holder } as const;
    const { credential } = await gateway.credentials.issue(wanted);
    return { ...ada, ...holder, client: label, clientId: label, tokenId: credential.tokenId };
  };
  return {
    gateway,
    service,
    notifications,
    subscriptions,
    errors,
    device,
    /** The notifications of the next gateway. */
    restarted: (store: NotificationStore) => Notifications.open({ ...options, store }),
    subscribed: async (
      label: string,
      settings: object = {},
      holder: Partial<Holder> = {},
    ): Promise<Caller> => {
      const caller = await device(label, holder);
      const subscription = { ...service.subscribe(label), about: "all" as const, ...settings };
      await gateway.subscribeNotifications(caller, subscription);
      return caller;
    },
    ask: async (content = "npm run build"): Promise<string> => {
      const { sessionId } = await gateway.createSession(ada, { agent: "scripted" });
      await gateway.sendMessage(ada, sessionId, { content });
      return until(async () => {
        const query = { sessionId, status: ["pending" as const], limit: 1 };
        const [asked] = (await gateway.listInteractions(ada, query)).items;
        expect(asked).toBeDefined();
        return asked!.interactionId;
      });
    },
    deny: (id: string) => gateway.respond(ada, id, { action: "deny" }),
    toldTo: (label: string) =>
      service.received
        .filter(({ to }) => to === label)
        .map(({ message: { step, tag } }) => `${step} ${tag}`),
  };
}

test("a device gets the question, the asker and the place, and nothing else; the answer withdraws it within two seconds", async () => {
  const { gateway, service, subscribed, ask, deny, toldTo, errors } = await openNotified();
  const phone = await subscribed("phone");
  await subscribed("desk", { about: "approvals" });
  await subscribed("quiet", { about: "off" });
  const id = await ask("DB_PASSWORD=hunter2 npm run build");
  await until(() => expect(service.received).toHaveLength(2));
  const [push] = service.received;
  expect(push!.message).toMatchObject({
    step: "tell",
    tag: id,
    body: "Scripted agent in orders-api",
    path: `/i/${id}`,
  });
  expect(push!.message.title).toBe('Run DB_PASSWORD=••• npm run build && echo "the rest"?');
  expect(push!.text).not.toMatch(/hunter2|4711|\/home/u);
  // The part that the push service sees.
  expect(push!.bytes.toString("latin1")).not.toMatch(/orders|build|int_/u);
  expect(push!.bytes).toHaveLength(2048 + 1 + 16 + 86);
  expect(push!.headers).toMatchObject({ "content-encoding": "aes128gcm", urgency: "high" });
  expect(push!.headers["topic"]).toMatch(/^[\w-]{32}$/u);
  expect(push!.headers["topic"]).not.toContain(id);

  // A comment notifies no one, a reminder everyone once more.
  await gateway.addComment(ada, id, { text: "Which one?" });
  await until(async () => {
    const { devices } = await gateway.getNotifications(phone);
    expect(devices.filter(({ lastSentAt }) => lastSentAt !== undefined)).toHaveLength(2);
  });
  for (let twice = 0; twice < 2; twice += 1) await gateway.remind(ada, id);
  await until(() => expect(service.received).toHaveLength(4));

  await deny(id);
  await until(() => expect(service.received).toHaveLength(6));
  for (const told of ["phone", "desk"]) {
    expect(toldTo(told)).toEqual([`tell ${id}`, `repeat ${id}`, `close ${id}`]);
  }
  expect(toldTo("quiet")).toEqual([]);
  expect(errors).toEqual([]);
});

test("a push service cannot tell a request from a withdrawal, or recognise a message by its topic", async () => {
  const { service, subscribed, gateway, ask, deny } = await openNotified();
  const callers = [await subscribed("phone"), await subscribed("desk")];
  for (const caller of callers) await gateway.testNotifications(caller);
  const id = await ask();
  await until(() => expect(service.received).toHaveLength(4));
  await deny(id);
  await until(() => expect(service.received).toHaveLength(6));
  const seen = service.received.map(({ headers, bytes }) => {
    const { topic: _, authorization: __, ...rest } = headers;
    return { ...rest, bytes: bytes.length };
  });
  for (const each of seen) expect(each).toEqual(seen[0]);
  const topics = service.received.slice(0, 2).map(({ headers }) => headers["topic"]);
  expect(new Set(topics).size).toBe(2);
});

test("a browser that signs in as another device has one subscription, the new device's", async () => {
  const { gateway, device, service, subscribed, ask, toldTo } = await openNotified();
  await subscribed("phone");
  const again = await device("phone again");
  await gateway.subscribeNotifications(again, { ...service.subscribe("phone"), about: "all" });
  const { devices } = await gateway.getNotifications(again);
  expect(devices).toMatchObject([{ deviceId: again.tokenId, current: true }]);
  const id = await ask();
  await until(() => expect(service.received).toHaveLength(1));
  expect(toldTo("phone")).toEqual([`tell ${id}`]);
});

test("a gateway that ends while a message is being sent does not blame the push service", async () => {
  const { notifications, service, subscribed, subscriptions, ask } = await openNotified();
  await subscribed("phone");
  const arrived = Promise.withResolvers<void>();
  service.answer = async () => {
    arrived.resolve();
    return new Promise(() => undefined);
  };
  await ask();
  await arrived.promise;
  await notifications[Symbol.asyncDispose]();
  const [known] = await subscriptions.listSubscriptions();
  expect(known).not.toHaveProperty("trouble");
  expect(await subscriptions.listDeliveries()).toMatchObject([
    { state: "queued", mayBeShown: true, next: { step: "tell" } },
  ]);
});

test("a gateway with many pending interactions notifies a device six times when it starts again", async ({
  annotate,
}) => {
  const { service, notifications, subscriptions, subscribed, ask, gateway, restarted } =
    await openNotified();
  await subscribed("phone");
  service.answer = () => ({ status: 503 });
  const count = 200;
  for (let asked = 0; asked < count; asked += 50) {
    await Promise.all(Array.from({ length: 50 }, () => ask()));
  }
  await notifications[Symbol.asyncDispose]();
  service.answer = () => ({ status: 201 });
  await using again = await restarted(subscriptions);
  await again.start(gateway, "http://127.0.0.1:4870");
  await until(() => expect(service.received).toHaveLength(6));
  const more = service.received.find(({ message }) => message.tag === "more");
  expect(more?.message.title).toBe(`${count - 5} more are waiting for you`);
  await annotate(`${count} pending interactions at a start`, "cases");
});

test("a device in use gets nothing, and the others are notified", async () => {
  const { gateway, service, subscribed, ask, toldTo } = await openNotified();
  const desk = await subscribed("desk");
  await subscribed("phone");
  const looks = new AbortController();
  gateway.announceLooking(desk, { signal: looks.signal });
  const first = await ask();
  await until(() => expect(service.received).toHaveLength(1));
  looks.abort();
  const second = await ask();
  await until(() => expect(service.received).toHaveLength(3));
  expect(toldTo("phone")).toEqual([`tell ${first}`, `tell ${second}`]);
  expect(toldTo("desk")).toEqual([`tell ${second}`]);
});

test.each([404, 410])("%i ends the subscription, and a test message reports it", async (status) => {
  const { gateway, service, subscribed, subscriptions, ask } = await openNotified();
  const phone = await subscribed("phone");
  service.answer = () => ({ status });
  expect(await gateway.testNotifications(phone)).toEqual({ result: "gone" });
  expect(await subscriptions.listSubscriptions()).toEqual([]);
  await expect(gateway.testNotifications(phone)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await subscribed("other");
  await ask();
  await until(async () => expect(await subscriptions.listSubscriptions()).toEqual([]));
  expect(await subscriptions.listDeliveries()).toEqual([]);
});

test.each([
  [429, "unreachable"],
  [503, "unreachable"],
  [400, "refused"],
  [413, "refused"],
  [302, "refused"],
])("%i is %s, which the page shows as a text until it works again", async (status, result) => {
  const { gateway, service, subscribed, notifications } = await openNotified();
  const phone = await subscribed("phone");
  expect(notifications.reachesSomebody({})).toBe(true);
  const elsewhere: string[] = [];
  service.answer = ({ to }) => {
    elsewhere.push(to);
    return { status, headers: { location: `https://${service.host}/push/other` } };
  };
  const said = await gateway.testNotifications(phone);
  expect(said).toMatchObject({ result, detail: expect.stringContaining(String(status)) });
  expect(elsewhere).toEqual(["phone"]);
  const { devices } = await gateway.getNotifications(phone);
  expect(devices).toMatchObject([{ current: true, trouble: said.detail }]);
  expect(notifications.reachesSomebody({})).toBe(false);
  await expect(gateway.testNotifications(phone)).rejects.toMatchObject({ code: "RATE_LIMITED" });
});

test("a subscription can name only a push service, and nothing is sent anywhere else", async ({
  annotate,
}) => {
  const { gateway, device, service, subscriptions } = await openNotified();
  const phone = await device("phone");
  const { keys } = service.subscribe("phone");
  const hosts = [
    "169.254.169.254",
    "localhost",
    "127.0.0.1",
    "[::1]",
    `localhost:${service.host.split(":")[1]}`,
    "user:password@fcm.googleapis.com",
    "fcm.googleapis.com:8443",
    "fcm.googleapis.com.evil.example",
  ];
  const endpoints = [
    ...hosts.map((host) => `https://${host}/1`),
    `http://${service.host}/push/phone`,
    "file:///etc/passwd",
  ];
  let tried = 0;
  for (const endpoint of endpoints) {
    const body = { endpoint, keys, about: "all" } as const;
    await expect(gateway.subscribeNotifications(phone, body)).rejects.toMatchObject({
      code: "INVALID_REQUEST",
    });
    tried += 1;
  }
  expect(await subscriptions.listSubscriptions()).toEqual([]);
  expect(tried).toBe(10);
  await annotate(`${tried} addresses of machines and of others`, "cases");
});

test("credentials of agents and programs cannot read or change notifications", async () => {
  const { gateway, subscribed } = await openNotified();
  const phone = await subscribed("phone");
  for (const caller of [
    { ...phone, principal: "agent" as const },
    { ...phone, scope: "respond" as const },
    { ...phone, scope: "read" as const },
  ]) {
    const calls = [
      gateway.getNotifications(caller),
      gateway.testNotifications(caller),
      gateway.removeNotifications(caller),
      gateway.updateNotifications(caller, { about: "off" }),
    ];
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: "FORBIDDEN" });
  }
});

test("each device changes only its own subscription, and no address is ever shown", async () => {
  const { gateway, service, subscribed, device } = await openNotified();
  const phone = await subscribed("phone");
  const desk = await subscribed("desk");
  const quiet = { from: "22:00", to: "07:00", timeZone: "Europe/Berlin" };
  await gateway.updateNotifications(desk, { quiet });
  await gateway.updateNotifications(desk, { about: "approvals" });
  const bad = { ...quiet, timeZone: "Mars/Base" };
  await expect(gateway.updateNotifications(desk, { quiet: bad })).rejects.toMatchObject({
    code: "INVALID_REQUEST",
  });
  const shown = await gateway.getNotifications(phone);
  expect(shown.devices).toMatchObject([
    { deviceId: phone.tokenId, current: true, about: "all" },
    { deviceId: desk.tokenId, current: false, about: "approvals", quiet },
  ]);
  expect(JSON.stringify(shown)).not.toContain(service.host);
  await gateway.updateNotifications(desk, { quiet: null });
  expect((await gateway.getNotifications(phone)).devices[1]).not.toHaveProperty("quiet");
  const stranger = { ...(await device("bob")), person: "Bob" };
  expect((await gateway.getNotifications(stranger)).devices).toEqual([]);
  await gateway.removeNotifications(desk);
  await expect(gateway.removeNotifications(desk)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect((await gateway.getNotifications(phone)).devices).toHaveLength(1);
});

test("a revoked device gets no more messages, and its subscription is removed", async () => {
  const { gateway, service, subscribed, subscriptions, ask, toldTo } = await openNotified();
  const phone = await subscribed("phone");
  await subscribed("desk");
  await gateway.revokeDevice(ada, phone.tokenId!);
  await ask();
  await until(() => expect(service.received).toHaveLength(1));
  expect(toldTo("phone")).toEqual([]);
  expect(await subscriptions.listSubscriptions()).toHaveLength(1);
});

test("a subscription whose device was signed out while no gateway ran is removed at startup", async () => {
  const store = createMemoryNotificationStore();
  const keys = { p256dh: "B".repeat(87), auth: "a".repeat(22) };
  const endpoint = "https://fcm.googleapis.com/1";
  const known = { deviceId: "tok_gone", person: "Ada", endpoint, ...keys, createdAtMs: 1 };
  await store.putSubscription({ ...known, about: "all" });
  await openNotified({ store });
  expect(await store.listSubscriptions()).toEqual([]);
});

test("[R-20] ten thousand subscriptions of one device count as one, and many devices have a bounded number", async ({
  annotate,
}) => {
  const { gateway, service, device, subscriptions } = await openNotified();
  const phone = await device("phone");
  let tried = 0;
  for (let index = 0; index < 10_000; index += 1) {
    const { keys } = service.subscribe("phone");
    const endpoint = `https://fcm.googleapis.com/fcm/send/${index}`;
    await gateway.subscribeNotifications(phone, { endpoint, keys, about: "all" });
    tried += 1;
  }
  expect(await subscriptions.listSubscriptions()).toHaveLength(1);
  const refused: unknown[] = [];
  for (let index = 0; index < 100; index += 1) {
    const caller = await device(`device ${index}`);
    const body = { ...service.subscribe(`device ${index}`), about: "all" } as const;
    await gateway
      .subscribeNotifications(caller, body)
      .catch((error: unknown) => refused.push(error));
  }
  expect(await subscriptions.listSubscriptions()).toHaveLength(64);
  expect(refused).toHaveLength(37);
  expect(tried).toBe(10_000);
  await annotate(`${tried} subscriptions of one device`, "cases");
});

test("a person with a working subscription counts as reachable", async () => {
  const { gateway, notifications, subscribed } = await openNotified();
  let changes = 0;
  notifications.onChange(() => (changes += 1));
  expect(notifications.reachesSomebody({})).toBe(false);
  const phone = await subscribed("phone");
  expect([notifications.reachesSomebody({}), changes]).toEqual([true, 1]);
  await gateway.updateNotifications(phone, { about: "off" });
  expect([notifications.reachesSomebody({}), changes]).toEqual([false, 2]);
});

test("a handover notifies the new people, and the person who did it again once it is returned", async () => {
  const issuer = "https://login.example";
  const people = { issuers: [issuer], groups: [], newSessionsFor: [] };
  const steps = [{ who: [{ group: "managers" }], afterMs: 3_600_000 }];
  const { gateway, ask, subscribed, toldTo } = await openNotified(undefined, {
    people: { ...people, roleOf: () => "responder" },
    responders: { default: { who: [{ group: "ops" }], steps } },
  });
  const of = (subject: string, ...groups: string[]): Partial<Holder> => ({
    person: subject,
    personId: `per_${subject}`,
    signIn: { issuer, subject, groups, confirmedAtMs: 0 },
  });
  const bob = await subscribed("bob", {}, of("bob", "ops"));
  const max = await subscribed("max", {}, of("max", "managers"));
  const id = await ask();
  await until(() => expect(toldTo("bob")).toEqual([`tell ${id}`]));
  await gateway.handOver({ ...bob, role: "responder" }, id, { to: { group: "managers" } });
  await until(() =>
    expect([toldTo("bob").at(-1), toldTo("max")]).toEqual([`close ${id}`, [`tell ${id}`]]),
  );
  await gateway.credentials.revoke(max.tokenId!);
  await until(() => expect(toldTo("bob")).toEqual([`tell ${id}`, `close ${id}`, `tell ${id}`]));
  expect(await gateway.getInteraction(ada, id)).toMatchObject({ status: "pending" });
});
