import { sessionLog } from "./0001-session-log.ts";
import { credentials } from "./0002-credentials.ts";
import { grants } from "./0003-grants.ts";
import { openInteractions } from "./0004-open-interactions.ts";
import { fewerIndexes } from "./0005-fewer-indexes.ts";
import { requestsInTheLog } from "./0006-requests-in-the-log.ts";
import { sealedCredentials } from "./0007-sealed-credentials.ts";
import { limitedGrants } from "./0008-limited-grants.ts";
import { notifications } from "./0009-notifications.ts";
import { lateAges } from "./0010-late-ages.ts";
import { history } from "./0011-history.ts";
import { limitedModes } from "./0012-limited-modes.ts";
import { snoozes } from "./0013-snoozes.ts";
import { archivedSessions } from "./0014-archived-sessions.ts";
import { attachments } from "./0015-attachments.ts";
import { callbacks } from "./0016-callbacks.ts";
import { attachmentsByMessages } from "./0017-attachments-by-messages.ts";
import { answersInOrder } from "./0018-answers-in-order.ts";
import { resuming } from "./0019-resuming.ts";
import { chainedEvents } from "./0020-chained-events.ts";
import { filteredAnswers } from "./0021-filtered-answers.ts";
import { sessionsOfPeople } from "./0022-sessions-of-people.ts";
import { whoseSessions } from "./0023-whose-sessions.ts";
import { todaysGrants } from "./0024-todays-grants.ts";
import type { Migration } from "./migration.ts";

/** In order: a migration's index plus 1 is its version. */
export const MIGRATIONS: readonly Migration[] = [
  sessionLog,
  credentials,
  grants,
  openInteractions,
  fewerIndexes,
  requestsInTheLog,
  sealedCredentials,
  limitedGrants,
  notifications,
  lateAges,
  history,
  limitedModes,
  snoozes,
  archivedSessions,
  attachments,
  callbacks,
  attachmentsByMessages,
  answersInOrder,
  resuming,
  chainedEvents,
  filteredAnswers,
  sessionsOfPeople,
  whoseSessions,
  todaysGrants,
];
