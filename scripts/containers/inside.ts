// `try-containers.ts` runs this in separate namespaces: nothing that happens here is reachable from outside, or
// lasts.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

import { Engine } from "./engine.ts";
import { makeStandIns } from "./images.ts";
import { REGISTRY } from "./materials.ts";
import { openRegistry } from "./package-registry.ts";
import { tryAgent } from "./try-agent.ts";
import { tryCompose } from "./try-compose.ts";
import { tryImage } from "./try-image.ts";
import { tryService } from "./try-service.ts";

const [folder = "", ...wanted] = process.argv.slice(2);
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const TRIES = { image: tryImage, agent: tryAgent, compose: tryCompose, service: tryService };

let failed = 0;
spawnSync("ip", ["link", "set", "lo", "up"]);
{
  await using engine = await Engine.start(join(folder, "docker"));
  await using _ = await openRegistry(join(folder, "installed"), REGISTRY);
  print(`Docker ${await engine.run("version", "--format", "{{.Server.Version}}")}`);
  await makeStandIns(engine, folder);
  for (const [name, tryIt] of Object.entries(TRIES)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    print(name);
    try {
      await tryIt({ engine, folder, print: (line) => print(`  works: ${line}`) });
    } catch (problem: unknown) {
      failed += 1;
      print(`  FAILED: ${problem instanceof Error ? problem.message : String(problem)}`);
    }
  }
}
process.exit(failed > 0 ? 1 : 0);
