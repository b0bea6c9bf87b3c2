/**
 * The version of everything on the wire and in the log. A test pins it together with a hash of all schemas:
 * a change of the schemas needs a new version and a line here.
 *
 * 1: sessions, turns, interactions of kind approval, question and form, grants, HTTP, SSE and WebSocket.
 * 2: the overview begins with counts and first pages, and `counts_changed` follows; a session says `hasPending`.
 */
export const PROTOCOL_VERSION = 2;
