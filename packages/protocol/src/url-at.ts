/** The address of a path at a gateway, such as `/api/sessions`, whose own address may have a path and a slash at its end. */
export function urlAt(baseUrl: string, path: string): string {
  return baseUrl.replace(/\/+$/, "") + path;
}
