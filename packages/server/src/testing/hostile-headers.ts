import { isApiPath } from "../http/request-guard.ts";
import type { Route } from "../http/route.ts";

/** The header of a request without its first line: names and values as they are sent, including repeated ones. */
export type HeaderLines = readonly (readonly [name: string, value: string])[];

/** The changes that one attack makes to a valid request's header. */
export interface HostileHeaders {
  readonly name: string;
  /** Replaces all lines with the same names. */
  readonly lines: HeaderLines;
  /** Names of omitted lines. */
  readonly without?: readonly string[];
  /** Whether the attack applies to this route. Default: to any. */
  readonly concerns?: (route: Pick<Route, "access" | "body" | "path">) => boolean;
}

/** Header combinations that every request must be refused for; `PORT` is the gateway's, `TOKEN` the person's. */
export const HOSTILE_HEADERS: readonly HostileHeaders[] = [
  ...hosts(),
  ...origins(),
  ...sites(),
  ...authorizations(),
  ...contentTypes(),
  ...framings(),
];

function hosts(): HostileHeaders[] {
  const foreign = [
    "evil.example",
    "evil.example:PORT",
    "127.0.0.1",
    "127.0.0.1:1",
    "localhost",
    "localhost.:PORT",
    "127.0.0.1.nip.io:PORT",
    "0.0.0.0:PORT",
    "2130706433:PORT",
    "0x7f.1:PORT",
    "[::]:PORT",
    "user@127.0.0.1:PORT",
    "127.0.0.1:PORT,evil.example",
    "127.0.0.1:PORT/evil.example",
    "",
  ];
  return [
    ...foreign.map((host) => ({
      name: `Host ${host || "empty"}`,
      lines: [["Host", host]] as const,
      concerns: isNoProbe,
    })),
    { name: "no Host", lines: [], without: ["host"] },
    {
      name: "two Hosts, ours first",
      lines: [
        ["Host", "127.0.0.1:PORT"],
        ["Host", "evil.example"],
      ],
    },
    {
      name: "two Hosts, ours last",
      lines: [
        ["Host", "evil.example"],
        ["Host", "127.0.0.1:PORT"],
      ],
    },
    {
      name: "our Host twice",
      lines: [
        ["Host", "127.0.0.1:PORT"],
        ["Host", "127.0.0.1:PORT"],
      ],
    },
    {
      name: "a foreign Host behind a forwarded one",
      lines: [
        ["Host", "evil.example"],
        ["X-Forwarded-Host", "127.0.0.1:PORT"],
        ["Forwarded", "host=127.0.0.1:PORT"],
      ],
      concerns: isNoProbe,
    },
  ];
}

/**
 * Monitors may use any name of the gateway; their routes return only a status, or need a token and return only
 * counts.
 */
function isNoProbe({ path }: Pick<Route, "path">): boolean {
  return !["/healthz", "/readyz", "/metrics"].includes(path);
}

function origins(): HostileHeaders[] {
  const foreign = [
    "http://evil.example",
    "http://evil.example:PORT",
    "https://127.0.0.1:PORT",
    "http://127.0.0.1:1",
    "http://127.0.0.1",
    "http://localhost",
    "http://localhost:PORT.evil.example",
    "http://127.0.0.1:PORT@evil.example",
    "http://127.0.0.1:PORT/",
    "HTTP://127.0.0.1:PORT/x",
    "http://127.0.0.1:PORT, http://evil.example",
    "file://",
    "null",
    "chrome-extension://abcdefghijklmnopabcdefghijklmnop",
    "",
  ];
  return foreign.flatMap((origin) => [
    { name: `Origin ${origin || "empty"}`, lines: [["Origin", origin]] as const },
    {
      name: `Origin ${origin || "empty"}, said to be the same`,
      lines: [
        ["Origin", origin],
        ["Sec-Fetch-Site", "same-origin"],
      ] as const,
    },
  ]);
}

function sites(): HostileHeaders[] {
  const foreign = [
    "cross-site",
    "same-site",
    "cross-origin",
    "Same-Origin",
    "same-origin, cross-site",
    "unknown",
    "",
  ];
  return foreign.map((site) => ({
    name: `Sec-Fetch-Site ${site || "empty"}`,
    lines: [["Sec-Fetch-Site", site]],
    concerns: ({ path }) => isApiPath(path),
  }));
}

function authorizations(): HostileHeaders[] {
  const forms = [
    "",
    "TOKEN",
    "Bearer",
    "Bearer ",
    "Basic TOKEN",
    "Token TOKEN",
    "Bearer: TOKEN",
    "Bearer TOKEN TOKEN",
    "Bearer TOKEN, Bearer TOKEN",
    'Bearer "TOKEN"',
    "Bearer TOKENx",
    "DPoP TOKEN",
    "Negotiate TOKEN",
    `Bearer ${"x".repeat(4000)}`,
  ];
  const concerns = ({ access }: Pick<Route, "access">): boolean => access !== "anyone";
  return [
    ...forms.map((form) => ({
      name: `Authorization ${form.slice(0, 40) || "empty"}`,
      lines: [["Authorization", form]] as const,
      concerns,
    })),
    { name: "no Authorization", lines: [], without: ["authorization"], concerns },
    {
      name: "a wrong Authorization before the right one",
      lines: [
        ["Authorization", "Bearer wrong"],
        ["Authorization", "Bearer TOKEN"],
      ],
      concerns,
    },
    {
      name: "the token in a cookie",
      lines: [["Cookie", "token=TOKEN; Authorization=Bearer TOKEN"]],
      without: ["authorization"],
      concerns,
    },
    {
      name: "the token under other names",
      lines: [
        ["X-Authorization", "Bearer TOKEN"],
        ["Proxy-Authorization", "Bearer TOKEN"],
        ["X-Api-Key", "TOKEN"],
      ],
      without: ["authorization"],
      concerns,
    },
  ];
}

function contentTypes(): HostileHeaders[] {
  const foreign = [
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "text/plain; application/json",
    "application/json, text/plain",
    "application/json; charset=utf-16",
    "application/json; boundary=x",
    "application/jsonp",
    "application/x-json",
    "text/json",
    "*/*",
    "",
  ];
  const concerns = ({ body }: Pick<Route, "body">): boolean => body !== undefined;
  return [
    ...foreign.map((type) => ({
      name: `Content-Type ${type || "empty"}`,
      lines: [["Content-Type", type]] as const,
      concerns,
    })),
    { name: "no Content-Type", lines: [], without: ["content-type"], concerns },
  ];
}

function framings(): HostileHeaders[] {
  const both = ([...lines]: HeaderLines): HeaderLines => lines;
  return [
    {
      name: "a length and chunks",
      lines: both([
        ["Content-Length", "2"],
        ["Transfer-Encoding", "chunked"],
      ]),
    },
    {
      name: "two lengths",
      lines: both([
        ["Content-Length", "2"],
        ["Content-Length", "3"],
      ]),
    },
    { name: "a negative length", lines: both([["Content-Length", "-1"]]) },
    { name: "a length that is no number", lines: both([["Content-Length", "0x2"]]) },
    {
      name: "an unknown encoding",
      lines: both([["Transfer-Encoding", "xchunked"]]),
      without: ["content-length"],
    },
    {
      name: "chunks, then nothing",
      lines: both([["Transfer-Encoding", "chunked, identity"]]),
      without: ["content-length"],
    },
    { name: "a name with a space", lines: both([["Transfer-Encoding ", "chunked"]]) },
    { name: "a folded line", lines: both([["X-Folded", "a\r\n b"]]) },
  ];
}
