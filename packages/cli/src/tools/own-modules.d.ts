/**
 * The default export of a module. Another version loads the file again, with everything that it imports by path; packages
 * are loaded once.
 */
export declare function importDefault(path: string, version: number): Promise<unknown>;
/** The file, and what it and its imports import by path, as far as that has been loaded. */
export declare function filesOf(path: string): ReadonlySet<string>;
