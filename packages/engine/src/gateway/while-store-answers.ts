import { outcomeUnknown, storeSilent } from "../lib/errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Readiness } from "./readiness.ts";

/** How long a call may take before the store is checked. */
const PATIENCE_MS = 10_000;

export interface WhileStoreAnswersParts {
  readonly clock: Clock;
  readonly readiness: Pick<Readiness, "takesWrites">;
  /** The call writes nothing. */
  readonly isRead: boolean;
}

/**
 * Waits for a call as long as the store takes writes. When the store is gone, it is unknown until its return whether a
 * write succeeded. This function then rejects with `OUTCOME_UNKNOWN`, or with `STORE_UNAVAILABLE` for a read, and the
 * call continues without its caller.
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
