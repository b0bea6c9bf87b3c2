import { outcomeUnknown, storeSilent } from "../lib/errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Readiness } from "./readiness.ts";

/** After so long the store is asked whether it takes writes at all. */
const PATIENCE_MS = 10_000;

export interface WhileStoreAnswersParts {
  readonly clock: Clock;
  readonly readiness: Pick<Readiness, "takesWrites">;
  /** The call writes nothing. */
  readonly isRead: boolean;
}

/**
 * Waits for a call as long as the store takes writes. What was on its way to a store that went away may be written or not, and
 * nobody knows before it is back: then this rejects with `OUTCOME_UNKNOWN`, for a read with `STORE_UNAVAILABLE`, and the call
 * goes on without its caller.
 */
export async function whileStoreAnswers<TResult>(
  { clock, readiness, isRead }: WhileStoreAnswersParts,
  call: () => Promise<TResult>,
): Promise<TResult> {
  const { promise: unknown, reject } = Promise.withResolvers<never>();
  let timer: Disposable | undefined;
  let isOver = false;
  const watch = (): void => {
    timer = clock.after(PATIENCE_MS, () => void look());
  };
  const look = async (): Promise<void> => {
    const isThere = await readiness.takesWrites();
    if (isOver) return;
    if (isThere) watch();
    else reject(isRead ? storeSilent() : outcomeUnknown());
  };
  watch();
  try {
    return await Promise.race([call(), unknown]);
  } finally {
    isOver = true;
    timer?.[Symbol.dispose]();
  }
}
