import { fromPlaced, PLACE } from "../page-place.ts";

/** What an issuer has sent the browser back with. */
export interface IssuerAnswer {
  readonly issuerId: string;
  /** The query, as it was. */
  readonly answer: string;
}

/** An issuer's id has nothing that an address would have to encode. */
const PATH = /^\/signed-in\/([\w.-]+)$/;

/**
 * The address to which an issuer sends the browser back, `/signed-in/ISSUER?code=…&state=…`. Taking it clears the address bar
 * at once, so that it is neither bookmarked, nor shared, nor in the history.
 */
export function takeIssuerAnswer(
  location: Pick<Location, "pathname" | "search">,
  history: Pick<History, "replaceState">,
): IssuerAnswer | undefined {
  const [, issuerId] = PATH.exec(fromPlaced(location.pathname)) ?? [];
  if (issuerId === undefined) return undefined;
  const answer = location.search.slice(1);
  history.replaceState(null, "", PLACE);
  return { issuerId, answer };
}
