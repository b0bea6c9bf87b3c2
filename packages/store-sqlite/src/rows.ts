/** Encoding and decoding of rows, and the files of the data folder, shared with stores in other databases. */
export { isFiltered, startOfAnswers } from "./answered-range.ts";
export {
  encodeBatch,
  type EncodedBatch,
  type EncodedInteraction,
  type EncodedMessage,
  type EncodedSession,
  placeEvent,
} from "./encoded-batch.ts";
export { encodeGrant, type EncodedGrant, type EncodedGrantWrite } from "./encoded-grant.ts";
export { type InteractionRow, toStoredInteraction } from "./interaction-row.ts";
export { KeyFolder } from "./key-folder.ts";
export { type ListPosition, parseListCursor, toListCursor } from "./list-cursor.ts";
export { SealedValues, type ValueKeys } from "./sealed-values.ts";
export { LEFT_STAGE, stageOf, STATUS_NUMBER } from "./status-number.ts";
export { toKey } from "./text-key.ts";
