import { Button } from "@holdpoint/react";
import { Component, type ReactNode } from "react";

interface CrashScreenProps {
  readonly children: ReactNode;
}

interface CrashScreenState {
  readonly crashed: boolean;
}

/** Shown instead of an empty page, after a defect or when files of the page could not be loaded. */
export class CrashScreen extends Component<CrashScreenProps, CrashScreenState> {
  override state: CrashScreenState = { crashed: false };

  static getDerivedStateFromError(): CrashScreenState {
    return { crashed: true };
  }

  override render(): ReactNode {
    if (!this.state.crashed) return this.props.children;
    return (
      <main className="card-page">
        <h1>
          <strong>This page has stopped working</strong>
        </h1>
        <p className="quiet">
          The gateway and its agents keep running, and what you typed is kept. If the gateway was
          updated or could not be reached, load the page again.
        </p>
        <div>
          <Button onClick={() => location.reload()}>Load the page again</Button>
        </div>
      </main>
    );
  }
}
