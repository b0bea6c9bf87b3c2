/** Signing in. */
export { EnterCode } from "./enter-code.tsx";
export { finishAtIssuer } from "./issuer-sign-in.ts";
export { OpenLaunchLink } from "./open-launch-link.tsx";
export { signIn } from "./sign-in.ts";
