import type { DatabaseUrl } from "@trailbook/runtime/setting/databaseUrl"
import { dirname, join } from "node:path"

/** Returns the configured outbox folder, or `outbox` next to the database file or in the working directory. */
export const outboxLayer = ({ database, outbox }: {
  readonly database: DatabaseUrl
  readonly outbox: string | undefined
}): string => outbox ?? join(database._tag === "Sqlite" ? dirname(database.file) : ".", "outbox")
