/**
 * The version of everything on the wire and in the log. A test pins it together with a hash of all schemas and
 * operations: a change of them needs a new version and a line here.
 *
 * 1: sessions, turns, interactions of kind approval, question and form, grants, HTTP, SSE and WebSocket.
 * 2: the version covers the operations as well: paths, who may call them, what goes in and out, and errors. Errors with
 *    the codes `RATE_LIMITED`, `DRAINING` and `STORE_UNAVAILABLE` always say when to try again. Devices and agents' tokens
 *    are listed and revoked by operations, which every transport has, instead of `/api/auth/tokens`. An
 *    interaction says whether a tool asks (`askedBy`). The origin `api` and the reason `too_many_streams`, which no gateway
 *    has ever sent, are gone. The overview begins with counts and first pages, and `counts_changed` follows; a session
 *    says `hasPending`.
 * 3: Safe by default: tokens of programs have a scope and an end, and are made, listed and revoked by operations. A
 *    signed-in device pairs another one with a short code, renames devices, and makes tokens for agents. `approveTool`
 *    needs the digest of what was shown. An idempotency key that was used for something else is refused, for messages as
 *    `KEY_REUSED`. A person trusts what the gateway loads from its folder. An approval for longer can be limited
 *    (`grantLimit`). People make rules about commands. A device signs in with a key, proves it with each request (`DPoP`,
 *    and `proof` in `hello`), and changes nothing over a WebSocket; the gateway proves itself by `/api/auth/hello`. A
 *    sign-in ends with `CREDENTIAL_ENDED`.
 * 4: Nothing is lost: an interaction can be parked and held again (`interaction_hold_changed` with a count), a session is
 *    `parked`, and a delivery that nobody can know is `unknown`. The hold `reattachable` and the status `offline`, which no
 *    gateway has ever sent, are gone. A person can dismiss an expired or orphaned interaction (`dismissInteraction`). A
 *    session says `hasLate`, and `waitingSessions` counts it. Errors of agents have the codes `AGENT_OTHER_VERSION` and
 *    `AGENT_CANNOT_RESUME`. An interaction says when it was closed (`closedAt`). One that has been late for some days
 *    leaves the overview (`interaction_left`). Devices subscribe to notifications (`subscribeNotifications` and four more), and a page says
 *    over its WebSocket whether it is in view (`visibility`).
 * 5: Ten seconds: a response that no running agent waits for can be taken back for a moment (`undoMs`, `undoUntil`,
 *    `undoResponse`, `interaction_reopened`). What was answered is listed and searched (`listHistory`).
 *    A mode that allows everything ends by itself (`endsInto`, `limitedMode`, `permissionModeMinutes`, `endedMode`,
 *    `endPermissionMode`).
 *    A person puts interactions off (`snoozeInteraction`, `endSnooze`, `listSnoozes`, `snoozes_changed`).
 *    An interaction says what its sub-agent was started for (`agentTask`), a session whether its last turn failed (`hasFailed`).
 *    A person puts a session away and takes it back (`archived`, `archivedAt`). A session says when its last turn ended
 *    (`lastEndedAt`).
 *    Errors of agents have four more codes, and say when a limit ends (`retryAt`).
 *    The end of a turn says what the turn has used (`usage`). A person chooses among the
 *    models of an agent, which says what it uses (`listModels`, `activeModel`), its commands (`listCommands`), and the
 *    files of a session's directory (`findFiles`), also before there is a session
 *    (`listAgentCommands`, `findFolderFiles`). What the gateway says to people comes with its codes and values (`said`, also of a form's titles),
 *    and a device says the language of its notifications (`language`). A session's status says that its agent's model does
 *    not answer (`retrying`).
 *    A program asks with an agent's token (`createAsk`, `getAsk`, `withdrawAsk`); what it asks has the hold `kept`, and a
 *    `callback` is told that it is over (`callbackHost`).
 *    An MCP server asks through its agent: a form says which (`server`), or which page to visit (`visit`), and takes a `deny`.
 *    Messages carry images and files (`uploadAttachment`, `readAttachment`, `attachments`, `takesAttachments`, the error
 *    `NO_ROOM`). What was denied here and allowed in a terminal has run all the same (`interaction_overruled`, `overruled`). A session in a terminal says when that has
 *    ended (`ended`, `endedAt`).
 *    What monitors read without a token has a status and nothing else; `/readyz` says whether the store takes writes.
 *    People sign in at issuers (`/api/auth/sign-ins`, the errors `NOT_ADMITTED` and `ISSUER_UNAVAILABLE`); a person has a role,
 *    which operations need (`role`, `getPerson`), and what they say names them for good (`personId`).
 *    The history is filtered by person, agent, tool, action and time, and says which there are (`listHistoryNames`); an entry
 *    names its agent and the digest of what was shown (`agent`, `shown`).
 *    An interaction says who may answer it (`responders`, the error `NOT_RESPONDER`) and who has said yes where several people
 *    have to (`interaction_vote`, `votes`, `votesGiven`); a message says who sent it (`personId`), a person what the issuer
 *    says of them (`signIn`).
 *    Who answered says how they were signed in (`signedIn`).
 *    What is open ends with the sign-in that it came with (the reason `credential_ended`).
 *    What is no answer is added to an interaction (`interaction_note`, `notes`): comments (`addComment`, `addAskComment`, `comments`
 *    of an ask and of `getAsk`), hand-overs (`handOver`) and reminders (`remind`). A response names the votes that counted no more
 *    (`uncounted`). An entry of the history counts its comments (`comments`).
 *    Of several nodes one works: `/healthz` and `/readyz` say which role a node has, and where none works there is the error
 *    `NO_WORKING_NODE`.
 *    A session belongs to the person who has started it (`belongsTo`), who gives it to groups (`givenTo`, `giveSession`,
 *    `listGroups`); to everybody else it is not there. The counts of an overview are those of its person, and say how much of
 *    them is `forOthers`. A hand-over says that who has handed it over is asked no more (`instead`), and one of the
 *    gateway that it came back to them (`back`). The result of a tool call says that its agent refused it by itself (`refused`).
 *    Where a store goes away in the middle of a write, the caller is told `OUTCOME_UNKNOWN`.
 *    `/readyz` says `connections_full` while the gateway refuses connections.
 */
export const PROTOCOL_VERSION = 5;
