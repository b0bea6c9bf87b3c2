import type { Engine } from "./engine.ts";
import { must } from "./place.ts";

const PROXY = "holdpoint-proxy-1";
const PROXY_ADDRESS = "172.30.0.10";
/** The attempts of another container, as Node code. Each returns a status, and throws when there is no answer. */
const ATTEMPTS = {
  api: `get("172.30.0.11", "/api/agents", { host: "agents.example.org", "x-forwarded-for": "${PROXY_ADDRESS}" })`,
  "another name": `get("172.30.0.12", "/api/agents", { host: "evil.example" })`,
  health: `get("172.30.0.12", "/readyz", {})`,
  figures: `get("172.30.0.11", "/metrics", { host: "agents.example.org" })`,
  "the door for nodes": `connect({ host: "172.30.0.11", rejectUnauthorized: false })`,
  "the door for nodes with another secret": `connect({ host: "172.30.0.12", ciphers: "PSK", maxVersion: "TLSv1.2",
    checkServerIdentity() {}, pskCallback: () => ({ psk: Buffer.alloc(32), identity: "holdpoint" }) })`,
};
const PROGRAM = `
  const { request } = require("node:http");
  const tls = require("node:tls");
  const get = (host, path, headers) => new Promise((done, fail) =>
    request({ host, port: 4870, path, headers }, (answer) => done(answer.statusCode)).on("error", fail).end());
  const connect = (options) => new Promise((done, fail) =>
    tls.connect({ port: 4871, ...options }, () => done(0)).on("error", fail));
  const late = () => new Promise((_, fail) => setTimeout(fail, 3000));
  const attempts = { ${Object.entries(ATTEMPTS)
    .map(([what, code]) => `${JSON.stringify(what)}: ${code}`)
    .join(", ")} };
  const looks = Object.entries(attempts).map(([what, attempt]) =>
    Promise.race([attempt, late()]).then((status) => [[what, status]], () => []));
  Promise.all(looks).then((reached) => {
    console.log(JSON.stringify(Object.fromEntries(reached.flat())));
    process.exit();
  });`;
/** The results for anyone with the proxy's address: the same as from elsewhere through the proxy. */
const AS_THE_PROXY = { api: 401, "another name": 421, health: 200, figures: 401 };

/** Tries forbidden actions from other containers. */
export async function lookAround(engine: Engine, print: (line: string) => void): Promise<void> {
  const reach = (...where: readonly string[]): Promise<string> =>
    engine.run("run", "--rm", ...where, "--entrypoint", "node", "holdpoint-node-1", "-e", PROGRAM);
  for (const network of ["holdpoint_inside", "holdpoint_outside"]) {
    const reached = await reach("--network", network);
    must(reached === "{}", `A container in ${network} reaches ${reached}.`);
  }
  const guess = ["--env", "PGPASSWORD=guessed", "--entrypoint", "psql", "postgres:18"];
  const login = ["--host=postgres", "--username=holdpoint", "--command=SELECT 1"];
  const inside = ["run", "--rm", "--network", "holdpoint_inside"];
  const { code, stderr } = await engine.try(...inside, ...guess, ...login);
  must(code !== 0 && stderr.includes("password authentication failed"), `Postgres: ${stderr}`);
  print("a neighbour in either network reaches no node, and the database not without its password");

  await engine.run("stop", PROXY);
  const reached = await reach("--network", "holdpoint_inside", "--ip", PROXY_ADDRESS);
  await engine.run("start", PROXY);
  must(reached === JSON.stringify(AS_THE_PROXY), `With the address of the proxy: ${reached}.`);
  print("one that has taken the address of the proxy is asked for a credential");
}
