import { ShieldAlert } from "lucide-react";
import type { ReactNode } from "react";

import { useWords } from "../words/use-words.ts";

import "../styles/other-program.css";

/** Shown over the page while another program answers at the gateway's address. The page stays open below it. */
export function OtherProgram(): ReactNode {
  const say = useWords();
  return (
    <div className="other-program" role="alert">
      <ShieldAlert aria-hidden />
      <p>
        <strong>{say("Another program is answering at this address.")}</strong>{" "}
        {say(
          "It is not the gateway that this browser signed in to. Nothing is sent to it. The page continues automatically when the gateway is back. If you moved the gateway or gave it a new data folder, open a new launch link.",
        )}
      </p>
    </div>
  );
}
