import { dirname, join } from "node:path"
import type { DatabaseUrl } from "../setting/databaseUrl.ts"

/**
 * The folder that mails are written to: the one that was set, or `outbox` beside
 * the database's file, or else in the working folder.
 */
export const outboxLayer = ({ database, outbox }: {
  readonly database: DatabaseUrl
  readonly outbox: string | undefined
}): string => outbox ?? join(database._tag === "Sqlite" ? dirname(database.file) : ".", "outbox")
