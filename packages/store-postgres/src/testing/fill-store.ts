import type { CredentialStore, Store, StoredMessage } from "@holdpoint/engine";
import { expectChained } from "@holdpoint/engine/testing";
import type { CallbackStore, NotificationStore } from "@holdpoint/notify";

import { numberedBatch } from "./append-numbered.ts";

type FullStore = Store & {
  readonly credentials: CredentialStore;
  readonly notifications: NotificationStore;
  readonly callbacks: CallbackStore;
};

const AT = "2025-01-01T00:00:00.000Z";
/** Text that may cause problems in a database. */
const HOSTILE = "nul \0 \u0001, a lone \ud800, 🙂, \\u0000 and 'quotes\"";

/** Writes data of every kind. */
export async function fillStore(store: FullStore, prefix = ""): Promise<void> {
  const sessionId = `${prefix}ses_${HOSTILE}`;
  const id = (name: string): string => `${prefix}${name}`;
  const by = { person: "Ada", client: "laptop", at: AT };
  const batch = numberedBatch(sessionId, HOSTILE);
  await store.append({ ...batch, session: { ...batch.session, seenBy: ["Ada"] } });
  const asked = {
    interactionId: id("int_1"),
    sessionId,
    turnId: "trn_1",
    toolCallId: HOSTILE,
    toolName: "ask_user",
    kind: "question",
    status: "pending",
    prompt: HOSTILE,
    attempt: 1,
    presentation: "tool",
    startedAt: AT,
    onTimeout: "wait",
    hold: "held",
  } as const;
  const row = { interaction: asked, named: [["Ada"]] };
  const event = {
    at: AT,
    type: "interaction_request",
    turnId: "trn_1",
    interaction: asked,
  } as const;
  await store.append({
    sessionId,
    events: [event],
    interactions: [{ row, expectedStatus: undefined }],
  });
  await store.putSnooze({ person: HOSTILE, interactionId: asked.interactionId, untilMs: 9e12 }, 0);
  const response = { action: "submit" } as const;
  const answered = { ...asked, status: "answered", hold: "parked", response, by } as const;
  await store.append({
    sessionId,
    interactions: [
      {
        row: { ...row, interaction: answered, secretValues: { pin: "1234" } },
        expectedStatus: "pending",
      },
    ],
  });
  const attachment = {
    attachmentId: id("att_1"),
    name: "a.txt",
    mediaType: "text/plain",
    bytes: 3,
  } as const;
  const room = { sessionBytes: 1e6, perSession: 9, gatewayBytes: 1e6, forgetBeforeMs: 0 };
  await store.attachments.put({ ...attachment, sessionId, data: "AAH/", uploadedAtMs: 5 }, room);
  const message: StoredMessage = {
    sessionId,
    messageId: id("msg_1"),
    turnId: "trn_1",
    content: HOSTILE,
    origin: "person",
    queuedAt: AT,
    idempotencyKey: HOSTILE,
    attachments: [attachment],
  };
  const grant = {
    grantId: id("gnt_1"),
    scope: "always",
    toolName: "Bash",
    text: HOSTILE,
    usesLeft: 3,
    createdAt: AT,
    by,
    interactionId: asked.interactionId,
  } as const;
  await store.append({
    sessionId,
    enqueue: [message],
    grants: [{ type: "add", row: { grant, keyHash: "key", sessionId } }],
  });
  const facts = { person: "Ada", label: HOSTILE, createdAtMs: 5 };
  const token = {
    tokenId: id("tok_1"),
    tokenHash: id("hash"),
    kind: "device",
    seal: "sealed",
  } as const;
  await store.credentials.add({ ...token, ...facts });
  const endpoint = {
    endpoint: "https://push.example/1",
    p256dh: "B",
    auth: "a",
    about: "all",
  } as const;
  await store.notifications.putSubscription({
    deviceId: id("tok_1"),
    person: "Ada",
    ...endpoint,
    createdAtMs: 5,
  });
  const times = { tries: 1, createdAtMs: 5, changedAtMs: 6 };
  const delivery = {
    deliveryId: id("dlv_1"),
    targetId: "tok_1",
    state: "sent",
    mayBeShown: true,
  } as const;
  await store.notifications.putDeliveries([{ ...delivery, ...times }]);
  const url = "https://ci.example/done";
  await store.callbacks.put({ interactionId: id("int_1"), url, state: "sending", ...times });
}

/** Everything that `fillStore` has written, as it is read. */
export async function observe(store: FullStore): Promise<unknown> {
  const { items: sessions } = await store.listSessions({ limit: 9 });
  const { items: answered } = await store.listAnswered({ words: ["quotes"], maxRows: 9, limit: 9 });
  return {
    sessions,
    events: await Promise.all(
      sessions.map(({ sessionId }) => store.readEvents(sessionId, { after: 0, limit: 99 })),
    ),
    chains: await Promise.all(
      sessions.map(async ({ sessionId }) => {
        await expectChained(store, sessionId);
        return store.readChain(sessionId, { after: 0, limit: 99 });
      }),
    ),
    seen: await store.listSessions({
      archived: false,
      limit: 9,
      sight: { keys: ["Ada"], names: [] },
    }),
    unseen: await store.listSessions({
      archived: false,
      limit: 9,
      sight: { keys: ["Bob"], names: [] },
    }),
    named: await store.listInteractions({ statuses: ["answered"], onlyNamed: true, limit: 9 }),
    resuming: await Promise.all(sessions.map(({ sessionId }) => store.listResuming(sessionId))),
    queues: await Promise.all(sessions.map(({ sessionId }) => store.listQueue(sessionId))),
    files: await Promise.all(
      sessions.map(({ sessionId }) => store.attachments.get(sessionId, "att_1")),
    ),
    // SQLite itself cannot return a lone surrogate in a title.
    answered: answered.map(({ stored }) => stored),
    snoozes: await store.listSnoozes(HOSTILE),
    grants: await store.listGrants({ nowMs: 0, limit: 9 }),
    credentials: await store.credentials.list(),
    subscriptions: await store.notifications.listSubscriptions(),
    deliveries: await store.notifications.listDeliveries(),
    callbacks: await store.callbacks.listOpen(),
  };
}
