// npm run try:containers: builds the image of deploy/Dockerfile, runs it and deploy/compose.yaml as
// guides/operations.md describes, and starts deploy/holdpoint.service under systemd. All of it runs in separate
// namespaces, with a separate Docker, on stand-ins for third-party images. Exits with 1 when something does not work,
// and with 2 when it cannot be tried.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { CONTROL_GROUP } from "./containers/engine.ts";
import { gatherMaterials } from "./containers/materials.ts";

const NEEDED = [
  ["dockerd"],
  ["docker", "compose"],
  ["debootstrap"],
  ["systemd-nspawn"],
  ["unshare"],
] as const;
const NAMESPACES = ["--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"];
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const missing = NEEDED.find(
  ([program, ...args]) => spawnSync(program, [...args, "--help"]).status !== 0,
);
if (missing || process.getuid?.() !== 0) {
  print(
    missing ? `NOT TRIED: there is no ${missing.join(" ")} here.` : "NOT TRIED: this needs root.",
  );
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), "holdpoint-containers-"));
try {
  gatherMaterials(folder, print);
  const inside = [
    process.execPath,
    "scripts/containers/inside.ts",
    folder,
    ...process.argv.slice(2),
  ];
  const child = spawn("unshare", [...NAMESPACES, ...inside], { stdio: ["ignore", 1, 2] });
  let isEnded = false;
  const end = (): void => void (isEnded = child.kill());
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, end);
  const [code] = (await once(child, "exit")) as [number | null];
  process.exitCode = isEnded ? 1 : (code ?? 1);
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  // Docker and systemd leave only empty groups.
  const groups = ["-depth", "-type", "d", "-path", `*/${CONTROL_GROUP}*`];
  spawnSync("find", ["/sys/fs/cgroup", ...groups, "-exec", "rmdir", "{}", "+"]);
}
