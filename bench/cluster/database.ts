import { Client } from "pg";

/** Runs a statement on a separate connection, and returns its rows. */
export async function runOn<TRow extends object>(url: string, sql: string): Promise<TRow[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<TRow>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** The address of another database on the same server. */
export function withDatabase(url: string, name: string): string {
  return Object.assign(new URL(url), { pathname: name }).href;
}
