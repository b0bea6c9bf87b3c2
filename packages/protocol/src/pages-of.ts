interface Page {
  /** Absent on the last page. */
  readonly nextCursor?: string | undefined;
}

/** Reads a list page by page, until its end or until the loop stops. `read` gets the start of the next page. */
export async function* pagesOf<TPage extends Page>(
  read: (start: { readonly cursor?: string }) => Promise<TPage>,
): AsyncGenerator<TPage, void, undefined> {
  let page = await read({});
  yield page;
  while (page.nextCursor !== undefined) {
    page = await read({ cursor: page.nextCursor });
    yield page;
  }
}
