import { join } from "node:path";

import type { Engine } from "./engine.ts";

/** The images that the files in deploy begin with, and what stands in for each. */
const STAND_INS = { "node:24-slim": "node", "postgres:18": "postgres", "caddy:2": "caddy" };

/** Makes what stands in for the images of others, of the materials in a folder. */
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
