/** The path under which this page is found, with a slash at its end. The gateway has written it into the page. */
export const PLACE: string = globalThis.document?.documentElement.dataset["place"] ?? "/";

/** Where this page and its gateway are, without a slash at the end. */
export function pageUrl(): string {
  return location.origin + PLACE.slice(0, -1);
}

/** The path in the address bar for a path of the page, such as `/s/ID`. */
export function toPlaced(path: string): string {
  return PLACE + path.slice(1);
}

/** The path of the page for one of the address bar. */
export function fromPlaced(pathname: string): string {
  return pathname.startsWith(PLACE) ? pathname.slice(PLACE.length - 1) : pathname;
}
