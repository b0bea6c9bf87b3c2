import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

import { agentEnvironment } from "./agent-environment.ts";

/**
 * An environment variable of the agent, inherited by every process that it starts, by which these processes are found
 * whatever their parent.
 */
export const MARK_NAME = "AGENT_HOST_MARK";
/** How long killing a whole tree may take before it counts as done. */
const KILL_LIMIT_MS = 2000;

/**
 * Finds and signals every process of an agent: those with its mark, and all their descendants. A tool's process can
 * have its own group and session, or be adopted by another parent. Reads commands from its input, one per line: STOP
 * and CONT signal the processes, END kills them and exits. The end of the input means that the host has died, and acts
 * like END.
 *
 * Arguments: the agent's process id, which is also its group's id; the mark. It is plain sh, so that it needs little
 * memory, and survives a kill of all programs with one name.
 */
const SCRIPT = String.raw`
trap '' HUP INT TERM
agent=$1 mark=$2
if [ -r /proc/self/environ ]; then
  marked() {
    for file in $(grep -lasF -- "$mark" /proc/[0-9]*/environ 2>/dev/null); do
      file=${"$"}{file#/proc/}; echo "${"$"}{file%/environ}"
    done
  }
  parents() {
    for file in /proc/[0-9]*/stat; do
      { read -r line < "$file"; } 2>/dev/null || continue
      rest=${"$"}{line##*) }
      case $rest in Z*) continue;; esac
      rest=${"$"}{rest#* }; echo "${"$"}{line%% *} ${"$"}{rest%% *}"
    done
  }
else
  marked() {
    [ -n "$agent" ] && kill -0 "$agent" 2>/dev/null && echo "$agent"
    ps -axEww -o pid=,command= 2>/dev/null | grep -F -- "$mark" | while read -r pid rest; do echo "$pid"; done
  }
  parents() {
    ps -axo stat=,pid=,ppid= | while read -r state rest; do
      case $state in Z*) continue;; esac
      echo "$rest"
    done
  }
fi
tree() {
  found=" "
  for pid in $(marked); do found="$found$pid "; done
  [ "$found" = " " ] && return
  pairs=$(parents)
  again=1
  while [ -n "$again" ]; do
    again=
    while read -r pid parent; do
      case $found in *" $pid "*) continue;; esac
      case $found in *" $parent "*) found="$found$pid "; again=1;; esac
    done <<PAIRS
$pairs
PAIRS
  done
  echo "$found"
}
# Repeats until there are no new processes: one may start another before the signal reaches it.
signal_all() {
  reached=
  new=1
  while [ -n "$new" ]; do
    new=
    for pid in $(tree); do
      case " $reached $$ " in *" $pid "*) continue;; esac
      kill -s "$1" "$pid" 2>/dev/null; reached="$reached $pid"; new=1
    done
  done
}
left() {
  pairs=" $(parents | while read -r pid parent; do printf '%s ' "$pid"; done)"
  for pid in $reached; do case $pairs in *" $pid "*) return 0;; esac; done
  return 1
}
# Stopped processes start nothing, so one look is enough for the rest. A killed process is gone only once its memory
# is freed, and a busy system takes its time.
end() {
  signal_all STOP
  [ -n "$reached" ] || exit 0
  kill -s KILL $reached 2>/dev/null
  looks=0
  while [ "$looks" -lt 100 ] && left; do looks=$((looks + 1)); sleep 0.02 2>/dev/null || sleep 1; done
  exit 0
}
while read -r command; do
  case $command in
    STOP) signal_all STOP;;
    CONT) signal_all CONT;;
    END) end;;
  esac
done
[ -n "$agent" ] && kill -s STOP -- "-$agent" 2>/dev/null
end
`;

/** An agent, as started by its host. */
export interface WatchedAgent {
  readonly process: ChildProcess;
  /** The value of `MARK_NAME` in its environment: long and unique. */
  readonly mark: string;
}

/** Signals a whole tree of processes, and kills it when this process dies. */
export interface Watchdog {
  /** Stops every process of the agent, including processes that are just being started. */
  freeze(): void;
  thaw(): void;
  /** Kills every process of the agent; resolves once they are killed. */
  end(): Promise<void>;
  /** Ends the watch and leaves the processes alone. */
  release(): void;
}

/**
 * Watches over an agent: when this process dies for any reason, the agent and all processes it has started are killed
 * before the agent can see its input or output close. There are two watchdogs, because one may be killed together with
 * this process; one that is killed alone is replaced. `onFailure` is called when no watchdog can be started.
 */
export function watchAgent(agent: WatchedAgent, onFailure: () => void): Watchdog {
  const dogs = [keepWatchdog(agent, onFailure), keepWatchdog(agent, onFailure)] as const;
  return {
    ...dogs[0],
    async end() {
      await Promise.all(dogs.map((dog) => dog.end()));
    },
    release() {
      for (const dog of dogs) dog.release();
    },
  };
}

function keepWatchdog(agent: WatchedAgent, onFailure: () => void): Watchdog {
  let dog: ChildProcess | undefined;
  let isReleased = false;
  const start = (): void => {
    dog = startWatchdog(agent);
    dog.once("error", onFailure);
    dog.once("exit", (_code, signal) => {
      if (isReleased || signal === null) return;
      start();
    });
  };
  const send = (command: string): void => void dog?.stdin?.write(`${command}\n`);
  start();
  return {
    freeze: () => send("STOP"),
    thaw: () => send("CONT"),
    async end() {
      isReleased = true;
      const ended = hasEnded(dog);
      send("END");
      await ended;
    },
    release() {
      isReleased = true;
      dog?.kill("SIGKILL");
    },
  };
}

/**
 * The watchdog also holds the host's ends of the agent's streams, since an agent takes the end of its input for an
 * answer and continues.
 */
function startWatchdog({
  process: { pid, stdin, stdout, stderr },
  mark,
}: WatchedAgent): ChildProcess {
  const dog = spawnScript(
    pid,
    mark,
    [stdin, stdout, stderr].map((stream) => stream ?? "ignore"),
  );
  // Sharing a stream has paused it.
  stdout?.resume();
  stderr?.resume();
  return dog;
}

/**
 * Kills every process of an agent whose host is dead; resolves once they are killed. Without the agent's process id,
 * kills the processes that it left behind.
 */
export async function endTree(agentPid: number | undefined, mark: string): Promise<void> {
  const script = spawnScript(agentPid, mark, []);
  const ended = hasEnded(script);
  script.stdin?.end();
  await ended;
}

function spawnScript(
  pid: number | undefined,
  mark: string,
  held: readonly (NonNullable<ChildProcess["stdin" | "stdout"]> | "ignore")[],
): ChildProcess {
  const script = spawn("/bin/sh", ["-c", SCRIPT, "sh", String(pid ?? ""), mark], {
    env: agentEnvironment(process.env),
    stdio: ["pipe", "ignore", "ignore", ...held],
    detached: true,
  });
  script.stdin?.on("error", () => undefined); // it was killed; "exit" reports that
  return script;
}

async function hasEnded(script: ChildProcess | undefined): Promise<void> {
  if (script === undefined || script.exitCode !== null || script.signalCode !== null) return;
  const over = new AbortController();
  const finish = (): void => over.abort();
  script.once("exit", finish);
  script.once("error", finish);
  await sleep(KILL_LIMIT_MS, undefined, { signal: over.signal }).catch(() => undefined);
}
