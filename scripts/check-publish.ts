// Packs `holdpoint`, installs it into an empty folder, starts it there, opens the page, and stops it.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const EXPECTED = [
  "LICENSE",
  "README.md",
  "bin/holdpoint.js",
  "dist/main.mjs",
  "dist/host-program.mjs",
  "dist/web/index.html",
];

const folder = mkdtempSync(join(tmpdir(), "holdpoint-pack-"));
try {
  execFileSync("node", ["scripts/build-package.ts"], { stdio: "inherit" });
  const packed = execFileSync(
    "npm",
    ["pack", "--json", "-w", "holdpoint", "--pack-destination", folder],
    {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  const [{ filename, files }] = JSON.parse(packed) as [
    { filename: string; files: { path: string }[] },
  ];
  const paths = files.map((file) => file.path);
  const missing = EXPECTED.filter((path) => !paths.includes(path));
  const surplus = paths.filter((path) => /\.(ts|tsx|test\.js|map)$/.test(path));
  if (missing.length + surplus.length > 0)
    throw new Error(`missing: ${missing.join()}; surplus: ${surplus.join()}`);

  writeFileSync(join(folder, "package.json"), `{"name":"empty","private":true}`);
  execFileSync(
    "npm",
    ["install", "--no-audit", "--no-fund", "--omit=dev", join(folder, filename)],
    {
      cwd: folder,
      stdio: ["ignore", "ignore", "inherit"],
    },
  );
  await startAndStop();
  process.stdout.write(`holdpoint packs (${paths.length} files), installs, starts and stops.\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function startAndStop(): Promise<void> {
  const bin = join(folder, "node_modules/holdpoint/bin/holdpoint.js");
  const flags = ["--json", "--port", "0", "--data-dir", join(folder, "data")];
  const gateway = spawn(process.execPath, [bin, ...flags], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(gateway, "exit");
  const limit = AbortSignal.timeout(60_000);
  limit.addEventListener("abort", () => gateway.kill("SIGKILL"));
  for await (const line of createInterface({ input: gateway.stdout })) {
    const { url } = JSON.parse(line) as { url: string };
    const health = await fetch(`${url}/healthz`);
    const page = await (await fetch(url)).text();
    if (!health.ok || !page.includes("<div id="))
      throw new Error("The installed gateway does not serve its page.");
    gateway.kill("SIGTERM");
  }
  const [code] = (await exited) as [number | null];
  if (code !== 0) throw new Error(`The installed gateway ended with ${code}.`);
}
