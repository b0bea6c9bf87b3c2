/**
 * The version of the wire format and the log, which clients get in `welcome` and `/api/auth/hello`. A test pins it
 * together with a hash of all schemas and operations. From the first release on, any change to them needs a new version
 * and an entry here.
 *
 * 1: The first release.
 */
export const PROTOCOL_VERSION = 1;
