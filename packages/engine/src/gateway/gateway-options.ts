import type { Told } from "@holdpoint/protocol";

import type { ResponderConfig } from "../interaction/find-responders.ts";
import type { AgentAdapter } from "../ports/agent-adapter.ts";
import type { CallbacksPort } from "../ports/callbacks.ts";
import type { Clock } from "../ports/clock.ts";
import type { CredentialStore } from "../ports/credential-store.ts";
import type { FileListing } from "../ports/file-listing.ts";
import type { FolderTrustPort } from "../ports/folder-trust.ts";
import type { Ids } from "../ports/ids.ts";
import type { NotificationsPort } from "../ports/notifications.ts";
import type { PeoplePort } from "../ports/people.ts";
import type { SpentGrants } from "../ports/spent-grants.ts";
import type { Store } from "../ports/store.ts";
import type { OnInteraction } from "../stream/overview-feed.ts";
import type { Tool } from "../tools/define-tool.ts";
import type { ToolLogEntry } from "../tools/tool-context.ts";

export interface GatewayOptions {
  readonly store: Store;
  /** Default: one in memory, which forgets them with the gateway. */
  readonly credentials?: CredentialStore;
  /**
   * 32 bytes that nothing but this gateway knows, the same after a restart. It seals credentials with them, so that a row
   * in their store is none by itself. Default: random, which suits credentials that are forgotten with the gateway.
   */
  readonly credentialKey?: Uint8Array;
  readonly clock: Clock;
  readonly ids: Ids;
  /** By their names on the wire; the first one is offered first. */
  readonly agents: ReadonlyMap<string, AgentAdapter>;
  /** Where agents work when a session names no directory. */
  readonly defaultCwd: string;
  /** Says why a directory is refused to agents, or `undefined` when it is fine. Default: all are fine. */
  readonly refuseCwd?: (cwd: string) => Promise<Told | undefined>;
  /** Lists the files of a directory, for people who name one in a message. Default: nothing is listed. */
  readonly listFiles?: (cwd: string) => Promise<FileListing>;
  /** How long an interaction holds its agent, where its request does not say. What is parked has all the time. Default: no end. */
  readonly holdTimeoutMs?: number;
  /**
   * After a restart, how long the interactions of gateway tools wait for their call to come again, before its agent counts
   * as gone. Default 10 seconds.
   */
  readonly reattachGraceMs?: number;
  /**
   * How long an agent runs while it waits for a person, before it is ended until the answer comes. Default 2 minutes; at most
   * ten seconds while no client that may answer is connected. `Infinity`: it is never ended. Agents that cannot go on from there run on.
   */
  readonly parkAfterMs?: number;
  readonly grants?: {
    /** Days until an approval "from now on" ends. Default 30. */
    readonly alwaysDays?: number;
    /**
     * 32 bytes that nothing but this gateway knows, the same after a restart. It seals grants and rules with them, so that a
     * row in the store is none by itself. Default: every row counts, which suits a store that nobody else can write.
     */
    readonly key?: Uint8Array;
    /** Keeps sealed rows that are gone from coming back. Default: in memory, until the gateway ends. */
    readonly spent?: SpentGrants;
  };
  /** How long what nobody answered in time stays in the overview. It can be answered in its session after that. */
  readonly overview?: {
    /** Days after an interaction has expired. Default 7. */
    readonly expiredDays?: number | undefined;
    /** Days after an interaction was orphaned. Default 30. */
    readonly orphanedDays?: number | undefined;
  };
  /** Offered to every agent, beside the built-in ones. */
  readonly tools?: readonly Tool[];
  /** What may be loaded from the folder that the gateway was started in. Default: nothing. */
  readonly folderTrust?: FolderTrustPort;
  /** What tells persons who are not there. Default: nothing. */
  readonly notifications?: NotificationsPort;
  /** What tells programs that their asks are over. Default: nothing, and asks with a callback are refused. */
  readonly callbacks?: CallbacksPort;
  /** How long a client may be gone before it counts as gone. Default 10 seconds. */
  readonly availabilityGraceMs?: number;
  /**
   * What becomes of a tool's request that no connected client can answer: it waits, the default, or ends after
   * `availabilityGraceMs` with `INTERACTION_UNAVAILABLE`. A request may choose otherwise.
   */
  readonly availability?: "wait" | "refuse";
  /** Whether there is a person at all who could come and answer. Default: yes. */
  readonly hasPerson?: () => Promise<boolean>;
  /** Where people sign in, for who may answer what. Default: nowhere. */
  readonly people?: PeoplePort;
  /** Who may answer what. Default: everybody with the role `responder`. */
  readonly responders?: ResponderConfig;
  /** What becomes of pending interactions when every client that may answer has left. Default `wait`. */
  readonly onDisconnect?: "wait" | "deny";
  /** The address of the page where a person answers an interaction, for programs that ask. Default: its path, `/i/ID`. */
  readonly toCardUrl?: (interactionId: string) => string;
  /** Gets what the handlers of tools log. */
  readonly onToolLog?: (entry: ToolLogEntry) => void;
  readonly limits?: Partial<GatewayLimits>;
  /**
   * Gets each interaction that was written, with the trace that it belongs to, and its status before; for who measures. Must not
   * throw. Called again for what a gateway finishes after a restart.
   */
  readonly onInteraction?: OnInteraction;
  /** Gets failures that reach no caller. Never gets answers or inputs. */
  readonly onError?: (error: unknown, where: string) => void;
}

export interface GatewayLimits {
  /** Default 100. */
  readonly pendingPerSession: number;
  /**
   * Interactions that the overview names, pending or late, in all sessions that one credential has made. The sessions of all
   * agents that a person has given tokens to count together. Default 2,000.
   */
  readonly openPerCreator: number;
  /** Default 10,000. */
  readonly pendingInAll: number;
  /** Default 20. */
  readonly asksPerSecondPerSession: number;
  /** UTF-8 bytes of one request as JSON. Default 256 KiB. */
  readonly requestBytes: number;
  /** Messages in one session's queue. Default 100. */
  readonly queuedPerSession: number;
  /** Sessions of agents that somebody else has started, as in terminals, of one creator. Default 1,000. */
  readonly sessionsElsewhere: number;
}
