/** Runs the task for each item, at most `limit` at once. Rejects with the first failure, once all have ended. */
export async function eachLimited<TItem>(
  items: Iterable<TItem>,
  limit: number,
  task: (item: TItem) => Promise<void>,
): Promise<void> {
  const queue = [...items].values();
  const work = async (): Promise<void> => {
    for (const item of queue) await task(item);
  };
  const ended = await Promise.allSettled(Array.from({ length: limit }, work));
  const failed = ended.find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}
