/**
 * Trailbook storage on SQLite.
 */
export { backup, type Copied, NotCopied, restore } from "./backup.ts"
export { CannotOpen } from "./CannotOpen.ts"
export { inUse } from "./inUse.ts"
export { migrate, pending, type SqliteConfig } from "./SqliteDatabase.ts"
export { layer, layerClient, layerConfig, type Services } from "./SqliteStorage.ts"
export { checkpoint } from "./wipe.ts"
