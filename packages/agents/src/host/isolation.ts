import type { AgentCommand } from "./host-protocol.ts";

/**
 * How an agent's process is separated from the gateway's files, whatever program it runs. Both modes need Linux.
 *
 * - `namespace`: the agent has its own mounts, in which the hidden folders and files are empty. Its user namespace
 *   differs from the gateway's, so it can neither remove these mounts nor look at outside processes through `/proc`.
 * - `user`: the agent runs as another account. The gateway must be the superuser to start it.
 */
export type Isolation =
  | {
      readonly mode: "namespace";
      readonly hidden: readonly string[];
      readonly userId: number;
      readonly groupId: number;
    }
  | { readonly mode: "user"; readonly account: Account };

export interface Account {
  readonly name: string;
  readonly userId: number;
  readonly groupId: number;
  readonly home: string;
}

/**
 * Arguments: the number of folders and files to hide, their paths, the user and group ids, the command. A second user
 * namespace locks the mounts made by the first. A failure ends the program before the command starts.
 */
const HIDE_AND_START = [
  "set -e",
  "count=$1; shift",
  'while [ "$count" -gt 0 ]; do',
  '  if [ -d "$1" ]; then mount -t tmpfs -o ro,nosuid,nodev,noexec,size=4k,mode=0555 hidden "$1"',
  '  else mount --bind /dev/null "$1"; fi',
  "  shift; count=$((count - 1))",
  "done",
  "user=$1; group=$2; shift 2",
  'exec unshare --user --mount --map-user="$user" --map-group="$group" -- "$@"',
].join("\n");

/** The command wrapped in its isolation. It keeps its process id, its signals and its standard streams. */
export function isolate(command: AgentCommand, isolation: Isolation): AgentCommand {
  const [program = "", ...args] = toWords(isolation, [command.command, ...command.args]);
  return { ...command, command: program, args };
}

/** An isolated agent's environment: another account has its own home folder. */
export function isolatedEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  isolation: Isolation | undefined,
): Readonly<Record<string, string | undefined>> {
  if (isolation?.mode !== "user") return environment;
  const { name, home } = isolation.account;
  const kept = Object.entries(environment).filter(([key]) => !/^(?:XDG_|TMPDIR$)/u.test(key));
  return { ...Object.fromEntries(kept), HOME: home, USER: name, LOGNAME: name };
}

function toWords(isolation: Isolation, words: readonly string[]): string[] {
  switch (isolation.mode) {
    case "namespace": {
      const { hidden, userId, groupId } = isolation;
      const facts = [hidden.length, ...hidden, userId, groupId].map(String);
      const outer = ["unshare", "--user", "--map-root-user", "--mount", "--"];
      return [...outer, "sh", "-c", HIDE_AND_START, "sh", ...facts, ...words];
    }
    case "user": {
      const { userId, groupId } = isolation.account;
      const ids = [`--reuid=${userId}`, `--regid=${groupId}`, "--init-groups", "--no-new-privs"];
      return ["setpriv", ...ids, "--", ...words];
    }
  }
}
