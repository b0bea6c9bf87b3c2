/** A page of stored texts, joined as they are: a page of a thousand events is not parsed for being read. */
export function eventPageText(
  page: { items: readonly { json: string }[]; nextCursor?: string },
  epoch: string,
): string {
  const items = page.items.map(({ json }) => json).join(",");
  const { nextCursor } = page;
  return `{"items":[${items}],${JSON.stringify({ epoch, nextCursor }).slice(1)}`;
}
