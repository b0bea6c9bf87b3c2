/**
 * The version of the wire format and the log. A test pins it together with a hash of all schemas and operations: any
 * change to them needs a new version and an entry here.
 *
 * 1: sessions, turns, interactions of the kinds approval, question and form, grants, HTTP, SSE and WebSocket.
 * 2: The version also covers operations: their paths, access, inputs, outputs and errors. Errors with the codes
 *    `RATE_LIMITED`, `DRAINING` and `STORE_UNAVAILABLE` always contain the time for a retry. Operations, which every
 *    transport has, list and revoke devices and agents' tokens; they replace `/api/auth/tokens`. An interaction shows
 *    whether a tool asks (`askedBy`). The origin `api` and the reason `too_many_streams`, which no gateway has ever
 *    sent, are removed. The overview begins with counts and first pages, followed by `counts_changed`. A session has
 *    `hasPending`.
 * 3: Safe by default: tokens of programs have a scope and an end, and operations create, list and revoke them. A
 *    signed-in device pairs another one with a short code, renames devices, and creates tokens for agents.
 *    `approveTool` needs the digest of the approval that was shown. An idempotency key that was used for something else
 *    is refused, for messages with `KEY_REUSED`. A person trusts the files that the gateway loads from its folder. A
 *    longer approval can be limited (`grantLimit`). People create rules about commands. A device signs in with a key,
 *    proves it with each request (`DPoP`, and `proof` in `hello`), and changes nothing over a WebSocket; the gateway
 *    proves its identity with `/api/auth/hello`. A sign-in ends with `CREDENTIAL_ENDED`.
 * 4: Nothing is lost: an interaction can be parked and held again (`interaction_hold_changed` with a count), a session
 *    is `parked`, and a delivery that cannot be confirmed is `unknown`. The hold `reattachable` and the status
 *    `offline`, which no gateway has ever sent, are removed. A person can dismiss an expired or orphaned interaction
 *    (`dismissInteraction`). A session has `hasLate`, and `waitingSessions` includes it. Agents have the error codes
 *    `AGENT_OTHER_VERSION` and `AGENT_CANNOT_RESUME`. An interaction has the time when it was closed (`closedAt`). An
 *    interaction that has been late for some days leaves the overview (`interaction_left`). Devices subscribe to
 *    notifications (`subscribeNotifications` and four more), and a page reports over its WebSocket whether it is in
 *    view (`visibility`).
 * 5: Ten seconds: a response that no running agent waits for can be taken back for a moment (`undoMs`, `undoUntil`,
 *    `undoResponse`, `interaction_reopened`).
 *    Answered interactions are listed and searched (`listHistory`).
 *    A mode that allows everything ends automatically (`endsInto`, `limitedMode`, `permissionModeMinutes`, `endedMode`,
 *    `endPermissionMode`).
 *    A person snoozes interactions (`snoozeInteraction`, `endSnooze`, `listSnoozes`, `snoozes_changed`).
 *    An interaction has the task of its sub-agent (`agentTask`). A session shows whether its last turn failed
 *    (`hasFailed`) and when it ended (`lastEndedAt`). A person archives and restores a session (`archived`,
 *    `archivedAt`).
 *    Agents have four more error codes, and an error has the end of a rate limit (`retryAt`).
 *    The end of a turn has its usage (`usage`).
 *    A person chooses among the models of an agent, which reports the model it uses (`listModels`, `activeModel`), its
 *    commands (`listCommands`), and the files of a session's directory (`findFiles`), even before there is a session
 *    (`listAgentCommands`, `findFolderFiles`).
 *    Texts of the gateway for people come with codes and values (`said`, also for a form's titles), and a device has a
 *    language for its notifications (`language`).
 *    The status of a session shows that its agent's model does not respond (`retrying`).
 *    A program asks with an agent's token (`createAsk`, `getAsk`, `withdrawAsk`). Its ask has the hold `kept`, and a
 *    `callback` is notified at the end (`callbackHost`).
 *    An MCP server asks through its agent: a form names the server (`server`) or a page to visit (`visit`), and accepts
 *    a `deny`.
 *    Messages carry images and files (`uploadAttachment`, `readAttachment`, `attachments`, `takesAttachments`, the
 *    error `NO_ROOM`).
 *    A call that was denied here but allowed in a terminal is recorded as run (`interaction_overruled`, `overruled`). A
 *    session in a terminal shows when that terminal's program has ended (`ended`, `endedAt`).
 *    Health checks without a token return a status and nothing else; `/readyz` shows whether the store accepts writes.
 *    People sign in at issuers (`/api/auth/sign-ins`, the errors `NOT_ADMITTED` and `ISSUER_UNAVAILABLE`). A person has
 *    a role, which operations require (`role`, `getPerson`), and a permanent id in everything they say (`personId`).
 *    The history is filtered by person, agent, tool, action and time, and lists the possible values
 *    (`listHistoryNames`).
 *    An entry has its agent and the digest of the shown content (`agent`, `shown`).
 *    An interaction shows who may answer it (`responders`, the error `NOT_RESPONDER`) and who has approved it if
 *    several people must (`interaction_vote`, `votes`, `votesGiven`). A message has its sender (`personId`), and a
 *    person has the issuer's claims (`signIn`).
 *    A responder shows how they were signed in (`signedIn`).
 *    Connections end together with their sign-in (the reason `credential_ended`).
 *    Notes, which are not answers, are added to an interaction (`interaction_note`, `notes`): comments (`addComment`,
 *    `addAskComment`, `comments` of an ask and of `getAsk`), hand-overs (`handOver`) and reminders (`remind`). A
 *    response names the votes that were dropped (`uncounted`). An entry of the history counts its comments
 *    (`comments`).
 *    One of several nodes is working: `/healthz` and `/readyz` show the role of a node, and the error `NO_WORKING_NODE`
 *    is returned if none is working.
 *    A session belongs to the person who started it (`belongsTo`), and that person gives it to groups (`givenTo`,
 *    `giveSession`, `listGroups`). It does not exist for anyone else. The counts of an overview are specific to its
 *    person, with the part that is `forOthers`. A hand-over shows that its author is no longer asked (`instead`), and a
 *    return by the gateway is marked (`back`). The result of a tool call shows that its agent itself refused it
 *    (`refused`).
 *    If a store fails in the middle of a write, the caller gets `OUTCOME_UNKNOWN`.
 *    The result of a tool call has its pictures (`attachments`).
 *    `/readyz` returns `connections_full` while the gateway refuses connections.
 *    `getFolderTrust` lists trusted files that could not be loaded (`failed`).
 */
export const PROTOCOL_VERSION = 5;
