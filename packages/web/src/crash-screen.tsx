import { Button, keepFromForeignChanges } from "@holdpoint/react";
import { Component, type ReactNode } from "react";

import { useWords } from "./words/use-words.ts";

interface CrashScreenProps {
  readonly children: ReactNode;
}

interface CrashScreenState {
  readonly crashed: boolean;
}

/** Shown instead of an empty page after an error, or if files of the page could not be loaded. */
export class CrashScreen extends Component<CrashScreenProps, CrashScreenState> {
  override state: CrashScreenState = { crashed: false };

  static getDerivedStateFromError(): CrashScreenState {
    return { crashed: true };
  }

  override componentDidMount(): void {
    keepFromForeignChanges(document);
  }

  override render(): ReactNode {
    return this.state.crashed ? <Crashed /> : this.props.children;
  }
}

function Crashed(): ReactNode {
  const say = useWords();
  return (
    <main className="card-page">
      <h1>
        <strong>{say("This page has stopped working")}</strong>
      </h1>
      <p className="quiet">
        {say(
          "The gateway and its agents keep running, and what you typed is kept. If the gateway was updated or could not be reached, load the page again.",
        )}
      </p>
      <div>
        <Button onClick={() => location.reload()}>{say("Load the page again")}</Button>
      </div>
    </main>
  );
}
