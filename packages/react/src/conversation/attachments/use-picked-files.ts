import { ATTACHMENT_LIMITS } from "@holdpoint/protocol";
import { useState } from "react";

import { useAnnounce } from "../../parts/announcer.tsx";
import { useWords } from "../../words/use-words.ts";
import { toProblemWords } from "./attachment-words.ts";
import { readFile, type PickedFile } from "./read-file.ts";

interface Taken {
  readonly count: number;
  readonly bytes: number;
}

interface PickedFiles {
  /** The reasons why files were not accepted, in sentences. */
  readonly refusals: readonly string[];
  readonly forget: () => void;
  /** Reads files and passes each acceptable one to `onFile`. `taken`: the files that the message already has. */
  readonly pick: (
    files: readonly File[],
    taken: Taken,
    onFile: (file: PickedFile) => void,
  ) => Promise<void>;
}

/** Reads the chosen files up to a message's limits, and reports the files that were not accepted. */
export function usePickedFiles(): PickedFiles {
  const say = useWords();
  const announce = useAnnounce();
  const [refusals, setRefusals] = useState<readonly string[]>([]);
  const pick: PickedFiles["pick"] = async (files, taken, onFile) => {
    const { messageBytes, perMessage } = ATTACHMENT_LIMITS;
    let { count, bytes } = taken;
    const refused: string[] = [];
    for (const file of files) {
      if (count >= perMessage) {
        refused.push(
          say("A message can contain {count} file.|A message can contain {count} files.", {
            count: perMessage,
          }),
        );
        break;
      }
      const read = await readFile(file, messageBytes - bytes);
      if (read.status === "read") {
        count += 1;
        bytes += read.file.bytes;
        onFile(read.file);
      } else if (read.status === "refused") {
        refused.push(toProblemWords(read.problem, file.name, say));
      } else {
        refused.push(say("{name} could not be read.", { name: file.name }));
      }
    }
    setRefusals(refused);
    if (refused.length > 0) announce(refused.join(" "));
  };
  return { refusals, forget: () => setRefusals([]), pick };
}
