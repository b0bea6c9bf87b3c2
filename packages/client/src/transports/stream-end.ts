/** Whether the batch contains the gateway's final frame on this stream. */
export function endsStream(batch: readonly { readonly type: string }[]): boolean {
  return batch.at(-1)?.type === "closing";
}
