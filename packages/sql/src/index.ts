/** All Trailbook stores once, over a small seam for drivers and a dialect. */
export { Database } from "./Database.ts"
export { DatabaseUnavailable } from "./DatabaseUnavailable.ts"
export { type Migration, NewerSchema } from "./migrate.ts"
export { layer } from "./SqlStorage.ts"
export { StatementFailed } from "./StatementFailed.ts"
