/** The Trailbook storage on SQLite. */
export { backup, CopyFailed, type CopySummary, restore } from "./backup.ts"
export { CannotOpen } from "./CannotOpen.ts"
export { isInUse } from "./isInUse.ts"
export { migrate, pendingMigrations, type SqliteConfig } from "./SqliteDatabase.ts"
export { layer, layerClient, layerConfig, type Services } from "./SqliteStorage.ts"
export { checkpoint } from "./walTruncation.ts"
