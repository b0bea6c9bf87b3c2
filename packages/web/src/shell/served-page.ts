const SCRIPT = /<script type="module"[^>]* src="([^"]*\/assets\/[^"]+)"/u;

/** The script of this document. It has another name in each build. */
export function ownScript(): string | undefined {
  return SCRIPT.exec(document.head.innerHTML)?.[1];
}

/** Whether the text is another build of this page. Any other page, such as a proxy's, is not. */
export function isOtherBuild(text: string, own: string | undefined): boolean {
  const served = SCRIPT.exec(text)?.[1];
  return own !== undefined && served !== undefined && served !== own;
}
