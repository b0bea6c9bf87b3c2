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
  // The index is written anew, which runs a hook, where a file that is the same has another time.
  utimesSync(join(work, "sub/b.txt"), 1, 1);
});

const verdictOn = async (command: string, cwd = work) =>
  (await judge({ toolName: "Bash", input: { command }, cwd }))?.action;

/** A repository among the files, which git looks into although no file says that it is a submodule. */
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

/** Commands that are taken for reading. */
const READING = [
  ["status"],
  ["diff"],
  ["log", "-p", "-1"],
  ["show", "HEAD"],
  ["-p", "log"],
  ["ls-remote", "origin"],
  ["blame", "a.txt"],
];

/** What a repository can bring, and whether git runs it even with what the agent's environment says. */
const ATTACKS: readonly (readonly [name: string, runs: boolean, plant: () => void])[] = [
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
  ["core.fsmonitor", false, () => git("config", "core.fsmonitor", `touch ${mark};`)],
];

const plain = () => "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n";

test.for(ATTACKS)(
  "[R-5] git is asked about where it would run a program: %s",
  async ([, runs, plant]) => {
    plant();
    let ran = false;
    for (const args of READING) {
      try {
        git(...args);
      } catch {
        // It fails; what counts is what has run.
      }
      ran ||= existsSync(mark);
    }
    expect(ran).toBe(runs);
    for (const folder of [work, join(work, "sub")]) {
      expect(await verdictOn("git status", folder)).toBe(runs ? "ask" : undefined);
    }
    if (!runs) return;
    for (const command of [
      "git log",
      "cd sub && git diff",
      "/usr/bin/git status",
      `"git" -C ${work} status`,
      "g\\it status",
      "echo x | git status",
      "bash -c 'git status'",
      "FOO=1 git --no-pager log",
    ]) {
      expect([command, await verdictOn(command)]).toEqual([command, "ask"]);
    }
    expect(await verdictOn(`git -C ${work} status`, root)).toBe("ask");
    expect(await verdictOn("ls -la")).toBeUndefined();
  },
);

test("a repository that a clone brings among its files runs nothing", () => {
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

test("[R-5] what has the runtime run git by itself is asked about as git is", async () => {
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
  git("config", "core.sshCommand", `touch ${mark};`);
  expect(await verdicts()).toEqual(calls.map(() => expect.objectContaining({ action: "ask" })));
  const plain = { toolName: "Agent", input: { subagent_type: "Explore" }, cwd: work };
  expect(await judge(plain)).toBeUndefined();
});

test("git is not asked about in an ordinary repository, nor outside of one", async () => {
  git("remote", "add", "origin", "https://a.invalid/x.git");
  git("config", "branch.main.remote", "origin");
  git("config", "branch.main.merge", "refs/heads/main");
  git("config", "user.email", "a@b");
  git("config", "core.hooksPath", ".husky/_");
  git("config", "core.autocrlf", "input");
  git("config", "pull.rebase", "true");
  write(".husky/_/pre-commit", "#!/bin/sh\n", 0o755);
  git("worktree", "add", "--quiet", join(root, "beside"), "-b", "beside");
  for (const folder of [work, join(work, "sub"), join(root, "beside"), root]) {
    expect([folder, await verdictOn("git status && cd . && git log", folder)]).toEqual([
      folder,
      undefined,
    ]);
  }
});
