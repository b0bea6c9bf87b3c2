/** Why a file cannot be loaded, in one line, with the place of the error if it is known. */
export declare function toLoadReason(error: unknown): string;
