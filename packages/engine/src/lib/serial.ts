/** Runs tasks one after another, in the order of the calls. A failed task does not stop the next. */
export type Serial = <TResult>(task: () => Promise<TResult>) => Promise<TResult>;

export function createSerial(): Serial {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    // The failure belongs to the caller of this task; the next one only waits for its end.
    last = result.catch(() => undefined);
    return result;
  };
}
