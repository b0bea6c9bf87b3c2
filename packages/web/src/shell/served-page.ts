const SCRIPT = /<script type="module"[^>]* src="([^"]*\/assets\/[^"]+)"/u;

/** The script of the page that this document is; its name is another one in each build. */
export function ownScript(): string | undefined {
  return SCRIPT.exec(document.head.innerHTML)?.[1];
}

/** Whether the text is this page of another build. What is no such page at all, such as a proxy's, is none. */
export function isOtherBuild(text: string, own: string | undefined): boolean {
  const served = SCRIPT.exec(text)?.[1];
  return own !== undefined && served !== undefined && served !== own;
}
