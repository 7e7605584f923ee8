/** Helpers for `backup` and `restore`. */
import { Failure } from "@trailbook/runtime/Failure"
import type { CopyFailed, CopySummary } from "@trailbook/sql/backup"
import * as Effect from "effect/Effect"

/** Converts a failed copy to a `Failure` that tells the user how to fix it. */
export const copyFailedMessage =
  (command: "backup" | "restore") => ({ fix, message, reason }: CopyFailed): Effect.Effect<never, Failure> =>
    Effect.fail(new Failure(message, fix ?? fixes[command][reason]))

const fixes: Record<"backup" | "restore", Record<CopyFailed["reason"], string>> = {
  backup: {
    exists: "Choose a different file name for the backup.",
    "in use": "Retry later.",
    damaged: "Stop the server and restore the newest intact backup. Keep this file for analysis.",
    foreign: "Check --database.",
    failed: "Check that the backup folder is writable and has free space."
  },
  restore: {
    exists: "Use --replace to replace the database. The existing database is kept in the same folder.",
    "in use": "First, stop all servers and workers that use the database.",
    damaged: "Use an older backup.",
    foreign: "Check the path. To restore a backup from a newer version, upgrade to that version first.",
    failed: "Check that the database folder is writable and has free space."
  }
}

/** Formats the row counts in a copy. */
export const formatCounts = ({ rows: { bookings, customers, orgs } }: CopySummary): string =>
  `${orgs} outfitters, ${bookings} bookings, ${customers} guests`

/** Converts a copy's summary to JSON. */
export const contents = ({ bytes, newestEvents, pending, rows }: CopySummary) => ({
  bytes,
  rows,
  newest_events: newestEvents,
  pending
})
