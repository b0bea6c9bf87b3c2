import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { expect, test } from "vitest";

import { Api } from "./support/api.ts";
import { type GatewayProcess, startGateway } from "./support/gateway-process.ts";

type Row = Record<string, string | number | null>;

const hashOf = (token: string): string => createHash("sha256").update(token).digest("hex");

/** Opens the database as its owner: any process of the same user can do that. */
function openCredentials({ dataDir }: GatewayProcess) {
  const database = new DatabaseSync(join(dataDir, "holdpoint.db"));
  database.exec("PRAGMA busy_timeout = 5000");
  return {
    rows: () => database.prepare("SELECT * FROM credentials").all() as Row[],
    write(row: Row): void {
      const names = Object.keys(row);
      const marks = names.map(() => "?").join(", ");
      database
        .prepare(`INSERT OR REPLACE INTO credentials (${names.join(", ")}) VALUES (${marks})`)
        .run(...Object.values(row));
    },
    [Symbol.dispose]: () => database.close(),
  };
}

/** A copy of the row with changed members in its JSON, and changed columns. */
function changed(row: Row, members: object, columns: Row = {}): Row {
  const json = { ...(JSON.parse(String(row["json"])) as object), ...members };
  return { ...row, ...columns, json: JSON.stringify(json) };
}

test("a row written directly into the database is not a valid credential", async ({ annotate }) => {
  await using gateway = await startGateway();
  const { body: issued } = await new Api(gateway.url).call<{ token: string }>(
    "POST",
    "/auth/agent-tokens",
    { label: "Codex" },
  );
  const mine = randomBytes(32).toString("base64url");
  using credentials = openCredentials(gateway);
  const [agent] = credentials.rows();
  if (agent === undefined) throw new Error("The agent's token has no row.");
  const person = { principal: "person", kind: "program", scope: "respond", person: "Ada" };
  const mineAsWell = { tokenId: "tok_mine", tokenHash: hashOf(mine) };
  const rest = { token_id: "tok_mine", token_hash: hashOf(mine) };

  /** Changes to the row, and the token that is tried with it. */
  const attacks: Record<string, readonly [row: Row, token: string]> = {
    "a new row": [changed(agent, { ...person, ...mineAsWell, label: "x" }, rest), mine],
    "a new row of a device": [
      changed(agent, { ...person, kind: "device", ...mineAsWell }, rest),
      mine,
    ],
    "an agent becomes a person": [changed(agent, person), issued.token],
    "an agent becomes another's": [changed(agent, { sessionId: "ses_other" }), issued.token],
    "another hash in the column": [changed(agent, person, { token_hash: hashOf(mine) }), mine],
    "another hash everywhere": [
      changed(agent, { ...person, tokenHash: hashOf(mine) }, { token_hash: hashOf(mine) }),
      mine,
    ],
  };
  const planned = Object.keys(attacks).length;
  const got: Record<string, number> = {};
  for (const [name, [row, token]] of Object.entries(attacks)) {
    credentials.write(row);
    const path = name === "an agent becomes another's" ? "/mcp" : "/api/sessions";
    const answer = await fetch(gateway.url + path, {
      headers: { authorization: `Bearer ${token}` },
    });
    got[name] = answer.status;
    credentials.write(agent);
  }
  expect(got).toEqual(Object.fromEntries(Object.keys(attacks).map((name) => [name, 401])));
  expect(Object.keys(got)).toHaveLength(planned);
  await annotate(`${planned} ways to write a row`, "cases");

  // The row as the gateway wrote it is valid.
  const right = await fetch(`${gateway.url}/mcp`, {
    headers: { authorization: `Bearer ${issued.token}` },
  });
  expect(right.status).not.toBe(401);
});

test("a gateway removes credentials it did not seal at startup, and logs that once", async () => {
  await using gateway = await startGateway();
  {
    using credentials = openCredentials(gateway);
    const json = JSON.stringify({ tokenId: "tok_old", tokenHash: "1", principal: "person" });
    const times = { created_at_ms: 1, last_used_at_ms: null };
    credentials.write({ token_id: "tok_old", token_hash: "1", ...times, json, seal: "" });
  }
  await gateway.stop("SIGTERM");
  const { dataDir } = gateway;
  const said: boolean[] = [];
  for (let round = 0; round < 2; round += 1) {
    await using next = await startGateway({ dataDir });
    said.push(next.stderr().includes("without this gateway's seal were removed"));
    using credentials = openCredentials(next);
    expect(credentials.rows()).toEqual([]);
    await next.stop("SIGTERM");
  }
  expect(said).toEqual([true, false]);
});
