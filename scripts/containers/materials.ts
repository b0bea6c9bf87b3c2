import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

import { installInto } from "../publish/install-into.ts";
import { MACHINE } from "./engine.ts";

const CACHE = "node_modules/.cache/containers";
const RELEASE = "bookworm";
/** The registry that the containers install from. */
export const REGISTRY = { host: MACHINE, port: 4873 } as const;
/** Debian as the base of the images, and with the programs that stand in for services. */
const TREES = {
  "debian-slim": [],
  "debian-services": ["caddy", "postgresql", "systemd-sysv"],
} as const;

/**
 * Puts the materials of the images into a folder: two trees of Debian, the installed package with its dependencies,
 * Node and npm. Only this step needs packages from elsewhere. Debian's packages are kept for the next run.
 */
export function gatherMaterials(folder: string, print: (line: string) => void): void {
  for (const [name, packages] of Object.entries(TREES)) {
    const archive = join(CACHE, `${name}.tar`);
    if (!existsSync(archive)) {
      print(`makes ${name}, a tree of Debian`);
      makeTree(join(folder, "tree"), archive, packages);
    }
    copyFileSync(archive, join(folder, `${name}.tar`));
  }
  const installed = join(folder, "installed");
  mkdirSync(installed);
  writeFileSync(join(installed, "package.json"), `{"private":true}`);
  const packing = ["pack", "--json", "./dist/holdpoint", "--pack-destination", "deploy"];
  const said = execFileSync("npm", packing, { encoding: "utf8", stdio: ["ignore", "pipe", 2] });
  const [{ filename }] = JSON.parse(said) as [{ filename: string }];
  installInto(installed, [resolve("deploy", filename)]);

  const images = join(folder, "images");
  cpSync("scripts/containers/stand-ins", images, { recursive: true });
  copyFileSync(realpathSync(process.execPath), join(images, "node"));
  const npm = execFileSync("sh", ["-c", "command -v npm"], { encoding: "utf8" }).trim();
  cpSync(dirname(dirname(realpathSync(npm))), join(images, "npm"), { recursive: true });
  writeFileSync(
    join(images, "npmrc"),
    `registry=http://${REGISTRY.host}:${REGISTRY.port}/\nupdate-notifier=false\n`,
  );
}

function makeTree(tree: string, archive: string, packages: readonly string[]): void {
  mkdirSync(CACHE, { recursive: true });
  const including = packages.length > 0 ? [`--include=${packages.join(",")}`] : [];
  run("debootstrap", ["--variant=minbase", ...including, RELEASE, tree]);
  const left = ["./var/cache/apt", "./var/lib/apt/lists", "./dev"].map(
    (path) => `--exclude=${path}/*`,
  );
  run("tar", ["-C", tree, ...left, "-cf", `${archive}.part`, "."]);
  run("mv", [`${archive}.part`, archive]);
  run("rm", ["-rf", tree]);
}

function run(program: string, args: readonly string[]): void {
  execFileSync(program, args, { stdio: ["ignore", "ignore", 2] });
}
