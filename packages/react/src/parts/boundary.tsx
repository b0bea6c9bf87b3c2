import { Component, type ReactNode } from "react";

import { useWords } from "../words/use-words.ts";
import { useUnshown } from "./unshown.tsx";

interface BoundaryProps {
  readonly children: ReactNode;
}

interface BoundaryState {
  readonly crashed: boolean;
}

/** Keeps an error in rendering one part from removing the others. A part that could not be shown cannot be allowed. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { crashed: false };

  static getDerivedStateFromError(): BoundaryState {
    return { crashed: true };
  }

  override render(): ReactNode {
    return this.state.crashed ? <NotShown /> : this.props.children;
  }
}

function NotShown(): ReactNode {
  const say = useWords();
  useUnshown(say("Not all of it could be shown"));
  return <span className="hp-not-shown">{say("This could not be shown.")}</span>;
}
