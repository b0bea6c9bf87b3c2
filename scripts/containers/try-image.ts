import type { Engine } from "./engine.ts";

export interface Place {
  readonly engine: Engine;
  readonly folder: string;
  readonly print: (line: string) => void;
}

export async function tryImage({ engine, print }: Place): Promise<void> {
  print(await engine.run("build", "--tag", "holdpoint", "deploy"));
}
