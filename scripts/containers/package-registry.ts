import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";

interface Kept {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
}

/** Serves the packages installed in a folder as a registry would, so that npm in a container can install them again. */
export async function openRegistry(
  installed: string,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<AsyncDisposable> {
  const kept = readKept(installed);
  const server = createServer(({ url = "" }, response) => {
    const path = decodeURIComponent(url.slice(1));
    const file = kept.find(({ name, version }) => path === `files/${name}/${version}.tgz`);
    if (file) return sendArchive(file, response);
    const versions = kept.filter(({ name }) => name === path);
    response.writeHead(versions.length > 0 ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(describe(versions, `http://${host}:${port}`)));
  });
  server.listen(port, "0.0.0.0");
  await once(server, "listening");
  return {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function readKept(installed: string): readonly Kept[] {
  const lock = readFileSync(join(installed, "node_modules/.package-lock.json"), "utf8");
  const { packages } = JSON.parse(lock) as { packages: Record<string, { version: string }> };
  return Object.entries(packages).map(([path, { version }]) => {
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    return { name, version, folder: join(installed, path) };
  });
}

function describe(kept: readonly Kept[], origin: string): unknown {
  const versions = kept.map(({ name, version, folder }) => {
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as object;
    const tarball = `${origin}/files/${name}/${version}.tgz`;
    return [version, { ...manifest, dist: { tarball } }] as const;
  });
  return {
    name: kept[0]?.name,
    "dist-tags": { latest: kept[0]?.version },
    versions: Object.fromEntries(versions),
  };
}

function sendArchive({ folder }: Kept, response: ServerResponse): void {
  const flags = ["--exclude=./node_modules", "--transform=s,^[.],package,", "-czf", "-", "."];
  const tar = spawn("tar", ["-C", folder, ...flags], { stdio: ["ignore", "pipe", "inherit"] });
  response.writeHead(200, { "content-type": "application/octet-stream" });
  tar.stdout.pipe(response);
}
