import { join } from "node:path";

import type { Engine } from "./engine.ts";

/** The base images of the files in deploy, and their stand-ins. */
const STAND_INS = { "node:24-slim": "node", "postgres:18": "postgres", "caddy:2": "caddy" };

/** Builds the stand-ins for third-party images from the materials in a folder. */
export async function makeStandIns(engine: Engine, folder: string): Promise<void> {
  for (const tree of ["debian-slim", "debian-services"]) {
    await engine.load(join(folder, `${tree}.tar`), tree);
  }
  const context = join(folder, "images");
  for (const [image, name] of Object.entries(STAND_INS)) {
    const file = join(context, `${name}.Dockerfile`);
    await engine.run("build", "--quiet", "--tag", image, "--file", file, context);
  }
}
