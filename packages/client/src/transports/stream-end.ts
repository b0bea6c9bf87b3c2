/** Whether the gateway has said its last word on this stream. */
export function endsStream(batch: readonly { readonly type: string }[]): boolean {
  return batch.at(-1)?.type === "closing";
}
