import { migrate } from "@trailbook/sqlite"
import * as Effect from "effect/Effect"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** The path of a database that does not exist yet. Its folder is removed when the scope closes. */
export const temporaryFile = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "trailbook-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
  ),
  (folder) => join(folder, "trailbook.db")
)

let migrated: Uint8Array | undefined

/**
 * The path of an empty database with an up-to-date schema. Copying a migrated file is twice as fast as migrating a new
 * one each time.
 */
export const migratedFile = Effect.tap(temporaryFile, (filename) =>
  Effect.gen(function*() {
    if (migrated !== undefined) return writeFileSync(filename, migrated)
    yield* migrate({ filename })
    migrated = readFileSync(filename)
  }))
