import type { Engine } from "./engine.ts";
import { must } from "./place.ts";

/** What another container tries, in the words of Node; each throws where it is kept out. */
const ATTEMPTS = {
  "the gateway, as if passed on by the proxy": `
    await fetch("http://172.30.0.11:4870/api/agents", { headers: {
      host: "agents.example.org", "x-forwarded-for": "172.30.0.10", "x-forwarded-proto": "https" } })`,
  "its health": `await fetch("http://172.30.0.12:4870/readyz")`,
  "the door for nodes without the secret": `await new Promise((done, fail) =>
    tls.connect({ host: "172.30.0.11", port: 4871, rejectUnauthorized: false }, done).on("error", fail))`,
  "the door for nodes with another secret": `await new Promise((done, fail) =>
    tls.connect({ host: "172.30.0.12", port: 4871, ciphers: "PSK", maxVersion: "TLSv1.2", checkServerIdentity() {},
      pskCallback: () => ({ psk: Buffer.alloc(32), identity: "holdpoint" }) }, done).on("error", fail))`,
};
const SAY = `const left = [];
  for (const [what, attempt] of Object.entries(attempts)) await attempt().then(() => left.push(what), () => undefined);
  console.log(JSON.stringify(left));`;

/** Tries from a container in the same network, and from one in that of the proxy, what neither must be able to do. */
export async function lookAround(engine: Engine, print: (line: string) => void): Promise<void> {
  const attempts = Object.entries(ATTEMPTS).map(
    ([what, code]) =>
      `${JSON.stringify(what)}: () => Promise.race([(async () => { ${code} })(), late()])`,
  );
  const program = `const tls = require("node:tls");
    const late = () => new Promise((_, fail) => setTimeout(fail, 3000));
    const attempts = {${attempts.join(",")}};
    (async () => { ${SAY} process.exit(); })();`;
  for (const network of ["holdpoint_inside", "holdpoint_outside"]) {
    const entry = ["--entrypoint", "node", "holdpoint-node-1", "-e", program];
    const reached = await engine.run("run", "--rm", "--network", network, ...entry);
    must(reached === "[]", `A container in ${network} reaches ${reached}.`);
  }
  const password = ["--env", "PGPASSWORD=guessed", "--entrypoint", "psql", "postgres:18"];
  const login = ["--host=postgres", "--username=holdpoint", "--no-password", "--command=SELECT 1"];
  const { code, stderr } = await engine.try(
    "run",
    "--rm",
    "--network=holdpoint_inside",
    ...password,
    ...login,
  );
  must(code !== 0 && stderr.includes("password authentication failed"), `Postgres: ${stderr}`);
  print("a neighbour in either network reaches no node, and the database not without its password");
}
