import type { Clock, Ids } from "@holdpoint/engine";
import type { Notifications } from "@holdpoint/notify";
import type { NodePlace, PeopleOptions } from "@holdpoint/server";
import type { Logger } from "pino";

import type { Settings } from "../config/settings.ts";
import type { Telemetry } from "../telemetry/open-telemetry.ts";
import type { Terminal } from "../terminal.ts";
import type { ToolBox } from "../tools/tool-box.ts";
import type { OwnFolder } from "./open-folder.ts";
import type { OpenedStore } from "./open-store.ts";

export interface ComposeOptions {
  readonly settings: Settings;
  /** Opens the gateway's store. */
  readonly openStore: (settings: Settings) => Promise<OpenedStore>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder of the built page. */
  readonly webRoot: string;
  /** Folder for files that may be lost, such as the demo agent's scratch folders. */
  readonly cacheDir: string;
  /** Folder of the person's own settings. */
  readonly configDir: string;
  readonly log: Logger;
  readonly say: (line: string) => void;
  /** The gateway's own terminal; absent if it has none. */
  readonly terminal?: Terminal;
  /** The folder of the person's own tools; absent if nothing is loaded. */
  readonly own?: OwnFolder;
  /** For one of several nodes: its front and door, which are already listening. */
  readonly nodes?: NodePlace;
}

/** The parts of a gateway, including those opened during the start. */
export interface Parts extends ComposeOptions {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly notifications: Notifications;
  readonly telemetry: Telemetry;
  /** Settings for people besides the owner who may sign in and answer. */
  readonly people: PeopleOptions | undefined;
  /** The person's own tools. */
  readonly box: ToolBox | undefined;
}
