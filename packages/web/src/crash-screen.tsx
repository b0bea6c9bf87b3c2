import { Button } from "@holdpoint/react";
import { Component, type ReactNode } from "react";

interface CrashScreenProps {
  readonly children: ReactNode;
}

interface CrashScreenState {
  readonly crashed: boolean;
}

/** Instead of an empty page: a defect of the page, or files of it that could not be loaded. Nothing else is lost. */
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
          The gateway and its agents go on; what you typed is kept. If the gateway was updated or
          cannot be reached, loading the page again helps.
        </p>
        <div>
          <Button onClick={() => location.reload()}>Load the page again</Button>
        </div>
      </main>
    );
  }
}
