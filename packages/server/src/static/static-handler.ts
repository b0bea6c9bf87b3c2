import { extname } from "node:path";

import type { Context } from "hono";

import { withSlash } from "../http/public-path.ts";
import type { ServerEnv } from "../http/server-env.ts";
import type { Asset } from "./asset.ts";
import type { StaticFiles } from "./static-files.ts";

const SERVICE_WORKER = "/service-worker.js";
/** An issuer's id may look like a file name with an extension. */
const COMES_BACK = /^\/signed-in\/[\w.-]+$/;

/**
 * Answers GET and HEAD with a file, or with the page for navigations to its client-side routes; `undefined` for other
 * requests.
 */
export function answerStatic(c: Context<ServerEnv>, files: StaticFiles): Response | undefined {
  if (c.req.method !== "GET" && c.req.method !== "HEAD") return undefined;
  const { path } = c.req;
  const { incoming } = c.env;
  const found = files(incoming);
  const page = found.get("/index.html");
  // The page and its service worker must be under the public path, including its slash.
  const whole = page && withSlash(incoming);
  if (whole !== undefined) return c.redirect(whole, 308);
  const asset = path === "/" ? page : found.get(path);
  if (asset) return answerAsset(c, asset);
  return page && isNavigation(c) ? answerAsset(c, page) : undefined;
}

/**
 * Answers a browser's request for a service worker, at any path, with the page's own. So a worker installed by another
 * program that used the same address is replaced on the next visit. `undefined` for other requests.
 */
export function answerServiceWorker(
  c: Context<ServerEnv>,
  files: StaticFiles,
): Response | undefined {
  if (c.req.method !== "GET" || c.req.header("service-worker") !== "script") return undefined;
  const worker = files(c.env.incoming).get(SERVICE_WORKER);
  return worker && answerAsset(c, worker);
}

function isNavigation(c: Context<ServerEnv>): boolean {
  if (extname(c.req.path) !== "" && !COMES_BACK.test(c.req.path)) return false;
  const mode = c.req.header("sec-fetch-mode");
  return mode === undefined
    ? (c.req.header("accept") ?? "").includes("text/html")
    : mode === "navigate";
}

function answerAsset(c: Context<ServerEnv>, asset: Asset): Response {
  c.header("Cache-Control", asset.cacheControl);
  c.header("ETag", asset.etag);
  c.header("Vary", "Accept-Encoding");
  if (c.req.header("if-none-match")?.includes(asset.etag)) return c.body(null, 304);
  c.header("Content-Type", asset.type);
  const accepted = c.req.header("accept-encoding") ?? "";
  for (const encoding of ["br", "gzip"] as const) {
    const bytes = asset.encoded[encoding];
    if (
      bytes &&
      new RegExp(`\\b${encoding}\\b(?!\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$))`).test(accepted)
    ) {
      c.header("Content-Encoding", encoding);
      return c.body(bytes);
    }
  }
  return c.body(asset.bytes);
}
