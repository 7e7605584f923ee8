/** Stores with each migration the oldest schema version whose servers work with it. */
export const oldestServer = (schema: string): ReadonlyArray<string> => [
  `alter table "${schema}".migrations add column oldest_server integer`
]
