/*
 * A move between the data folder and Postgres that dies before any of its steps. In-process: disk and database are
 * left as after a kill, because nothing is undone.
 */
import { StoreError } from "@holdpoint/engine";
import { expect, test } from "vitest";

import { openStore } from "../packages/cli/src/compose/open-store.ts";
import { moveToPostgres, moveToSqlite } from "../packages/store-postgres/src/index.ts";
import { fillStore, observe } from "../packages/store-postgres/src/testing/fill-store.ts";
import {
  createDatabase,
  createTemporaryDir,
} from "../packages/store-postgres/src/testing/test-database.ts";

const events = { onProblem: () => undefined, onLost: () => undefined };

interface Place {
  readonly dataDir: string;
  readonly store?: string;
}

/** The data of a gateway started there; `undefined` when it refuses to start. */
async function startAt(place: Place): Promise<unknown> {
  const opening = openStore({ acceptLoss: false, ...place }, events);
  const opened = await opening.catch((error: unknown) => {
    if (!StoreError.isInstance(error) || error.code !== "STORE_FAILED") throw error;
  });
  if (!opened) return undefined;
  try {
    return await observe(withAll(opened));
  } finally {
    await opened[Symbol.asyncDispose]();
  }
}

async function fill(place: Place): Promise<unknown> {
  await using opened = await openStore({ acceptLoss: false, ...place }, events);
  await fillStore(withAll(opened));
  return await observe(withAll(opened));
}

type Opened = Awaited<ReturnType<typeof openStore>>;

function withAll({ store, credentials, notifications, callbacks }: Opened) {
  return new Proxy(store, {
    get(target, name) {
      const others = { credentials, notifications, callbacks };
      if (name in others) return others[name as keyof typeof others];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  }) as Parameters<typeof fillStore>[0];
}

/** Throws before this step. */
function dieBefore(step: string): (current: string) => void {
  return (current) => {
    if (current === step) throw new Error("killed");
  };
}

/**
 * The possible states after a death: one of both places has everything and the other is refused, or both are refused.
 */
async function expectOneHistory(dataDir: string, store: string, all: unknown): Promise<void> {
  const found = [await startAt({ dataDir }), await startAt({ dataDir, store })];
  const started = found.filter((one) => one !== undefined);
  expect(started.length).toBeLessThanOrEqual(1);
  for (const one of started) expect(one).toEqual(all);
}

const STEPS_THERE = ["copy", "note the database", "close the folder"];

test.each(STEPS_THERE)(
  "[R-2] a move into Postgres that dies before its step “%s” leaves one history, and ends when it is run again",
  async (step) => {
    const dataDir = createTemporaryDir();
    const url = await createDatabase();
    const all = await fill({ dataDir });
    const dying = moveToPostgres({ dataDir, url, onStep: dieBefore(step) });
    await expect(dying).rejects.toMatchObject({ code: "STORE_FAILED" });
    await expectOneHistory(dataDir, url, all);
    const steps: string[] = [];
    await moveToPostgres({ dataDir, url, onStep: (one) => steps.push(one) });
    expect(steps).toEqual(STEPS_THERE);
    expect(await startAt({ dataDir, store: url })).toEqual(all);
    expect(await startAt({ dataDir })).toBeUndefined();
  },
);

const STEPS_BACK = [
  "copy",
  "close the database",
  "set the old store aside",
  "put history.marker in its place",
  "put holdpoint.db in its place",
  "open the folder",
  "clean up",
];

test.each(STEPS_BACK)(
  "[R-2] a move into the gateway's folder that dies before its step “%s” leaves one history, and ends when it is run again",
  async (step) => {
    const dataDir = createTemporaryDir();
    const url = await createDatabase();
    const all = await fill({ dataDir, store: url });
    const steps: string[] = [];
    const onStep = (one: string) => {
      steps.push(one);
      dieBefore(step)(one);
    };
    await expect(moveToSqlite({ dataDir, url, onStep })).rejects.toMatchObject({
      code: "STORE_FAILED",
    });
    expect(steps).toEqual(STEPS_BACK.slice(0, steps.length));
    await expectOneHistory(dataDir, url, all);
    const isOver = step === STEPS_BACK.at(-1);
    expect((await startAt({ dataDir })) !== undefined).toBe(isOver);
    if (!isOver) await moveToSqlite({ dataDir, url });
    expect(await startAt({ dataDir })).toEqual(all);
    expect(await startAt({ dataDir, store: url })).toBeUndefined();
  },
);

test.each(["copy", "set the old store aside", "open the folder"])(
  "[R-2] a move into a new folder that dies before its step “%s” leaves one history, and ends when it is run again",
  async (step) => {
    const old = createTemporaryDir();
    const dataDir = createTemporaryDir();
    const url = await createDatabase();
    const all = await fill({ dataDir: old, store: url });
    const dying = moveToSqlite({ dataDir, url, onStep: dieBefore(step) });
    await expect(dying).rejects.toMatchObject({ code: "STORE_FAILED" });
    expect([undefined, all]).toContainEqual(await startAt({ dataDir: old, store: url }));
    expect(await startAt({ dataDir })).toBeUndefined();
    await moveToSqlite({ dataDir, url });
    // The keys of sensitive values stay in the gateway's first folder.
    const [answered, named] = [expect.any(Array), expect.any(Object)];
    const without = { ...(all as object), answered, named, resuming: [answered] };
    expect(await startAt({ dataDir })).toEqual(without);
    expect(await startAt({ dataDir: old, store: url })).toBeUndefined();
  },
);
