import { isPageVisible } from "../../lib/is-page-visible.ts";
import type { WebSocketConnection } from "./websocket-connection.ts";

/** Reports over the connection whether the page is in view. Does nothing outside of browsers. */
export function tellVisibility(connection: WebSocketConnection): WebSocketConnection {
  const { document } = globalThis;
  let told = false;
  const tell = (): void => {
    const visible = isPageVisible();
    if (visible !== told) connection.tell({ type: "visibility", visible });
    told = visible;
  };
  connection.welcomed.then(
    () => {
      tell();
      document?.addEventListener("visibilitychange", tell, { signal: connection.over });
    },
    () => undefined, // Handled by other readers of `welcomed`.
  );
  return connection;
}
