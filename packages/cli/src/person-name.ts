import { userInfo } from "node:os";

/** The name shown with an answer: the account that the gateway runs under. */
export function personName(): string {
  try {
    return userInfo().username;
  } catch {
    // An account without an entry in the system's list, as in some containers.
    return "Owner";
  }
}
