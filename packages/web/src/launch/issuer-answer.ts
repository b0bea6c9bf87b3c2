import { fromPlaced, BASE_PATH } from "../base-path.ts";

/** The parameters with which an issuer redirected the browser back. */
export interface IssuerAnswer {
  readonly issuerId: string;
  /** The unchanged query. */
  readonly answer: string;
}

/** An issuer's id contains no character that would be encoded in an address. */
const PATH = /^\/signed-in\/([\w.-]+)$/;

/**
 * Takes the address to which an issuer redirects the browser, `/signed-in/ISSUER?code=…&state=…`. Clears the address
 * bar at once, so that it is neither bookmarked, nor shared, nor in the browser's history.
 */
export function takeIssuerAnswer(
  location: Pick<Location, "pathname" | "search">,
  history: Pick<History, "replaceState">,
): IssuerAnswer | undefined {
  const [, issuerId] = PATH.exec(fromPlaced(location.pathname)) ?? [];
  if (issuerId === undefined) return undefined;
  const answer = location.search.slice(1);
  history.replaceState(null, "", BASE_PATH);
  return { issuerId, answer };
}
