/** The path of this page, with a slash at its end. The gateway writes it into the page. */
export const BASE_PATH: string = globalThis.document?.documentElement.dataset["place"] ?? "/";

/** The address of this page and its gateway, without a slash at the end. */
export function pageUrl(): string {
  return location.origin + BASE_PATH.slice(0, -1);
}

/** The path in the address bar for a path within the page, such as `/s/ID`. */
export function withBasePath(path: string): string {
  return BASE_PATH + path.slice(1);
}

/** The path within the page for a path in the address bar. */
export function fromPlaced(pathname: string): string {
  return pathname.startsWith(BASE_PATH) ? pathname.slice(BASE_PATH.length - 1) : pathname;
}
