/** Stores with each migration the oldest schema version whose servers work with it. */
export const oldestServer: ReadonlyArray<string> = ["alter table migrations add column oldest_server integer"]
