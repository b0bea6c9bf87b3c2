import { type Tool } from "@holdpoint/engine";
/** Paths of the tool files in a folder, in the order of their names; none where there is no such folder. */
export declare function listToolFiles(folder: string): Promise<string[]>;
/** What the file exports by default: a tool, or a list of tools. Rejects with whatever is wrong with it. */
export declare function importTools(path: string, version: number): Promise<Tool[]>;
/** Throws `TypeError` that names the tool. Plain objects of a tool's shape are tools. */
export declare function checkTool(value: unknown): Tool;
/** Changes whenever the file does, or one that it imports by path. */
export declare function stampOf(path: string): Promise<string>;
