import { ShieldAlert } from "lucide-react";
import type { ReactNode } from "react";

import "../styles/launch.css";

/** Shown over the page while something else answers at the gateway's address. What is open stays as it is. */
export function OtherProgram(): ReactNode {
  return (
    <div className="other-program" role="alert">
      <ShieldAlert aria-hidden />
      <p>
        <strong>Another program answers at this address.</strong> It is not the gateway that this
        browser signed in to. Nothing is sent to it. The page goes on by itself when the gateway is
        back. If you moved it or gave it a new data folder, open a new launch link.
      </p>
    </div>
  );
}
