/** All Trailbook stores, built on a driver interface and a dialect. */
export { Database } from "./Database.ts"
export { DatabaseUnavailable } from "./DatabaseUnavailable.ts"
export { StatementFailed } from "./DatabaseUnavailable.ts"
export { type Migration, type Migrations, SchemaTooNew, SchemaTooOld } from "./schema/migrate.ts"
export { layer } from "./SqlStorage.ts"
