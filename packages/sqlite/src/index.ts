/** Trailbook's SQLite storage. */
export { CopyFailed, type CopySummary } from "@trailbook/sql/backup"
export { backup, restore } from "./backup.ts"
export { CannotOpen } from "./CannotOpen.ts"
export { isDatabaseInUse } from "./isDatabaseInUse.ts"
export { migrate, pendingMigrations, type SqliteConfig } from "./SqliteDatabase.ts"
export { layer, layerClient, layerConfig, type Services } from "./SqliteStorage.ts"
export { truncateWal } from "./WalTruncator.ts"
