/** The name of the only Trusted Types policy. A page that restricts policies has to allow it for HTML previews. */
export const PREVIEW_POLICY_NAME = "holdpoint-preview";

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

const BODY_STYLE = "margin:12px;font:13px/1.5 system-ui,sans-serif;overflow-wrap:anywhere";

/** An agent's HTML as a document that can load nothing and, in a sandboxed frame, run nothing. */
export function toPreviewDocument(html: string): string {
  return [
    "<!doctype html><html><head><meta charset='utf-8'>",
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    "<meta name='color-scheme' content='light'>",
    // An attribute, because the frame inherits the page's policy, which forbids style elements.
    `</head><body style="${BODY_STYLE}">${html}</body></html>`,
  ].join("");
}

interface PreviewPolicy {
  createHTML(html: string): string;
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML: (html: string) => string }): PreviewPolicy;
}

let policy: PreviewPolicy | "none" | undefined;

/**
 * The document as a value that a page with Trusted Types accepts for `srcdoc`; undefined if the page forbids our
 * policy. Only for frames with an empty `sandbox`.
 */
export function toTrustedPreview(document: string): string | undefined {
  policy ??= createPolicy();
  return policy === "none" ? undefined : policy.createHTML(document);
}

function createPolicy(): PreviewPolicy | "none" {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  if (trustedTypes === undefined) return { createHTML: (html) => html };
  try {
    return trustedTypes.createPolicy(PREVIEW_POLICY_NAME, { createHTML: (html) => html });
  } catch {
    // The page's policy does not allow ours: the source is shown instead.
    return "none";
  }
}
