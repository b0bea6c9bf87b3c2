import { type Saying, saying } from "@holdpoint/protocol";

/** Programs whose arguments are another command or a program text. */
const WRAPPERS: ReadonlySet<string> = new Set(
  // Shells and their builtins.
  (
    "sh ash bash dash zsh ksh mksh fish csh tcsh rbash pwsh powershell cmd busybox toybox " +
    ". source eval exec command builtin alias unalias trap set export declare typeset local readonly enable hash env " +
    // Programs that run another command.
    "sudo doas su runuser pkexec xargs parallel nohup nice ionice timeout time watch setsid setpriv stdbuf unbuffer " +
    "chroot unshare nsenter script strace ltrace gdb lldb perf valgrind expect at batch crontab flock systemd-run " +
    "start-stop-daemon daemonize screen tmux entr direnv dotenv chpst runcon firejail bwrap proot fakeroot catchsegv " +
    "hyperfine watchexec nodemon rlwrap sshpass tini dumb-init gosu su-exec setarch cgexec cpulimit chronic ifne pee " +
    "pdsh concurrently cross-env chrt rr gdbserver envdir envchain aws-vault chamber socat runghc runhaskell ghci jshell " +
    "npx bunx pnpx dlx ld.so taskset numactl prlimit caffeinate osascript open xdg-open run-parts ssh-agent dbus-run-session " +
    // Languages in which any text is a program.
    "awk gawk mawk nawk sed ed ex vi vim nvim view emacs m4 dc bc tclsh wish lua guile gnuplot sqlite3 psql mysql"
  ).split(" "),
);

interface Escapes {
  /** Short options, one letter each. They also match when joined with others or with their value. */
  readonly short?: string;
  /** Long options without their dashes. They also match when abbreviated or written with one dash. */
  readonly long?: string;
  /** Subcommands, or words of old syntax. */
  readonly words?: string;
  /** Further short options, by subcommand. */
  readonly ofCommand?: Readonly<Record<string, string>>;
  /** The first word is a bundle of short options, even without a dash. */
  readonly bundled?: true;
}

/** By program: the arguments that make it run, load or write something that no other argument names. */
const ESCAPES: Readonly<Record<string, Escapes>> = {
  tar: {
    bundled: true,
    short: "IF",
    long: "checkpoint-action checkpoint to-command use-compress-program info-script new-volume-script rsh-command rmt-command",
  },
  git: {
    short: "cO",
    ofCommand: { clone: "u", rebase: "x", "ls-remote": "u" },
    long:
      "receive-pack upload-pack exec config-env exec-path paginate git-dir work-tree namespace open-files-in-pager " +
      "ext-diff textconv extcmd tool template upload-archive remote output no-index separate-git-dir " +
      "sendmail-cmd to-cmd cc-cmd header-cmd smtp-server config",
    words:
      "config alias submodule filter-branch bisect difftool mergetool daemon shell hook instaweb web--browse var credential " +
      "fast-import archive upload-pack receive-pack remote-ext help send-email p4 svn",
  },
  make: {
    short: "fCIE",
    long: "file makefile directory include-dir eval assume-old assume-new what-if",
  },
  npm: {
    short: "Cgcw",
    long:
      "script-shell prefix userconfig globalconfig node-options shell call package git editor viewer browser " +
      "registry workspace init-module cafile onload-script",
    words: "exec x config set explore edit init create link",
  },
  node: {
    short: "eprcC",
    long:
      "eval print require import loader experimental-loader env-file inspect-brk inspect run input-type test-reporter conditions " +
      "openssl-config icu-data-dir build-snapshot entry-url watch",
  },
  python: { short: "ciX", long: "command" },
  perl: { short: "eEIMmidn" },
  ruby: { short: "eIrnp" },
  php: { short: "rRBEFdcz" },
  deno: { long: "eval import-map config", words: "eval repl" },
  bun: { short: "erc", long: "eval preload require config", words: "x" },
  find: {
    long: "exec execdir ok okdir delete fprint fprint0 fprintf fls files0-from",
  },
  fd: { short: "xX", long: "exec exec-batch" },
  rg: { long: "pre hostname-bin" },
  ssh: { short: "oFSWLRDJEIwQ", long: "option" },
  scp: { short: "oFSJD" },
  sftp: { short: "oFSJbD" },
  rsync: {
    short: "eM",
    long: "rsh rsync-path files-from include-from exclude-from filter daemon config write-batch read-batch only-write-batch password-file log-file",
  },
  curl: {
    short: "KoOTDcFdJ",
    long:
      "config output remote-name upload-file dump-header cookie-jar form data data-binary data-raw data-urlencode json " +
      "engine proxy netrc-file trace trace-ascii stderr output-dir remote-header-name remote-name-all etag-save hsts alt-svc " +
      "libcurl unix-socket abstract-unix-socket",
  },
  wget: {
    short: "OPioae",
    long:
      "use-askpass output-document directory-prefix input-file config execute post-file body-file output-file append-output " +
      "save-cookies warc-file",
  },
  docker: {
    short: "vH",
    long: "volume mount privileged device host context config entrypoint pid",
  },
  kubectl: { long: "kubeconfig overrides", words: "exec plugin edit debug" },
  cargo: { short: "CZ", long: "config manifest-path", words: "install" },
  go: { short: "C", long: "exec toolexec overlay modfile vettool" },
  gcc: {
    short: "B",
    long: "wrapper fplugin specs fuse-ld ld-path Xlinker Wl, Wa, Wp, Xassembler Xpreprocessor Xclang load",
  },
  ld: { long: "plugin dynamic-linker" },
  rustc: { short: "C" },
  ghc: {
    short: "eF",
    long: "interactive run ghci-script pgmF pgmL pgmP pgmc pgma pgml pgmdll pgmwindres pgmlo pgmlc pgmi pgms fplugin plugin-package",
  },
  javac: { short: "J", long: "processor processorpath processor-path Xplugin" },
  java: { long: "agentlib agentpath javaagent XX" },
  gradle: {
    short: "Ibpcg",
    long: "init-script build-file project-dir settings-file gradle-user-home include-build",
  },
  mvn: { short: "f", long: "file settings global-settings toolchains" },
  ant: { short: "f", long: "buildfile file lib main listener logger inputhandler" },
  cmake: { short: "PCE", long: "toolchain" },
  ctest: { short: "S", long: "script build-and-test" },
  ninja: { short: "fC" },
  bazel: { long: "run_under workspace_status_command script_path override_repository bazelrc" },
  tcpdump: { short: "zwF" },
  tshark: { short: "X", long: "lua_script" },
  nmap: { short: "o", long: "script datadir servicedb versiondb resume stylesheet" },
  nc: { short: "ec", long: "exec sh-exec lua-exec" },
  pandoc: { short: "F", long: "filter lua-filter pdf-engine data-dir" },
  ctags: { long: "options optlib-dir" },
  eslint: { short: "c", long: "config rulesdir resolve-plugins-relative-to plugin parser format" },
  prettier: { long: "config plugin" },
  jest: {
    short: "c",
    long: "config globalSetup globalTeardown setupFiles setupFilesAfterEnv testRunner runner transform reporters preset",
  },
  mocha: { short: "r", long: "require config reporter ui" },
  pytest: { short: "pc", long: "rootdir confcutdir override-ini pdb" },
  pip: { short: "i", long: "index-url extra-index-url find-links config-settings python" },
  uv: { words: "run tool" },
  poetry: { short: "C", long: "directory project", words: "run shell" },
  pipx: { words: "run runpip" },
  conda: { words: "run" },
  nix: { words: "run shell develop" },
  mise: { words: "exec x run" },
  asdf: { words: "exec" },
  gem: { words: "exec" },
  bundle: { words: "exec console" },
  composer: { short: "d", long: "working-dir", words: "exec global" },
  dotnet: { words: "exec" },
  helm: { long: "post-renderer", words: "plugin" },
  gh: { words: "alias extension" },
  apt: { short: "oc", long: "option config-file" },
  dpkg: { long: "pre-invoke post-invoke status-logger root instdir admindir" },
  rpm: { short: "E", long: "eval define pipe root rcfile macros load" },
  systemctl: { short: "H", long: "host root image", words: "edit set-environment" },
  ip: { short: "b", long: "batch", words: "netns vrf" },
  ansible: {
    short: "mMa",
    long: "module-name args module-path vault-password-file connection become-method ssh-common-args ssh-extra-args",
  },
  terraform: { long: "chdir plugin-dir" },
  vagrant: { short: "c", long: "command", words: "ssh" },
  hg: { long: "config configfile repository cwd ssh remotecmd" },
  svn: { long: "config-option config-dir diff-cmd diff3-cmd editor-cmd" },
  split: { long: "filter" },
  cpio: { long: "rsh-command" },
  gpg: { long: "agent-program keyserver-program photo-viewer dirmngr-program exec-path options" },
  openssl: { long: "engine provider-path config" },
  lftp: { short: "ecf" },
  "yt-dlp": {
    long: "exec exec-before-download external-downloader downloader config-location plugin-dirs netrc-cmd",
  },
  ack: { long: "pager ackrc" },
  ag: { long: "pager" },
  bat: { long: "pager config-file" },
  fzf: { long: "preview bind" },
  sort: { short: "oT", long: "output compress-program temporary-directory files0-from" },
  zip: { short: "TP", long: "unzip-command test" },
  less: { short: "oOkKtT", long: "log-file lesskey-file" },
  man: { short: "PHC", long: "pager html config-file" },
};

/** Programs that are treated like another one. */
const SAME_AS: Readonly<Record<string, string>> = {
  gtar: "tar",
  bsdtar: "tar",
  gmake: "make",
  bmake: "make",
  pnpm: "npm",
  yarn: "npm",
  nodejs: "node",
  tsx: "node",
  pypy: "python",
  gfind: "find",
  fdfind: "fd",
  podman: "docker",
  gsort: "sort",
  "g++": "gcc",
  cc: "gcc",
  "c++": "gcc",
  clang: "gcc",
  "clang++": "gcc",
  cpp: "gcc",
  gfortran: "gcc",
  gradlew: "gradle",
  mvnw: "mvn",
  netcat: "nc",
  ncat: "nc",
  vitest: "jest",
  "apt-get": "apt",
  aptitude: "apt",
  "ansible-playbook": "ansible",
  tofu: "terraform",
  mamba: "conda",
  "youtube-dl": "yt-dlp",
};

/**
 * Why a program with these words may do more than the words say, or `undefined`. A rule that allows covers no such
 * command, whatever its pattern.
 */
export function escapeOf(words: readonly string[]): Saying | undefined {
  const [first = "", ...rest] = words;
  const name = programOf(first);
  if (namesOf(first).some((known) => WRAPPERS.has(known))) {
    return saying("runs_another", { program: name });
  }
  const program = SAME_AS[name] ?? name;
  const escapes = Object.hasOwn(ESCAPES, program) ? ESCAPES[program] : undefined;
  const found = escapes && findEscape(escapes, rest);
  if (found !== undefined) return saying("runs_more", { word: found, program: name });
  return undefined;
}

/** The name of a program without its path and its version: `python` for `/usr/bin/python3.12`. */
export function programOf(word: string): string {
  const [name = "", plain] = namesOf(word);
  return plain ?? name;
}

/** A version at the end of a name: `3.12`, `-15`. Has one starting point per number, so that matching takes linear time. */
const VERSION = /(?:-|(?<![\d.-]))\d+(?:\.\d+)*$/u;

/** The names of a program: without its path, and also without its version. */
function namesOf(word: string): readonly string[] {
  const name = word.slice(word.lastIndexOf("/") + 1).toLowerCase();
  const plain = name.replace(/\.(?:exe|cmd|bat)$/u, "");
  const bare = plain.replace(VERSION, "");
  return bare === "" ? [plain] : [plain, bare];
}

function findEscape(escapes: Escapes, words: readonly string[]): string | undefined {
  const { short = "", ofCommand = {} } = escapes;
  const further = words.map((word) => (Object.hasOwn(ofCommand, word) ? ofCommand[word] : ""));
  const all = { ...escapes, short: short + further.join("") };
  return words.find((word, index) => isEscape(all, word, index));
}

function isEscape(
  { short = "", long = "", words = "", bundled }: Escapes,
  word: string,
  index: number,
): boolean {
  if (bundled && index === 0 && hasLetterOf(word, short)) return true;
  if (word.startsWith("-")) {
    const option = word.replace(/^--?/u, "").replace(/=.*$/su, "");
    const isLong = option.length > 1 && listOf(long).some((name) => isCutShort(option, name));
    if (isLong || word.startsWith("--")) return isLong;
    return hasLetterOf(option, short);
  }
  return listOf(words).includes(word);
}

/** Programs accept abbreviated long options. */
function isCutShort(option: string, name: string): boolean {
  return name.startsWith(option) || option.startsWith(name);
}

function hasLetterOf(word: string, letters: string): boolean {
  return word.split("").some((letter) => letters.includes(letter));
}

function listOf(names: string): readonly string[] {
  return names === "" ? [] : names.split(" ");
}
