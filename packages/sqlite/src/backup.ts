/**
 * Backs up and restores a database while it is in use. A backup is a single file that is complete and verified before
 * it gets its name. A crash leaves a draft next to it, never a partial backup.
 */
import * as Migrate from "@trailbook/sql/migrate"
import type BetterSqlite3 from "better-sqlite3"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync
} from "node:fs"
import { dirname } from "node:path"
import process from "node:process"
import { CannotOpen } from "./CannotOpen.ts"
import { lastMigration, open } from "./driver.ts"
import { isInUse } from "./isInUse.ts"
import { migrations } from "./migrations.ts"

/** The contents of a copy. */
export interface CopySummary {
  readonly bytes: number
  /** Row counts of the main tables. */
  readonly rows: Readonly<Record<(typeof counted)[number], number>>
  /** The latest event of each org, by slug: the position from which pollers continue after a restore. */
  readonly newestEvents: Readonly<Record<string, number>>
  /** Migrations that the copy lacks. The next start applies them. */
  readonly pending: ReadonlyArray<string>
}

const counted = ["orgs", "offerings", "customers", "bookings", "events"] as const

/** The copy failed. Existing files are unchanged. */
export class CopyFailed extends Data.TaggedError("CopyFailed")<{
  readonly reason: "exists" | "in use" | "damaged" | "foreign" | "failed"
  readonly message: string
}> {}

/**
 * Copies the database into a new file, as of a single instant, while other processes continue to read and write.
 * Never overwrites an existing file.
 */
export const backup = (filename: string, to: string): Effect.Effect<CopySummary, CannotOpen | CopyFailed> =>
  Effect.flatMap(existsSync(to) ? taken(to) : Effect.void, () =>
    drafted(filename, to, (draft) => {
      // A link, because a rename would overwrite a file that another process has just created.
      linkSync(draft, to)
      rmSync(draft)
    }))

/**
 * Replaces a database with a backup, atomically. With `replace` it can replace an existing database that no process
 * has open. The old database is kept under the returned name.
 */
export const restore = (
  from: string,
  filename: string,
  { kept, replace }: {
    readonly replace: boolean
    /** The new name of the old database. */
    readonly kept: string
  }
): Effect.Effect<CopySummary & { readonly replaced: boolean }, CannotOpen | CopyFailed> =>
  Effect.gen(function*() {
    const replaced = existsSync(filename)
    if (replaced && !replace) return yield* taken(filename)
    if (replaced && (yield* isInUse(filename))) {
      return yield* new CopyFailed({ reason: "in use", message: `${filename} is in use by another process.` })
    }
    const copied = yield* drafted(from, filename, (draft) => {
      if (replaced) linkSync(filename, kept)
      // SQLite would apply a leftover log to the new file.
      for (const ending of ["-wal", "-shm"]) rmSync(filename + ending, { force: true })
      renameSync(draft, filename)
    })
    return { ...copied, replaced }
  })

const taken = (file: string) =>
  Effect.fail(new CopyFailed({ reason: "exists", message: `${file} already exists and is not overwritten.` }))

/** Copies into a draft next to the target, verifies it, and moves it into place. */
const drafted = (from: string, to: string, put: (draft: string) => void) =>
  Effect.scoped(Effect.gen(function*() {
    if (!existsSync(from)) {
      return yield* new CannotOpen({ filename: from, cause: new Error("the file does not exist") })
    }
    const draft = `${to}.${process.pid}.tmp`
    yield* files(() => mkdirSync(dirname(to), { recursive: true, mode: 0o700 }))
    yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(draft, { force: true })))
    yield* Effect.scoped(Effect.flatMap(opened(from), (driver) =>
      Effect.tryPromise({
        try: async () => {
          // Copies all pages in one step. In smaller steps, every write of another process would restart the backup.
          await driver.backup(draft, { progress: () => 2 ** 31 - 1 })
        },
        catch: (cause) => new CopyFailed({ reason: "failed", message: messageOf(cause) })
      })))
    const copied = yield* looked(from, draft)
    yield* files(() => {
      // The file contains personal data of guests.
      chmodSync(draft, 0o600)
      onDisk(draft)
      put(draft)
      onDisk(dirname(to))
    })
    return copied
  }))

const opened = (filename: string) =>
  Effect.tap(
    Effect.mapError(open(filename, { fileMustExist: true }), (cause) => new CannotOpen({ filename, cause })),
    (driver) =>
      Effect.try({
        try: () => driver.pragma("query_only = on"),
        catch: (cause) => new CannotOpen({ filename, cause })
      })
  )

/** Verifies all pages and references of a copy, and that it is a Trailbook database of a supported version. */
const looked = (from: string, draft: string) =>
  Effect.scoped(Effect.gen(function*() {
    const driver = yield* Effect.mapError(open(draft), (cause) => new CannotOpen({ filename: from, cause }))
    return yield* Effect.try({ try: () => read(from, driver, draft), catch: refused(from) })
  }))

const read = (from: string, driver: BetterSqlite3.Database, draft: string): CopySummary => {
  // In WAL mode, opening the copy would create a second file.
  driver.pragma("journal_mode = delete")
  const complaints = driver.prepare<[], { readonly integrity_check: string }>("pragma integrity_check(3)").all()
    .map(({ integrity_check }) => integrity_check).filter((said) => said !== "ok")
  const dangling = driver.prepare("pragma foreign_key_check").all().length
  if (complaints.length > 0 || dangling > 0) {
    const found = [...complaints, ...(dangling === 0 ? [] : [`${dangling} rows reference missing rows`])].join("; ")
    throw new CopyFailed({ reason: "damaged", message: `${from} is damaged: ${found}.` })
  }
  const last = lastMigration(driver)
  if (last === undefined) throw new CopyFailed({ reason: "foreign", message: `${from} is not a Trailbook database.` })
  const pending = Migrate.pendingMigrations(migrations, last, { table: "migrations" })
  if (Either.isLeft(pending)) {
    throw new CopyFailed({ reason: "foreign", message: `${from} cannot be used: ${pending.left.message}.` })
  }
  const count = (table: string) => Number(driver.prepare(`select count(*) from ${table}`).pluck().get())
  const newest = driver.prepare<[], { readonly slug: string; readonly id: number }>(
    "select o.slug, coalesce(max(e.id), 0) as id from orgs o left join events e on e.org_id = o.id group by o.slug order by o.slug"
  ).all()
  return {
    bytes: statSync(draft).size,
    rows: Object.fromEntries(counted.map((table) => [table, count(table)])) as CopySummary["rows"],
    newestEvents: Object.fromEntries(newest.map(({ id, slug }) => [slug, id])),
    pending: pending.right.names
  }
}

const refused = (from: string) => (cause: unknown): CannotOpen | CopyFailed =>
  cause instanceof CopyFailed ? cause : new CannotOpen({ filename: from, cause })

const files = (act: () => void): Effect.Effect<void, CopyFailed> =>
  Effect.try({
    try: act,
    catch: (cause) =>
      cause instanceof Error && "code" in cause && cause.code === "EEXIST"
        ? new CopyFailed({ reason: "exists", message: "Another process created the file. It was not overwritten." })
        : new CopyFailed({ reason: "failed", message: messageOf(cause) })
  })

/** Flushes the file to disk, so that a power failure cannot lose the backup. */
const onDisk = (path: string): void => {
  const handle = openSync(path, "r")
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

const messageOf = (cause: unknown): string => cause instanceof Error ? cause.message : String(cause)
