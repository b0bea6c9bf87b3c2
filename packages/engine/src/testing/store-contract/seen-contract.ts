import { maySee, namedIn, seenByOf, type Seen, type Sight, sightOf } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import type { Store } from "../../ports/store.ts";
import { createSeededRandom } from "../seeded-random.ts";
import { creation, grantRow, instant, interactionRow, interactionWrite } from "./store-fixtures.ts";
import type { Open } from "./store-suite.ts";

const ISSUER = "https://login.example";
/** Group names that a store might not compare exactly. */
const GROUPS = ["ops", "Ops", "ops\0", "o'p\"s\\%", "\ud800", "%", "a b"];
const PEOPLE = ["ada", "bob"];

const SIGHTS: readonly Sight[] = PEOPLE.flatMap((name, index) =>
  GROUPS.map((group, at) => {
    const groups = at === index ? [] : [group];
    const signIn = { issuer: ISSUER, subject: name, groups };
    return sightOf({
      role: at % 3 === 2 ? "viewer" : "responder",
      personId: `per_${name}`,
      signIn,
    });
  }),
).filter((sight) => sight !== undefined);

interface Row extends Seen {
  readonly id: string;
}

/** Sessions of all kinds, each with pending and answered interactions and a grant. */
async function fill(open: Open): Promise<{ store: Store; sessions: Row[]; asked: Row[] }> {
  const random = createSeededRandom(7);
  const store = await open();
  const sessions: Row[] = [];
  const asked: Row[] = [];
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  for (let index = 0; index < 24; index += 1) {
    const sessionId = `ses_${index}`;
    const givenTo = [{ group: pick(GROUPS), issuer: pick([ISSUER, "https://other.example"]) }];
    const belongsTo = { personId: `per_${pick([...PEOPLE, "eve"])}`, person: "Somebody" };
    const shared = index % 4 === 0 ? {} : { belongsTo, ...(index % 2 === 0 && { givenTo }) };
    const seenBy = seenByOf(shared);
    const session = { title: "t", updatedAt: instant(index), ...(seenBy && { ...shared, seenBy }) };
    await store.append(creation(sessionId, session));
    sessions.push({ id: sessionId, seenBy });
    for (const status of ["pending", "answered"] as const) {
      const id = `int_${index}_${status}`;
      const who = { who: [{ group: pick(GROUPS), issuer: ISSUER }] };
      const circles = pick([[], [who], [who, { who: [{ person: pick(PEOPLE), issuer: ISSUER }] }]]);
      const named = index % 3 === 0 ? undefined : namedIn({ circles });
      const by = { person: `Person ${index}`, client: "phone", at: instant(index) };
      const answer = { response: { action: "submit", reply: "yes" }, by } as const;
      const changes = { startedAt: instant(index), ...(status === "answered" && answer) };
      const row = { ...interactionRow(sessionId, id, changes), ...(named && { named }) };
      const pending = { ...row, interaction: { ...row.interaction, status: "pending" } } as const;
      await store.append(interactionWrite(pending, undefined));
      if (status === "answered") {
        const answered = { ...row, interaction: { ...row.interaction, status } };
        await store.append(interactionWrite(answered, "pending"));
      }
      asked.push({ id, seenBy, named });
    }
    const held = grantRow(sessionId, `gra_${index}`, { createdAt: instant(index), sessionId });
    await store.append({ sessionId, grants: [{ type: "add", row: held }] });
  }
  return { store, sessions, asked };
}

async function walk<TItem>(
  read: (page: { limit: number; cursor?: string }) => Promise<{
    items: readonly TItem[];
    nextCursor?: string;
  }>,
  idOf: (item: TItem) => string,
): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await read({ limit: 3, ...(cursor !== undefined && { cursor }) });
    found.push(...page.items.map(idOf));
    cursor = page.nextCursor;
    if (cursor === undefined) return found.toSorted();
    // Only the last page may be short.
    expect(page.items).toHaveLength(3);
  }
}

/** The visibility of rows in every list. */
export function describeSeen(open: Open): void {
  test("[R-15] each list has exactly the rows that `maySee` allows, in whole pages", async () => {
    const { store, sessions, asked } = await fill(open);
    await using _ = store;
    const seenIn = (rows: readonly Row[], sight: Sight | undefined): string[] =>
      rows
        .filter((row) => maySee(row, sight))
        .map(({ id }) => id)
        .toSorted();
    for (const sight of [undefined, ...SIGHTS]) {
      const listed = await walk(
        (page) => store.listSessions({ archived: false, sight, ...page }),
        ({ sessionId }) => sessionId,
      );
      expect(listed).toEqual(seenIn(sessions, sight));
      for (const status of ["pending", "answered"] as const) {
        const ofStatus = asked.filter(({ id }) => id.endsWith(status));
        const found = await walk(
          (page) => store.listInteractions({ statuses: [status], sight, ...page }),
          ({ interaction }) => interaction.interactionId,
        );
        expect(found).toEqual(seenIn(ofStatus, sight));
        const [first] = ofStatus.filter((row) => !maySee(row, sight));
        if (!first) continue;
        const sessionId = first.id.replace(/^int_(\d+)_.*/, "ses_$1");
        const inIt = { statuses: [status], sessionId, sight, limit: 3 };
        expect(await store.listInteractions(inIt)).toEqual({ items: [] });
      }
      const ofSeen = new Set(seenIn(sessions, sight));
      const answered = await walk(
        (page) => store.listAnswered({ words: [], maxRows: 1000, sight, ...page }),
        ({ stored }) => stored.interaction.sessionId,
      );
      expect(answered).toEqual([...ofSeen].toSorted());
      const names = await store.listAnsweredNames(1000, sight);
      expect(names.people.toSorted()).toEqual(
        [...ofSeen].map((id) => id.replace("ses_", "Person ")).toSorted(),
      );
      const grants = await walk(
        (page) => store.listGrants({ nowMs: 0, sight, ...page }),
        ({ grant }) => grant.sessionId ?? "",
      );
      expect(grants).toEqual([...ofSeen].toSorted());
    }
  });

  test("[R-15] a page of answers looks at a bounded number of rows, however many are hidden", async () => {
    const { store } = await fill(open);
    await using _ = store;
    const sight = { keys: [], names: [] };
    const page = await store.listAnswered({ words: [], maxRows: 5, sight, limit: 10 });
    // Of the newest five, those of sessions visible to everyone.
    expect(page.items.map(({ stored }) => stored.interaction.sessionId)).toEqual(["ses_20"]);
    expect(page.nextCursor).toBeDefined();
  });

  test("counts have the viewers of each limited session, and sessions that name people are listed", async () => {
    const { store, sessions, asked } = await fill(open);
    await using _ = store;
    const { seenBy } = await store.countAnswerable();
    const owned = sessions.filter((row) => row.seenBy);
    expect(new Map(seenBy)).toEqual(new Map(owned.map((row) => [row.id, row.seenBy])));
    const found = await walk(
      (page) => store.listInteractions({ statuses: ["pending"], onlyNamed: true, ...page }),
      ({ interaction }) => interaction.interactionId,
    );
    const named = asked.filter((row) => row.named && row.id.endsWith("pending"));
    expect(found).toEqual(named.map(({ id }) => id).toSorted());
  });

  test("[R-15] a session with new viewers, or created after a deletion, is only in its current viewers' lists", async () => {
    const { store, sessions } = await fill(open);
    await using _ = store;
    const whoSees = async (id: string): Promise<readonly boolean[]> => {
      const sights = ["a", "b", "c"].map((key) => ({ keys: [key], names: [] }));
      return Promise.all(
        sights.map(async (sight) => {
          const { items } = await store.listSessions({ archived: false, sight, limit: 99 });
          const grants = await store.listGrants({ nowMs: 0, sight, limit: 99 });
          const isListed = items.some(({ sessionId }) => sessionId === id);
          expect(grants.items.some(({ grant }) => grant.sessionId === id)).toBe(isListed);
          return isListed;
        }),
      );
    };
    const { id } = sessions.at(-1)!;
    const change = async (seenBy: readonly string[] | undefined): Promise<readonly boolean[]> => {
      await store.append(creation(id, { updatedAt: instant(99), ...(seenBy && { seenBy }) }));
      return whoSees(id);
    };
    expect(await change(["a", "b", "a"])).toEqual([true, true, false]);
    expect(await change(["a", "b", "a"])).toEqual([true, true, false]);
    expect(await change(["a", "c"])).toEqual([true, false, true]);
    expect(await change(["c"])).toEqual([false, false, true]);
    // A session with an empty list of viewers is visible to no one, not to everyone.
    expect(await change([""])).toEqual([false, false, false]);
    expect(await change(undefined)).toEqual([true, true, true]);
    expect(await change(["a"])).toEqual([true, false, false]);
    await store.deleteSession(id);
    expect(await whoSees(id)).toEqual([false, false, false]);
    await store.append(creation("ses_new", { seenBy: ["b"] }));
    const held = grantRow("ses_new", "gra_new", { createdAt: instant(99), sessionId: "ses_new" });
    await store.append({ sessionId: "ses_new", grants: [{ type: "add", row: held }] });
    expect(await whoSees("ses_new")).toEqual([false, true, false]);
  });
}
