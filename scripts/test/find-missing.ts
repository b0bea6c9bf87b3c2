import { createRequire } from "node:module";

import { BROWSER_HELP, findBrowser } from "../../e2e/support/find-browser.ts";

const NODE_NEEDED = [24, 15] as const;
const CLAUDE = `@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}`;

/** The programs that the tests need and this machine lacks, each with the way to get it. */
export function findMissing(): string[] {
  return [
    ...(isNodeNewEnough()
      ? []
      : [
          `Node ${NODE_NEEDED.join(".")} or newer (this is ${process.versions.node}). Start the tests with ` +
            "`npm test` after `npm ci`: on Linux that brings Node 24. Elsewhere see https://nodejs.org.",
        ]),
    ...(findBrowser() === undefined ? [`Chromium. ${BROWSER_HELP}`] : []),
    ...([CLAUDE, `${CLAUDE}-musl`].some((name) => isInstalled(`${name}/package.json`))
      ? []
      : [`The program of Claude Code (${CLAUDE}). Run \`npm ci\` without --omit=optional.`]),
  ];
}

function isNodeNewEnough(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  return major > NODE_NEEDED[0] || (major === NODE_NEEDED[0] && minor >= NODE_NEEDED[1]);
}

function isInstalled(file: string): boolean {
  try {
    createRequire(import.meta.url).resolve(file);
    return true;
  } catch {
    return false; // that is the answer
  }
}
