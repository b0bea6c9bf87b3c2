import {
  type Caller,
  type GivenGroup,
  refusal,
  saying,
  seenByOf,
  type Session,
} from "@holdpoint/protocol";

import { invalidRequest, notFound } from "../lib/errors.ts";
import { toResponder } from "../lib/to-responder.ts";
import type { Clock } from "../ports/clock.ts";
import type { PeoplePort } from "../ports/people.ts";
import type { StoredSession } from "../ports/store.ts";
import { getSession, type SessionReadParts } from "./sessions.ts";
import { changeRow, toRow, type ChangeRowParts } from "./stored-session.ts";

export interface GiveSessionParts extends SessionReadParts, ChangeRowParts {
  readonly clock: Clock;
  readonly people: PeoplePort;
}

/**
 * Gives a session to groups, in place of the previous ones. Nothing else about it changes, including its last activity.
 */
export async function giveSession(
  parts: GiveSessionParts,
  caller: Caller,
  sessionId: string,
  groups: readonly GivenGroup[],
): Promise<Session> {
  const givenTo = distinct(groups);
  if (givenTo.some(({ issuer }) => !parts.people.issuers.includes(issuer))) {
    throw invalidRequest("groups", saying("group_of_no_issuer"));
  }
  const by = toResponder(caller, parts.clock.now());
  await parts.sessions.use(sessionId, async (live) => {
    const result = await changeRow(parts, live, (row) => {
      assertMayGive(caller, row);
      const { belongsTo } = row;
      return {
        row: toRow({
          ...row,
          givenTo,
          seenBy: seenByOf({ ...(belongsTo && { belongsTo }), givenTo }),
        }),
        events: [{ type: "session_updated", at: by.at, givenTo, by }],
      };
    });
    if (result?.status !== "appended") throw notFound("session");
  });
  return getSession(parts, sessionId);
}

/** Throws unless the caller may give the session to groups. Members of its groups can use it, but cannot share it. */
function assertMayGive(
  { role = "owner", personId }: Caller,
  { belongsTo }: Pick<StoredSession, "belongsTo">,
): void {
  if (!belongsTo) throw refusal("INVALID_REQUEST", saying("session_of_everybody"));
  if (role === "owner" || belongsTo.personId === personId) return;
  throw refusal("FORBIDDEN", saying("session_of_another"));
}

function distinct(groups: readonly GivenGroup[]): GivenGroup[] {
  const byKey = new Map(
    groups.map(({ group, issuer }) => [JSON.stringify([issuer, group]), { group, issuer }]),
  );
  return [...byKey.values()];
}

/** The groups that this person can give sessions to: those in the config, and their own. */
export function listGroups(
  { people }: Pick<GiveSessionParts, "people">,
  caller: Caller,
): GivenGroup[] {
  const { issuer = "", groups = [] } = caller.signIn ?? {};
  return distinct([...people.groups, ...groups.map((group) => ({ group, issuer }))]);
}
