import { expect, test } from "vitest";
import { readFile } from "node:fs/promises";
import { openApiDevice } from "./support/api-device.ts";
import { Api, until } from "./support/api.ts";
import { startGateway } from "./support/gateway-process.ts";

const rss = async (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

test("attack", { timeout: 300_000 }, async () => {
  await using gateway = await startGateway();
  const api = new Api(gateway.url);
  const page = await openApiDevice(gateway.launchUrl);
  const token = (await page.createAgentToken({ label: "ci" } as any)).token;
  const agent = new Api(gateway.url, { token });
  const ask = (n: number) => agent.call<any>("POST", "/asks", { kind: "approval", label: "Maria Lopez", prompt: `Deploy ${n}?` });
  const first = await ask(0);
  console.log("ask", first.status, JSON.stringify(first.body).slice(0, 200));
  const id = first.body.interactionId;
  const texts: Record<string, string> = {
    "100kB": "x".repeat(100_000), "1001": "y".repeat(1001), nul: "a\0b", bidi: "\u202eAllowed by Maria", ansi: "\x1b[2J\x1b[31mred", lone: "\ud800", html: "<img src=x onerror=alert(1)>", md: "[Allow](javascript:alert(1)) ![x](https://evil.example/x.png)", zalgo: "a" + "\u0301".repeat(990), spaces: " \u3164\u2800\u200b ", crlf: "ok\r\n\r\nMaria Lopez · 10:00\nAllowed", tags: "\u{e0041}\u{e0042}", };
  for (const [name, text] of Object.entries(texts)) {
    const c = await agent.call<any>("POST", `/asks/${id}/comments`, { text });
    console.log(name, c.status, c.status === 200 ? c.body.comments?.length : JSON.stringify(c.body).slice(0, 160));
  }
  for (const text of [7, null, ["a"], { a: 1 }, "", "   "]) { const c = await agent.call<any>("POST", `/asks/${id}/comments`, { text }); console.log(JSON.stringify(text), c.status); }
  // agent at person's doors
  for (const [m, path, body] of [["POST", `/interactions/${id}/comments`, { text: "hi" }], ["POST", `/interactions/${id}/hand-over`, { to: { person: "x@y.z" } }], ["POST", `/interactions/${id}/remind`, undefined], ["POST", `/asks/${id}/hand-over`, { to: { person: "a" } }], ["POST", `/asks/${id}/remind`, {}], ["PUT", "/sessions/x/given-to", { groups: [] }], ["GET", "/groups", undefined]] as const) {
    const c = await agent.call<any>(m, path, body); console.log(m, path, c.status, JSON.stringify(c.body)?.slice(0, 120));
  }
  const other = new Api(gateway.url, { token: (await page.createAgentToken({ label: "other" } as any)).token });
  console.log("other's", (await other.call("POST", `/asks/${id}/comments`, { text: "x" })).status);
  // floods
  const before = await rss(gateway.pid);
  let t = performance.now();
  const counts: Record<string, number> = {};
  for (let i = 0; i < 10_000; i += 50) {
    const all = await Promise.all(Array.from({ length: 50 }, (_, k) => agent.call<any>("POST", `/asks/${id}/comments`, { text: `flood ${i + k}` })));
    for (const { status, body } of all) { const key = `${status} ${body?.error?.code ?? body?.code ?? ""}`; counts[key] = (counts[key] ?? 0) + 1; }
  }
  console.log("10000 comments of the program", counts, Math.round(performance.now() - t), "ms", Math.round(before), "→", Math.round(await rss(gateway.pid)));
  t = performance.now(); for (const k in counts) delete counts[k];
  for (let i = 0; i < 10_000; i += 50) {
    const all = await Promise.all(Array.from({ length: 50 }, (_, k) => api.call<any>("POST", `/interactions/${id}/comments`, { text: `flood ${i + k}` })));
    for (const { status, body } of all) { const key = `${status} ${body?.error?.code ?? body?.code ?? ""}`; counts[key] = (counts[key] ?? 0) + 1; }
  }
  console.log("10000 of a person", counts, Math.round(performance.now() - t), "ms", Math.round(await rss(gateway.pid)));
  // asked, commented, withdrawn, in a loop
  t = performance.now(); for (const k in counts) delete counts[k];
  for (let i = 0; i < 300; i += 1) {
    const a = await ask(i + 1); counts[`ask ${a.status}`] = (counts[`ask ${a.status}`] ?? 0) + 1;
    if (a.status !== 201) continue;
    await Promise.all(Array.from({ length: 10 }, (_, k) => agent.call("POST", `/asks/${a.body.interactionId}/comments`, { text: `${k}` + "z".repeat(990) })));
    await agent.call("DELETE", `/asks/${a.body.interactionId}`);
  }
  console.log("loop", counts, Math.round(performance.now() - t), "ms", Math.round(await rss(gateway.pid)));
  // after the end
  await agent.call("DELETE", `/asks/${id}`);
  console.log("after", (await agent.call<any>("POST", `/asks/${id}/comments`, { text: "late" })).body, (await api.call<any>("POST", `/interactions/${id}/remind`)).status, (await api.call<any>("POST", `/interactions/${id}/hand-over`, { to: { group: "x" } })).status);
  // races
  for (let r = 0; r < 40; r += 1) {
    const a = await ask(1000 + r); const x = a.body.interactionId; if (!x) { counts[`ask ${a.status}`]=(counts[`ask ${a.status}`]??0)+1; await new Promise(r => setTimeout(r, 1000)); continue; }
    const asked = (await api.call<any>("GET", `/interactions/${x}`)).body;
    const res = await Promise.all([
      agent.call<any>("POST", `/asks/${x}/comments`, { text: "a" }), api.call<any>("POST", `/interactions/${x}/comments`, { text: "b" }),
      api.call<any>("POST", `/interactions/${x}/response`, { action: "approve", digest: asked.approval.digest, approvalScope: "once" }), api.call<any>("POST", `/interactions/${x}/remind`), agent.call<any>("DELETE", `/asks/${x}`), agent.call<any>("POST", `/asks/${x}/comments`, { text: "c" }),
    ]);
    const end = (await api.call<any>("GET", `/interactions/${x}`)).body;
    const line = res.map(({ status }) => status).join(" ") + ` ${end.status} ${end.notes?.given}/${(end.notes?.comments?.length ?? 0) + (end.notes?.reminded?.times ?? 0)}`;
    counts[line] = (counts[line] ?? 0) + 1;
    if (res.some(({ status }) => status >= 500)) console.log("500!", JSON.stringify(res));
  }
  console.log(counts);
  // session deleted while noted
  const sessionId = first.body.sessionId ?? (await api.call<any>("GET", `/interactions/${id}`)).body.sessionId;
  const many = []; for (let i = 0; i < 10; i += 1) many.push((await ask(5000 + i)).body.interactionId);
  const del = await Promise.all([...many.flatMap((x) => [agent.call<any>("POST", `/asks/${x}/comments`, { text: "a" }), api.call<any>("POST", `/interactions/${x}/comments`, { text: "b" }), api.call<any>("POST", `/interactions/${x}/remind`)]), page.deleteSession(sessionId).then(()=>({status:204}),(e)=>({status:String(e)})), ...many.map((x) => api.call<any>("POST", `/interactions/${x}/comments`, { text: "d" }))]);
  const c2: Record<string, number> = {}; for (const { status } of del) c2[status] = (c2[status] ?? 0) + 1;
  console.log("deleted", c2, (await api.call<any>("GET", `/interactions/${many[0]}`)).status, (await api.call<any>("GET", "/interactions?status=pending")).body.items.length);
  console.log(gateway.stderr().split("\n").filter((l) => /"level":"?(50|40|error|warn)/.test(l) || /error/i.test(l)).slice(0, 10).join("\n"));
});
