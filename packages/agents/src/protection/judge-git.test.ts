import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { claudeEnvironment } from "../claude/claude-environment.ts";
import { createGitJudge } from "./judge-git.ts";

let root: string;
let work: string;
let mark: string;
const environment = claudeEnvironment({ PATH: process.env["PATH"] ?? "" });
const judge = createGitJudge(environment);

const git = (...args: string[]) =>
  execFileSync("git", args, {
    cwd: work,
    env: { ...environment, HOME: root, GIT_CONFIG_NOSYSTEM: "1" },
    stdio: "pipe",
  });

function write(name: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(join(work, name)), { recursive: true });
  writeFileSync(join(work, name), text);
  chmodSync(join(work, name), mode);
}

function commit(): void {
  git("add", ".");
  git("-c", "user.name=A", "-c", "user.email=a@b", "commit", "--quiet", "-m", "one");
}

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "judge-git-")));
});
afterAll(() => rmSync(root, { recursive: true }));
beforeEach(() => {
  work = mkdtempSync(join(root, "work-"));
  mark = join(work, "ran");
  git("init", "--quiet", "--initial-branch=main");
  write("a.txt", "one\n");
  write("sub/b.txt", "one\n");
  write(".gitattributes", "* filter=evil diff=evil\n");
  write(".gitignore", "ran\n");
  commit();
  write("a.txt", "two\n");
  // Git rewrites the index, which runs a hook, when an unchanged file has a new time.
  utimesSync(join(work, "sub/b.txt"), 1, 1);
});

const verdictOn = async (command: string, cwd = work) =>
  (await judge({ toolName: "Bash", input: { command }, cwd }))?.action;

/** A repository among the files, which git inspects although it is not declared as a submodule. */
function plantInner(): void {
  const inner = (...args: string[]) => git("-C", "inner", ...args);
  write("inner/.gitattributes", "* filter=evil\n");
  write("inner/c.txt", "one\n");
  inner("init", "--quiet");
  inner("add", ".");
  inner("-c", "user.name=A", "-c", "user.email=a@b", "commit", "--quiet", "-m", "one");
  git("add", "inner");
  write("inner/c.txt", "two\n");
  inner("config", "filter.evil.clean", `touch ${mark}; cat`);
}

/** Commands that only read. */
const READING = [
  ["status"],
  ["diff"],
  ["log", "-p", "-1"],
  ["show", "HEAD"],
  ["-p", "log"],
  ["ls-remote", "origin"],
  ["blame", "a.txt"],
];

/** A submodule with a name that is not UTF-8. */
function plantNameless(): void {
  plantInner();
  const script = `mv inner "$(printf 'in\\377')" && git rm -rq --cached inner && git add in*`;
  execFileSync("sh", ["-c", script], {
    cwd: work,
    env: { ...environment, HOME: root },
    stdio: "pipe",
  });
}

/** Moves `.git`, or its shared folder, into a folder with this name; the file that names it ends with a line feed. */
function moveGit(name: Buffer, end = "\n"): void {
  git("config", "filter.evil.clean", `touch ${mark}; cat`);
  renameSync(join(work, ".git"), Buffer.concat([Buffer.from(`${work}/`), name]));
  writeFileSync(
    join(work, ".git"),
    Buffer.concat([Buffer.from("gitdir: "), name, Buffer.from(end)]),
  );
}

function shareGit(name: Buffer, end = "\n"): void {
  moveGit(Buffer.from("shared"));
  rmSync(join(work, ".git"));
  renameSync(join(work, "shared"), Buffer.concat([Buffer.from(`${work}/`), name]));
  mkdirSync(join(work, ".git"));
  const script =
    'for each in s*; do if [ -f "$each/HEAD" ]; then cp "$each/HEAD" "$each/index" .git; fi; done';
  execFileSync("sh", ["-c", script], { cwd: work });
  const named = [Buffer.from("../"), name, Buffer.from(end)];
  writeFileSync(join(work, ".git/commondir"), Buffer.concat(named));
}

/** Removes the content of a file, which a bare copy in the folder still has. */
function missObject(): void {
  git("clone", "--quiet", "--bare", ".", "vendor.git");
  const object = String(git("rev-parse", "HEAD:a.txt")).trim();
  rmSync(join(work, ".git/objects", object.slice(0, 2), object.slice(2)));
  git("config", "core.repositoryformatversion", "1");
  git("config", "extensions.partialClone", "origin");
  git("config", "remote.origin.url", "./vendor.git");
  git("config", "remote.origin.promisor", "true");
}

/** Programs that a repository can bring, and whether git runs each even with the agent's environment. */
const ATTACKS: readonly (readonly [
  name: string,
  runs: boolean,
  plant: () => void,
  isAsked?: true,
])[] = [
  ["filter.evil.clean", true, () => git("config", "filter.evil.clean", `touch ${mark}; cat`)],
  ["filter.evil.process", true, () => git("config", "filter.evil.process", `touch ${mark}`)],
  ["diff.external", true, () => git("config", "diff.external", `touch ${mark};`)],
  ["diff.evil.textconv", true, () => git("config", "diff.evil.textconv", `touch ${mark}; cat`)],
  ["diff.evil.command", true, () => git("config", "diff.evil.command", `touch ${mark};`)],
  [
    "a key in the line of its section",
    true,
    () => write(".git/config", `${plain()}[Filter "evil"]clean = "touch ${mark}; cat"\n`),
  ],
  [
    "a section in the value of another",
    true,
    () =>
      write(
        ".git/config",
        `${plain()}[core]\n\teol = a\\\n[branch "x"]\n\tsshCommand = touch ${mark};\n[remote "origin"]\n\turl = ssh://a.invalid/x\n`,
      ),
  ],
  [
    "another file of settings",
    true,
    () => {
      write("more.txt", `[filter "evil"]\n\tclean = touch ${mark}; cat\n`);
      git("config", "include.path", "../more.txt");
    },
  ],
  [
    "settings of the worktree alone",
    true,
    () => {
      git("config", "extensions.worktreeConfig", "true");
      write(".git/config.worktree", `[filter "evil"]\n\tclean = touch ${mark}; cat\n`);
    },
  ],
  [
    "a hook",
    true,
    () => write(".git/hooks/post-index-change", `#!/bin/sh\ntouch ${mark}\n`, 0o755),
  ],
  [
    "a hook elsewhere",
    true,
    () => {
      git("config", "core.hooksPath", "sub");
      write("sub/post-index-change", `#!/bin/sh\ntouch ${mark}\n`, 0o755);
    },
  ],
  [
    "ssh",
    true,
    () => {
      git("config", "core.sshCommand", `touch ${mark};`);
      git("config", "remote.origin.url", "ssh://a.invalid/x");
    },
  ],
  [
    "a protocol",
    true,
    () => {
      git("config", "protocol.ext.allow", "always");
      git("config", "remote.origin.url", `ext::touch ${mark}`);
    },
  ],
  [
    "a repository in the files of another",
    true,
    () => {
      write("sub/.git/broken", "");
      git("config", "filter.evil.clean", `touch ${mark}; cat`);
    },
  ],
  ["a submodule", true, () => plantInner()],
  [
    "a submodule in an index of the newest version",
    true,
    () => {
      plantInner();
      git("update-index", "--index-version", "4");
    },
  ],
  [
    "a submodule that a setting moves",
    true,
    () => {
      plantInner();
      renameSync(join(work, ".git"), join(work, "sub", "elsewhere"));
      write(".git", "gitdir: sub/elsewhere\n");
      git("config", "core.worktree", "../..");
    },
  ],
  [
    "a split index",
    true,
    () => {
      plantInner();
      git("update-index", "--split-index");
    },
  ],
  ["a submodule whose name is no text", true, () => plantNameless()],
  ["a .git file with a blank at its end", true, () => moveGit(Buffer.from("meta "))],
  ["a .git file with a tab at its end", true, () => moveGit(Buffer.from("meta\t"))],
  ["a .git file with a no-break space", true, () => moveGit(Buffer.from("meta\u00A0"))],
  ["a .git file with a line feed within", true, () => moveGit(Buffer.from("me\nta"))],
  ["a .git file that is no text", true, () => moveGit(Buffer.from([0x6d, 0xff]))],
  ["a .git file that is too long", true, () => moveGit(Buffer.from("meta"), "\n".repeat(300_000))],
  ["a commondir with a blank at its end", true, () => shareGit(Buffer.from("shared "))],
  ["a commondir that is no text", true, () => shareGit(Buffer.from([0x73, 0xff]))],
  [
    "a commondir that is too long",
    true,
    () => shareGit(Buffer.from("shared"), "\n".repeat(300_000)),
  ],
  [
    "a program of git-lfs",
    false,
    () => git("config", "lfs.extension.x.clean", `touch ${mark}; cat`),
    true,
  ],
  [
    "a hook of the work after a fetch of a missing object",
    false,
    () => {
      missObject();
      write(".git/hooks/pre-auto-gc", `#!/bin/sh\ntouch ${mark}\n`, 0o755);
    },
    true,
  ],
  [
    "the program of a missing object",
    true,
    () => {
      missObject();
      git("config", "remote.origin.uploadpack", `touch ${mark};`);
    },
  ],
  ["a missing object alone", false, () => missObject(), true],
  ["the work after a fetch", false, () => git("config", "gc.auto", "1"), true],
  ["the work in the background", false, () => git("config", "maintenance.auto", "true"), true],
  ["a helper for addresses", false, () => git("config", "remote.origin.url", "x::y"), true],
  [
    "a hook of changed references",
    false,
    () => write(".git/hooks/reference-transaction", `#!/bin/sh\ntouch ${mark}\n`, 0o755),
    true,
  ],
  [
    "a hook of the work after a fetch that begins as Husky's",
    false,
    () =>
      write(".git/hooks/pre-auto-gc", `#!/usr/bin/env sh\n. "$(dirname "$0")/h"; touch x`, 0o755),
    true,
  ],
  ["core.fsmonitor", false, () => git("config", "core.fsmonitor", `touch ${mark};`)],
];

const plain = () => "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n";

test.for(ATTACKS)(
  "[R-5] git is asked about when it would run a program: %s",
  async ([, runs, plant, isAsked = runs]) => {
    plant();
    let ran = false;
    for (const args of READING) {
      try {
        git(...args);
      } catch {
        // It fails; only the programs that ran matter.
      }
      ran ||= existsSync(mark);
    }
    expect(ran).toBe(runs);
    for (const folder of [work, join(work, "sub")]) {
      expect(await verdictOn("git status", folder)).toBe(isAsked ? "ask" : undefined);
    }
    if (!isAsked) return;
    for (const command of [
      "git log",
      "cd sub && git diff",
      "/usr/bin/git status",
      `"git" -C ${work} status`,
      "g\\it status",
      "echo x | git status",
      "bash -c 'git status'",
      "FOO=1 git --no-pager log",
      "gh pr view",
    ]) {
      expect([command, await verdictOn(command)]).toEqual([command, "ask"]);
    }
    expect(await verdictOn(`git -C ${work} status`, root)).toBe("ask");
    expect(await verdictOn("ls -la")).toBeUndefined();
  },
);

test("[R-5] a repository missing from the index is asked about when git looks into it", async () => {
  plantInner();
  git("-c", "user.name=A", "-c", "user.email=a@b", "commit", "--quiet", "-m", "inner");
  git("-C", "inner", "config", "--unset", "filter.evil.clean");
  git("-C", "inner", "config", "diff.external", `touch ${mark};`);
  git("rm", "--quiet", "--cached", "inner");
  git("-c", "user.name=A", "-c", "user.email=a@b", "commit", "--quiet", "-m", "out");
  const command = ["log", "-p", "--submodule=diff"];
  git("-c", "diff.submodule=short", ...command);
  expect(await verdictOn("git log -p")).toBeUndefined();
  expect(await verdictOn(`git ${command.join(" ")}`)).toBe("ask");
  git("config", "diff.submodule", "diff");
  expect(await verdictOn("git log -p")).toBe("ask");
});

test("[R-5] git is asked about in a folder whose name is a pattern or not text", async () => {
  plantInner();
  git("rm", "--quiet", "--cached", "-f", "inner");
  expect(await verdictOn("git status")).toBeUndefined();
  for (const command of [
    "git -C inn?r status",
    "cd in*er && git status",
    "cd $'in\\xff' && git status",
    "cd $'in\\377' && git status",
  ]) {
    expect([command, await verdictOn(command)]).toEqual([command, "ask"]);
  }
  expect(await verdictOn("git status", join(work, "in\uFFFD"))).toBe("ask");
});

test("a repository among a clone's files runs nothing", () => {
  const buried = join(work, "buried");
  execFileSync("git", ["init", "--quiet", "--bare", buried]);
  for (const [key, value] of [
    ["core.bare", "false"],
    ["core.worktree", "."],
    ["core.fsmonitor", `touch ${mark};`],
    ["diff.external", `touch ${mark};`],
  ] as const) {
    execFileSync("git", ["--git-dir", buried, "config", key, value]);
  }
  for (const args of READING) {
    try {
      git("-C", buried, ...args);
    } catch {
      // As it should.
    }
  }
  expect(existsSync(mark)).toBe(false);
});

test("[R-5] tools that make the runtime run git are asked about as git is", async () => {
  const calls: readonly (readonly [string, Record<string, unknown>])[] = [
    ["EnterWorktree", { name: "x" }],
    ["ExitWorktree", { action: "remove" }],
    ["Agent", { prompt: "x", isolation: "worktree" }],
    ["Task", { prompt: "x", subagent_type: "of-a-person" }],
    ["Skill", { skill: "commit" }],
  ];
  const verdicts = () =>
    Promise.all(calls.map(([toolName, input]) => judge({ toolName, input, cwd: work })));
  expect(await verdicts()).toEqual(calls.map(() => undefined));
  write(".git/hooks/post-checkout", "#!/bin/sh\n", 0o755);
  expect(await verdictOn("git status")).toBeUndefined();
  expect(await verdicts()).toEqual(calls.map(() => expect.objectContaining({ action: "ask" })));
  rmSync(join(work, ".git/hooks/post-checkout"));
  git("config", "core.sshCommand", `touch ${mark};`);
  expect(await verdicts()).toEqual(calls.map(() => expect.objectContaining({ action: "ask" })));
  const plain = { toolName: "Agent", input: { subagent_type: "Explore" }, cwd: work };
  expect(await judge(plain)).toBeUndefined();
});

test("git is not asked about in an ordinary repository, or outside of one", async () => {
  git("remote", "add", "origin", "https://a.invalid/x.git");
  git("config", "branch.main.remote", "origin");
  git("config", "branch.main.merge", "refs/heads/main");
  git("config", "user.email", "a@b");
  git("config", "core.hooksPath", ".husky/_");
  git("config", "core.autocrlf", "input");
  git("config", "pull.rebase", "true");
  const husky = '#!/usr/bin/env sh\n. "$(dirname "$0")/h"';
  for (const name of ["pre-commit", "post-checkout", "pre-auto-gc"]) {
    write(`.husky/_/${name}`, husky, 0o755);
  }
  write(".husky/_/h", "#!/bin/sh\n", 0o755);
  git("config", "lfs.repositoryformatversion", "0");
  git("config", "lfs.https://a.invalid/x.git/info/lfs.locksverify", "true");
  git("worktree", "add", "--quiet", join(root, "beside"), "-b", "beside");
  for (const folder of [work, join(work, "sub"), join(root, "beside"), root]) {
    expect([folder, await verdictOn("git status && cd . && git log", folder)]).toEqual([
      folder,
      undefined,
    ]);
  }
});
