import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import type { Batch, StoredInteraction } from "@holdpoint/engine";
import { creation, interactionRow, interactionWrite } from "@holdpoint/engine/testing";
import { describe, expect, test } from "vitest";

import { openSqliteStore } from "./open-sqlite-store.ts";
import { createTemporaryDir } from "./testing/temporary-dir.ts";

const SESSION = "ses_1";
const SECRET = "s3cret-0123456789";

const pending = interactionRow(SESSION, "int_1");
const answered: StoredInteraction = {
  ...interactionRow(SESSION, "int_1", {
    status: "answered",
    response: { action: "submit", redacted: ["token"] },
  }),
  secretValues: { token: SECRET, pin: 42 },
};
const { secretValues: _values, ...delivered } = answered;

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

const textOf = (folder: string): string =>
  filesOf(folder)
    .map((file) => readFileSync(file, "latin1"))
    .join("\n");

const keysOf = (folder: string): string[] => filesOf(join(folder, "sealed-keys"));

async function openWith(dataDir: string, ...batches: readonly Batch[]) {
  const store = await openSqliteStore({ dataDir });
  for (const batch of batches) {
    expect(await store.append(batch)).toMatchObject({ status: "appended" });
  }
  return store;
}

const asked = [creation(SESSION), interactionWrite(pending, undefined)];
const responded = [...asked, interactionWrite(answered, "pending")];

describe("[R-19] sensitive values", () => {
  test("are in no file in plain text, and are readable in every way while they are needed", async () => {
    const dataDir = createTemporaryDir();
    await using store = await openWith(dataDir, ...responded);
    expect(textOf(dataDir)).not.toContain(SECRET);
    const [key = ""] = keysOf(dataDir);
    expect(statSync(key).mode & 0o077).toBe(0);
    expect(await store.getInteraction("int_1")).toEqual(answered);
    const { items } = await store.listInteractions({ statuses: ["answered"], limit: 1 });
    expect(items).toEqual([answered]);
    const { toolCallId } = answered.interaction;
    expect(await store.listToolCallInteractions(SESSION, toolCallId)).toEqual([answered]);
    expect(await store.append(interactionWrite(answered, "pending"))).toMatchObject({
      conflict: { current: answered },
    });
    expect(keysOf(dataDir)).toEqual([key]);
  });

  test("survive a restart, and their key is deleted with the delivery", async () => {
    const dataDir = createTemporaryDir();
    const first = await openWith(dataDir, ...responded);
    await first[Symbol.asyncDispose]();
    await using second = await openSqliteStore({ dataDir });
    expect(await second.getInteraction("int_1")).toEqual(answered);
    await second.append(interactionWrite(delivered, "answered"));
    expect(keysOf(dataDir)).toEqual([]);
    expect(await second.getInteraction("int_1")).toEqual(delivered);
  });

  test("get a new key when they are written again", async () => {
    const dataDir = createTemporaryDir();
    await using store = await openWith(dataDir, ...responded);
    const [first] = keysOf(dataDir);
    await store.append(interactionWrite(answered, "answered"));
    expect(keysOf(dataDir)).not.toEqual([first]);
    expect(keysOf(dataDir)).toHaveLength(1);
    expect(await store.getInteraction("int_1")).toEqual(answered);
  });

  test("share one key, or none, in several writes of one batch", async () => {
    const dataDir = createTemporaryDir();
    await using store = await openWith(dataDir, ...asked);
    const [first] = interactionWrite(answered, "pending").interactions ?? [];
    const [second] = interactionWrite(answered, "answered").interactions ?? [];
    const [last] = interactionWrite(delivered, "answered").interactions ?? [];
    await store.append({ sessionId: SESSION, interactions: [first!, second!] });
    expect(keysOf(dataDir)).toHaveLength(1);
    expect(await store.getInteraction("int_1")).toEqual(answered);
    await store.append({ sessionId: SESSION, interactions: [second!, last!] });
    expect(keysOf(dataDir)).toEqual([]);
  });

  test("leave no key of a losing response", async () => {
    const dataDir = createTemporaryDir();
    await using store = await openWith(dataDir, ...asked);
    const losing = { ...answered, secretValues: { token: "another" } };
    const results = await Promise.all(
      [answered, losing].map((row) => store.append(interactionWrite(row, "pending"))),
    );
    expect(results.map(({ status }) => status)).toEqual(["appended", "conflict"]);
    expect(keysOf(dataDir)).toHaveLength(1);
    expect(await store.getInteraction("int_1")).toEqual(answered);
  });

  test("are deleted with their session", async () => {
    const dataDir = createTemporaryDir();
    await using store = await openWith(dataDir, ...responded);
    await store.deleteSession(SESSION);
    expect(keysOf(dataDir)).toEqual([]);
  });

  test("without their key are missing, and nothing else of the row is", async () => {
    const dataDir = createTemporaryDir();
    await using store = await openWith(dataDir, ...responded);
    for (const damaged of ["", "x".repeat(32)]) {
      writeFileSync(keysOf(dataDir)[0]!, damaged);
      expect(await store.getInteraction("int_1")).toEqual(delivered);
    }
  });

  test("without a row are deleted at the next start", async () => {
    const dataDir = createTemporaryDir();
    await (await openWith(dataDir, ...responded))[Symbol.asyncDispose]();
    const [used = ""] = keysOf(dataDir);
    writeFileSync(join(dataDir, "sealed-keys", `${"0".repeat(32)}.key`), "x".repeat(32));
    await using store = await openSqliteStore({ dataDir });
    expect(keysOf(dataDir)).toEqual([used]);
    expect(await store.getInteraction("int_1")).toEqual(answered);
  });

  test("are in a backup without their key", async () => {
    const dataDir = createTemporaryDir();
    const backup = join(createTemporaryDir(), "backup.db");
    await using store = await openWith(dataDir, ...responded);
    using reader = new DatabaseSync(join(dataDir, "holdpoint.db"), { readOnly: true });
    reader.exec(`VACUUM INTO '${backup}'`);
    const key = readFileSync(keysOf(dataDir)[0]!);
    expect(readFileSync(backup).includes(key)).toBe(false);
    expect(readFileSync(join(dataDir, "holdpoint.db-wal")).includes(key)).toBe(false);
    expect(await store.getInteraction("int_1")).toEqual(answered);
  });
});
