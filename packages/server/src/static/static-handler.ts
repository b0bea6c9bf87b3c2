import { extname } from "node:path";

import type { Context } from "hono";

import { withSlash } from "../http/public-path.ts";
import type { ServerEnv } from "../http/server-env.ts";
import type { Asset } from "./asset.ts";
import type { StaticFiles } from "./static-files.ts";

const SERVICE_WORKER = "/service-worker.js";
/** The id of an issuer may end as the name of a file does. */
const COMES_BACK = /^\/signed-in\/[\w.-]+$/;

/**
 * Answers GET and HEAD with a file, or with the page for navigations to paths that only the page knows;
 * `undefined` for anything else.
 */
export function answerStatic(c: Context<ServerEnv>, files: StaticFiles): Response | undefined {
  if (c.req.method !== "GET" && c.req.method !== "HEAD") return undefined;
  const { path } = c.req;
  const { incoming } = c.env;
  const found = files(incoming);
  const page = found.get("/index.html");
  // The page and its service worker belong under the path.
  const whole = page && withSlash(incoming);
  if (whole !== undefined) return c.redirect(whole, 308);
  const asset = path === "/" ? page : found.get(path);
  if (asset) return answerAsset(c, asset);
  return page && isNavigation(c) ? answerAsset(c, page) : undefined;
}

/**
 * Answers a browser that looks for a service worker, at any path, with the page's own. So one that another program has
 * installed while it had the address is replaced at the next visit. `undefined` for any other request.
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
