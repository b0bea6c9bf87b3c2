import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

import { type CommandRule, inEnglish } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { readCommandPattern, whyNeverAllowed } from "./command-pattern.ts";
import { decidingRule, type PlacedRule } from "./command-rules.ts";
import { readCommandWords } from "./command-words.ts";

const CWD = "/work";

function rule(pattern: string, verdict: CommandRule["verdict"] = "allow"): PlacedRule {
  return { rule: { verdict, pattern }, cwd: CWD };
}

function verdictOn(text: string, ...rules: PlacedRule[]) {
  return decidingRule(rules, { text, cwd: CWD })?.rule.verdict;
}

/** Rules that a person might make, each with a command that it covers. */
const PATTERNS: readonly (readonly [pattern: string, command: string])[] = [
  ["npm run *", "npm run build"],
  ["npm test", "npm test"],
  ["npm run * -- --watch", "npm run test -- --watch"],
  ["node scripts/check.js *", "node scripts/check.js all"],
  ["python3 -m pytest *", "python3 -m pytest tests/unit"],
  ["git push origin *", "git push origin main"],
  ["git status", "git status"],
  ["git push -u origin *", "git push -u origin main"],
  ["git clean -xn", "git clean -xn"],
  ["gcc -Wall -O2 -o * *", "gcc -Wall -O2 -o main main.c"],
  ["gradle build", "gradle build"],
  ["mvn -DskipTests package", "mvn -DskipTests package"],
  ["cmake --build *", "cmake --build build"],
  ["tcpdump -nn -i any", "tcpdump -nn -i any"],
  ["git diff --stat *", "git diff --stat main"],
  ["git log -n 5 --oneline", "git log -n 5 --oneline"],
  ["tar cf * *", "tar cf a.tar src"],
  ["tar -czf build.tgz *", "tar -czf build.tgz dist"],
  ["make *", "make all"],
  ["make -j 4 test", "make -j 4 test"],
  ["ssh build-host uptime", "ssh build-host uptime"],
  ["rsync -a * backup", "rsync -a src backup"],
  ["curl -sS http://127.0.0.1:3000/*", ""],
  ["curl -sS localhost:3000/health", "curl -sS localhost:3000/health"],
  ["find src -name *", "find src -name index.ts"],
  ["ls *", "ls src"],
  ["cat *", "cat README.md"],
  ["./build.sh *", "./build.sh fast"],
];
const RULES = PATTERNS.map(([pattern]) => rule(pattern));
/** The rule for a command, and two that cover almost anything. */
const rulesFor = new Map(
  PATTERNS.map(([pattern, command]) => [command, [rule(pattern), rule("ls *"), rule("make *")]]),
);
const COMMANDS = PATTERNS.map(([, command]) => command).filter((command) => command !== "");

test("a rule covers the intended commands", () => {
  for (const command of COMMANDS) {
    expect([command, verdictOn(command, ...RULES)]).toEqual([command, "allow"]);
  }
  for (const same of [
    "  npm   run build ",
    "npm run 'build'",
    '"npm" run bui"ld"',
    "npm 'run' build",
  ]) {
    expect([same, verdictOn(same, ...RULES)]).toEqual([same, "allow"]);
  }
});

/** All ways to put a piece into a command: between its words, within one, and instead of one. */
function mutationsOf(command: string, piece: string): string[] {
  const words = command.split(" ");
  const placed = words.flatMap((word, at) => {
    const put = (...middle: string[]) =>
      [...words.slice(0, at), ...middle, ...words.slice(at + 1)].join(" ");
    return [put(piece, word), put(`${word}${piece}`), put(`${piece}${word}`), put(piece)];
  });
  return [...placed, `${command} ${piece}`];
}

const startingWith = (...programs: string[]) =>
  COMMANDS.filter((command) => programs.some((program) => command.startsWith(`${program} `)));

const options = (...names: string[]) =>
  names.flatMap((name) => [
    name,
    `${name}=x`,
    `${name}=./evil`,
    `${name} x`,
    `'${name}'`,
    `${name}='touch ran'`,
  ]);

/** The dangerous pieces of each family; none may pass, in any position. */
const FAMILIES: Readonly<
  Record<string, readonly [commands: readonly string[], pieces: readonly string[]]>
> = {
  shell: [
    COMMANDS,
    [
      "; touch ran",
      "&& touch ran",
      "|| touch ran",
      "| sh",
      "& touch ran",
      "\ntouch ran",
      "\rtouch ran",
      ";",
      "&",
      "|",
      "\n",
      "$(touch ran)",
      "`touch ran`",
      "<(touch ran)",
      ">(sh)",
      "> ran",
      ">> ran",
      "< /etc/passwd",
      "2>&1",
      "2> ran",
      "<<EOF",
      "<<< ran",
      ">|ran",
      "&>ran",
      "# text",
      "#",
      "(touch ran)",
      "{ touch ran; }",
      "{a,b}",
      "{1..9}",
      "*",
      "?",
      "[a-z]",
      "~",
      "~root",
      "$HOME",
      "${IFS}",
      "$IFS",
      "$'\\x41'",
      '$"x"',
      '"$(touch ran)"',
      '"`touch ran`"',
      '"$HOME"',
      "\\",
      "\\\n",
      "!!",
      "!1",
      "^a^b",
      "$((1))",
      "$[1]",
      ";;",
      "|&",
    ],
  ],
  git: [
    startingWith("git"),
    [
      ...options(
        "--receive-pack",
        "--upload-pack",
        "--exec",
        "-c",
        "--config-env",
        "--exec-path",
        "-C",
        "--git-dir",
        "--work-tree",
        "-O",
        "--open-files-in-pager",
        "--ext-diff",
        "--output",
        "--no-index",
        "-p",
        "--paginate",
        "--namespace",
        "--recei",
        "--rece",
        "--upl",
        "-u",
        "-x",
        "--tool",
        "--extcmd",
        "--textconv",
        "--force",
        "--delete",
        "--mirror",
        "-o",
        "--repo",
      ),
      "ext::sh",
      "ext::'sh -c x'",
      "../evil",
      "/tmp/evil",
      "file:///tmp/evil",
      ".git/hooks/x",
      "a/../b",
      "-",
      "--",
      "HEAD@{1}",
      "https://evil.example/x",
      "git@evil:x/./y",
    ],
  ],
  tar: [
    startingWith("tar"),
    [
      ...options(
        "--checkpoint",
        "--checkpoint-action",
        "--checkpoint=1",
        "--checkpoint-action=exec=sh",
        "--to-command",
        "-I",
        "-F",
        "--use-compress-program",
        "--info-script",
        "--new-volume-script",
        "--rsh-command",
        "--rmt-command",
        "--checkpoint-act",
        "--to-com",
        "--use",
        "--transform",
        "-T",
        "--files-from",
        "-C",
        "--directory",
        "-P",
        "--absolute-names",
        "-xf",
        "-x",
        "--wildcards",
        "--owner",
        "--one-top-level",
        "-I./evil",
        "-Fevil",
        "--one-file-system",
        "-h",
        "--dereference",
      ),
      "/etc/passwd",
      "../../etc/passwd",
      "xfI",
      "cfF",
      "./-",
      "host:file/..",
    ],
  ],
  make: [
    startingWith("make"),
    [
      ...options(
        "-f",
        "--file",
        "--makefile",
        "-C",
        "--directory",
        "-I",
        "--include-dir",
        "-E",
        "--eval",
        "-e",
        "-fevil.mk",
        "-C/tmp",
        "--fil",
        "--makef",
        "--ev",
        "-n",
        "-k",
        "-i",
        "--environment-overrides",
        "-W",
        "--what-if",
        "-o",
        "--old-file",
        "-B",
        "--shell",
        "-s",
        "-r",
        "-w",
        "--debug",
        "-d",
        "-t",
        "-q",
        "-l",
        "-O",
      ),
      "SHELL=./evil",
      "CC=evil",
      "SHELL:=./evil",
      "SHELL+=x",
      "MAKEFLAGS=-f",
      "-",
      "--",
      "A=$(shell x)",
      "/tmp/x",
      "../x",
      ".SHELLFLAGS=x",
      "SHELL=/bin/evil",
      "x=y",
    ],
  ],
  npm: [
    startingWith("npm", "node"),
    [
      ...options(
        "--script-shell",
        "--prefix",
        "-C",
        "--userconfig",
        "--globalconfig",
        "--node-options",
        "--shell",
        "-c",
        "--call",
        "-g",
        "--global",
        "-w",
        "--workspace",
        "--registry",
        "--script-sh",
        "--scr",
        "-e",
        "-p",
        "-r",
        "--eval",
        "--print",
        "--require",
        "--import",
        "--loader",
        "--experimental-loader",
        "--inspect",
        "--inspect-brk",
        "--env-file",
        "--watch-path",
      ),
      "--script-shell=./evil.sh",
      "exec",
      "../evil",
      "/tmp/evil",
      "-",
      "--",
      "pre/../x",
      "NODE_OPTIONS=x",
      "https://evil.example",
    ],
  ],
  network: [
    startingWith("ssh", "rsync", "curl"),
    [
      ...options(
        "-oProxyCommand",
        "-o ProxyCommand",
        "-o",
        "-F",
        "-S",
        "-W",
        "-L",
        "-R",
        "-D",
        "-J",
        "-E",
        "-I",
        "-e",
        "--rsh",
        "--rsync-path",
        "-M",
        "--files-from",
        "--daemon",
        "--config",
        "--delete",
        "--remove-source-files",
        "-K",
        "--output",
        "-O",
        "--remote-name",
        "-T",
        "--upload-file",
        "-d",
        "--data",
        "-F@",
        "--form",
        "--engine",
        "-x",
        "--proxy",
        "--libcurl",
        "-D-",
        "--dump-header",
        "-c",
        "--cookie-jar",
        "-v",
        "-k",
        "-L",
      ),
      "evil::module",
      "/etc",
      "../x",
      "-",
      "--",
      "http://evil.example",
      "file:///etc/passwd",
      "@/etc/passwd",
      "host:/etc/./x",
    ],
  ],
  find: [
    startingWith("find", "ls", "cat"),
    [
      ...options(
        "-exec",
        "-execdir",
        "-ok",
        "-okdir",
        "-delete",
        "-fprint",
        "-fprint0",
        "-fprintf",
        "-fls",
        "-files0-from",
        "-prune",
        "-printf",
        "-quit",
        "-newer",
        "-o",
        "-or",
        "-not",
        "-L",
        "-H",
        "-P",
        "-D",
        "-O",
        "--help",
        "-regex",
        "-path",
        "-type",
      ),
      "-exec sh {} +",
      "-exec rm {} ;",
      "-exec rm '{}' ';'",
      "'{}'",
      "+",
      "';'",
      "! -name",
      "'('",
      "')'",
      "/",
      "..",
      "../..",
      "xargs",
      "| xargs rm",
      "xargs sh",
      "/etc/passwd",
      ".ssh/id",
      "src/../../x",
      "./-rf",
      "-",
      "--",
      "src/.git",
    ],
  ],
  wrappers: [
    COMMANDS,
    [
      "env",
      "env -i",
      "env A=b",
      "A=b",
      "PATH=/tmp",
      "LD_PRELOAD=./x.so",
      "sudo",
      "doas",
      "xargs",
      "sh -c",
      "bash -c",
      "sh",
      "eval",
      "exec",
      "command",
      "builtin",
      "time",
      "nohup",
      "nice",
      "timeout 5",
      "watch",
      "setsid",
      ". ./x",
      "source x",
      "!",
      "coproc",
      "if",
      "then",
      "while",
      "for i in",
      "do",
      "function f",
      "{",
      "[[",
      "busybox",
      "/usr/bin/env",
      "./env",
      "python3 -c",
      "node -e",
      "perl -e",
      "awk",
      "git -c",
      "npx",
      "ssh host",
      "A+=b",
      "A[0]=b",
      "nice -n",
      "stdbuf -o0",
      "'env'",
      '"sudo"',
    ],
  ],
  text: [
    COMMANDS,
    [
      "\t",
      "\u00a0",
      "\u2003",
      "\u200b",
      "\u200d",
      "\u2060",
      "\ufeff",
      "\u202e",
      "\u2066",
      "\u0000",
      "\u0007",
      "\u001b[2K",
      "\u007f",
      "\u0085",
      "\u2028",
      "\u2029",
      "\u000b",
      "\u000c",
      "а",
      "е",
      "о",
      "р",
      "ѕ",
      "і",
      "ａ",
      "；",
      "｜",
      "＆",
      "＄",
      "∕",
      "⁄",
      "‐",
      "–",
      "—",
      "−",
      "é",
      "e\u0301",
      "😀",
      "\ud800",
      "'",
      '"',
      "''x",
      '""x',
      "'\n'",
      '"\\"',
      "'$'x",
      "$''",
      "\\n",
      "\\ ",
      "-\u200b",
      "＇",
      "ﬁ",
      "µ",
      "\u00ad",
    ],
  ],
  paths: [
    COMMANDS,
    [
      "../",
      "./",
      "/",
      "..",
      ".",
      "/./",
      "/../",
      "//",
      "~/",
      ".git/",
      ".ssh/",
      "/etc/passwd",
      "/usr/bin/",
      "./../",
      "a/../../b",
      "x/./y",
      "x//y",
      "x/.y",
      "-x",
      "--x",
      "-",
      "=",
      "=x",
      "x=",
      "@{u}",
      "::x",
      "%2e%2e/../",
      "/proc/self/environ",
      "..x/..",
      "./.env",
      ".env",
      ".npmrc",
      "-/x",
      "+x",
      ":x",
      ",x",
      "@x",
      "%1",
      "/tmp/x",
      "C:/..",
      "..;",
    ],
  ],
};

/** A pattern's meaning to a person, from the text alone: words, single spaces, and quotes without effect. */
const MEANT = PATTERNS.map(([pattern]) => {
  const words = pattern
    .split(" ")
    .map((word) =>
      word === "*"
        ? "(?!\\S*(?:/\\.|//|::|@\\{))[A-Za-z0-9_][A-Za-z0-9_.,+@%/:-]*"
        : word.replaceAll(/[.*+?()[\]{}|\\^$]/gu, "\\$&"),
    );
  return new RegExp(`^${words.join(" ")}$`, "u");
});

function isMeant(command: string): boolean {
  const bare = command.replaceAll(/(['"])([A-Za-z0-9_.,+@%/:=-]*)\1/gu, "$2");
  return MEANT.some((pattern) => pattern.test(bare));
}

describe("[R-6] no rule allows a command of the family", () => {
  test.for(Object.entries(FAMILIES))("%s", async ([family, [commands, pieces]], { annotate }) => {
    const tried = new Set<string>();
    const passed: string[] = [];
    for (const command of commands) {
      for (const bypass of pieces.flatMap((piece) => mutationsOf(command, piece))) {
        if (tried.has(bypass) || isMeant(bypass)) continue;
        tried.add(bypass);
        if (verdictOn(bypass, ...rulesFor.get(command)!) === "allow") passed.push(bypass);
      }
    }
    expect(passed.slice(0, 40)).toEqual([]);
    expect(tried.size).toBeGreaterThanOrEqual(2000);
    await annotate(`${tried.size} bypasses of rules: ${family}`, "cases");
  });
});
test("[R-6] an allowing rule is refused for commands known to escape, and for an invalid pattern", () => {
  const never = [
    "tar cf * --checkpoint-action=exec=sh",
    "tar cf * --checkpoint-act=x",
    "tar cfI * x",
    "tar -I * cf *",
    "gtar -F x *",
    "git push --receive-pack=* origin",
    "git -c * status",
    "git fetch --upload-pack * origin",
    "git config *",
    "git *",
    "make -f *",
    "make -kf evil.mk",
    "make --file=*",
    "gmake --eval x",
    "npm run * --script-shell *",
    "npm exec *",
    "npx *",
    "pnpm exec *",
    "npm --prefix * test",
    "node -e *",
    "node --require * x",
    "node --import=x y",
    "python3 -c *",
    "perl -ne *",
    "ruby -e *",
    "php -r *",
    "find * -exec *",
    "find * -delete",
    "find * -fprintf x y",
    "rsync -e * a b",
    "rsync -avze ssh a b",
    "ssh -o * host",
    "ssh -oProxyCommand=x host",
    "scp -S * a b",
    "curl -o * host",
    "curl -sK *",
    "curl --config x",
    "wget -O *",
    "env *",
    "/usr/bin/env npm test",
    "sudo *",
    "xargs *",
    "sh -c *",
    "bash x",
    "zsh",
    "timeout 5 *",
    "nohup *",
    "eval x",
    "exec x",
    ". x",
    "source *",
    "command *",
    "awk *",
    "sed *",
    "vim *",
    "sqlite3 *",
    "m4 *",
    "docker run -v * x",
    "busybox *",
    "docker *",
    "kubectl exec *",
    "cargo --config * build",
    "go test -exec *",
    "sort -o * x",
    "bash5.2 *",
    "python3.12 -c x",
    "git rebase -x *",
    "git rebase -ix * main",
    "git clone -u * *",
    "git clone --config * x",
    "git send-email --sendmail-cmd *",
    "git send-email *",
    "gcc -wrapper *",
    "gcc-12 -B * x.c",
    "clang++ -fplugin=x x.cc",
    "cc -Wl,--plugin,x y.c",
    "tcpdump -z *",
    "tcpdump -i any -Gz x",
    "gradle -I *",
    "./gradlew --init-script * build",
    "mvn -f * test",
    "nmap --script *",
    "nmap --script=x host",
    "ncat -e * host",
    "ghc -e *",
    "ghc --interactive",
    "java -javaagent:x y",
    "javac -J-javaagent:x y",
    "rustc -C linker=x y",
    "cmake -P *",
    "ctest -S *",
    "ninja -f *",
    "bazel test --run_under=* x",
    "pytest -p * x",
    "uv run *",
    "poetry run *",
    "bundle exec *",
    "split --filter * x",
    "hg --config * log",
    "svn diff --diff-cmd *",
    "openssl enc -engine *",
    "apt-get -o * update",
    "ansible all -m shell -a *",
    "yt-dlp --exec * x",
    "pandoc --filter * x",
    "hyperfine *",
    "watchexec *",
    "socat * *",
  ];
  for (const pattern of never) {
    const reading = readCommandPattern(pattern);
    const why = reading.status === "pattern" ? whyNeverAllowed(reading.pattern) : reading.problem;
    expect([pattern, inEnglish(why ?? "")]).toEqual([pattern, expect.stringMatching(/.{10}/u)]);
  }
  for (const none of [
    "",
    "*",
    "* x",
    "a; b",
    "a $x",
    "a > b",
    "a b*",
    "a *b",
    "A=b c",
    "if x",
    "'",
    "a\tb",
    "ü x",
  ]) {
    expect([none, readCommandPattern(none).status]).toEqual([none, "refused"]);
  }
});

test("deny is checked before ask, and ask before allow, in any order of creation, in one directory", () => {
  const [allow, ask, deny] = [
    rule("npm *  *"),
    rule("npm run *", "ask"),
    rule("npm run 'build'", "deny"),
  ];
  for (const rules of [
    [allow, ask, deny],
    [deny, ask, allow],
    [ask, deny, allow],
  ]) {
    expect(verdictOn("npm run build", ...rules)).toBe("deny");
    expect(verdictOn("npm run test", ...rules)).toBe("ask");
    expect(verdictOn("npm run build; true", ...rules)).toBeUndefined();
    for (const cwd of ["/work/", "/work/sub", "/", "/work/."]) {
      expect(decidingRule(rules, { text: "npm run build", cwd })).toBeUndefined();
    }
  }
  expect(verdictOn("find . -delete", rule("find . -delete", "deny"))).toBe("deny");
  expect(verdictOn("find . -delete", rule("find . -delete"))).toBeUndefined();
});

/**
 * Commands with the plain word `argv` as their program, made of pieces that a reader may interpret differently from a
 * shell.
 */
function* randomCommands(count: number): Generator<string> {
  const pieces = [
    "a",
    "B",
    "0",
    "-",
    "--x",
    "_",
    ".",
    "..",
    "/",
    ":",
    ",",
    "+",
    "@",
    "%",
    "=",
    "x=y",
    "%1",
    "-1",
    "+x",
    "a,b",
    "@x",
    "::",
    "''",
    '""',
    "'a b'",
    '"a b"',
    "'$x'",
    "'`x`'",
    "'\\'",
    "'\"'",
    '"\'"',
    "'*'",
    "'#'",
    "'!'",
    '"~"',
    "'~'",
    "'{a,b}'",
    '"{a,b}"',
    "'|'",
    '"&"',
    "' '",
    '" "',
    "'\\n'",
    "'a'\"b\"",
    "$",
    "\\",
    "*",
    "~",
    "#",
    "{",
    "!",
    ";",
    "\t",
    "é",
    "if",
    "time",
    "env",
  ];
  let seed = 20261122;
  const next = (limit: number): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * limit);
  };
  for (let index = 0; index < count; index += 1) {
    let text = ["argv ", "'argv' ", 'ar"gv" ', " argv  "][next(4)] ?? "";
    for (let left = 1 + next(6); left > 0; left -= 1) {
      text += `${pieces[next(pieces.length)]}${next(2) === 0 ? " " : ""}`;
    }
    yield text;
  }
}

const SHELLS = ["bash", "sh", "dash", "zsh"].flatMap((name) => {
  const program = ["/bin", "/usr/bin"].map((folder) => `${folder}/${name}`).find(existsSync);
  return program === undefined ? [] : [program];
});

test.for(SHELLS)(
  "a command's words are read exactly as %s passes them",
  async (shell, { annotate }) => {
    const read = [...randomCommands(8000)].flatMap((text) => {
      const reading = readCommandWords(text);
      return reading.status === "words" ? [{ text, words: reading.words }] : [];
    });
    expect(read.length).toBeGreaterThan(400);
    const lines = ["argv() { for word; do printf '<%s>' \"$word\"; done; printf '\\n'; }"];
    const script = [...lines, ...read.map(({ text }) => text), ""].join("\n");
    const output = execFileSync(shell, ["-s"], { input: script, encoding: "utf8", cwd: "/" });
    const expected = read.map(({ words }) =>
      words
        .slice(1)
        .map((word) => `<${word}>`)
        .join(""),
    );
    expect(output.split("\n").slice(0, -1)).toEqual(expected);
    await annotate(`${read.length} commands whose words are compared with ${shell}`, "cases");
  },
);
