import { createClaudeAdapter } from "holdpoint/agents";
import type { Transport } from "holdpoint/client";
import { createDirectTransport } from "holdpoint/client/direct";
import { createSystemClock, createSystemIds, openGateway } from "holdpoint/engine";
import { openSqliteStore } from "holdpoint/sqlite";

export interface PluginOptions {
  /** The folder that is open in the editor: Claude works in it. */
  readonly folder: string;
  /** The plugin's own folder, which the log is kept in. One process at a time can have it open. */
  readonly dataDir: string;
  /** What Claude finds its login in. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Plugin extends AsyncDisposable {
  /** For the views: `HoldpointProvider` takes it. */
  readonly transport: Transport;
}

/** Claude in a gateway inside of the editor, without a server and a port. Disposing it ends Claude and closes the log. */
export async function openPlugin({ folder, dataDir, env }: PluginOptions): Promise<Plugin> {
  await using opening = new AsyncDisposableStack();
  const parts = { clock: createSystemClock(), ids: createSystemIds() };
  const store = opening.use(await openSqliteStore({ dataDir }));
  const claude = opening.use(createClaudeAdapter({ ...parts, env }));
  const agents = new Map([["claude", claude]]);
  const gateway = opening.use(await openGateway({ ...parts, store, agents, defaultCwd: folder }));
  const person = { person: "You", client: "Editor", clientId: "editor" };
  const transport = opening.use(createDirectTransport({ gateway, ...person }));
  const opened = opening.move();
  return { transport, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
