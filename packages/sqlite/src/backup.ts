/**
 * Copies of a database: taken while others write to it, and put back. A copy is one
 * file, whole and looked through before it gets its name, so that whoever finds one
 * can rely on it. A crash leaves a draft beside it, never half a copy.
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

/** What is in a copy. */
export interface CopySummary {
  readonly bytes: number
  /** Rows by table, of those that say most. */
  readonly rows: Readonly<Record<(typeof counted)[number], number>>
  /** The newest event of each org, by slug: where a poller goes on after the copy was put back. */
  readonly newestEvents: Readonly<Record<string, number>>
  /** Changes of the schema that the copy lacks; a start makes them. */
  readonly pending: ReadonlyArray<string>
}

const counted = ["orgs", "offerings", "customers", "bookings", "events"] as const

/** Nothing was copied, and what was there before is as it was. */
export class CopyFailed extends Data.TaggedError("CopyFailed")<{
  readonly reason: "exists" | "in use" | "damaged" | "foreign" | "failed"
  readonly message: string
}> {}

/**
 * Copies the database of a file into a new file, as it is at one moment. Others go
 * on reading and writing meanwhile. What is there under the new name is never
 * written over.
 */
export const backup = (filename: string, to: string): Effect.Effect<CopySummary, CannotOpen | CopyFailed> =>
  Effect.flatMap(existsSync(to) ? taken(to) : Effect.void, () =>
    drafted(filename, to, (draft) => {
      // As a link, for a rename would write over what somebody else put there at this moment.
      linkSync(draft, to)
      rmSync(draft)
    }))

/**
 * Puts a copy in the place of a database, all at once. With `replace` it may take
 * the place of one that is there and that nobody has open; that one is kept, under
 * the name that is answered.
 */
export const restore = (
  from: string,
  filename: string,
  { kept, replace }: {
    readonly replace: boolean
    /** The name under which the old database is kept. */
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
      // A log that was left would be taken for the new file's.
      for (const ending of ["-wal", "-shm"]) rmSync(filename + ending, { force: true })
      renameSync(draft, filename)
    })
    return { ...copied, replaced }
  })

const taken = (file: string) =>
  Effect.fail(new CopyFailed({ reason: "exists", message: `${file} is there already, and is not written over.` }))

/** Copies into a draft beside the place, looks through it, and lets it be put there. */
const drafted = (from: string, to: string, put: (draft: string) => void) =>
  Effect.scoped(Effect.gen(function*() {
    if (!existsSync(from)) {
      return yield* new CannotOpen({ filename: from, cause: new Error("there is no such file") })
    }
    const draft = `${to}.${process.pid}.tmp`
    yield* files(() => mkdirSync(dirname(to), { recursive: true, mode: 0o700 }))
    yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(draft, { force: true })))
    yield* Effect.scoped(Effect.flatMap(opened(from), (driver) =>
      Effect.tryPromise({
        try: async () => {
          // All pages in one step: with fewer, every write of another process would make it begin again.
          await driver.backup(draft, { progress: () => 2 ** 31 - 1 })
        },
        catch: (cause) => new CopyFailed({ reason: "failed", message: messageOf(cause) })
      })))
    const copied = yield* looked(from, draft)
    yield* files(() => {
      // It holds what guests told the outfitter.
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

/** Every page and every reference of a copy, and that it is ours and not of a later version. */
const looked = (from: string, draft: string) =>
  Effect.scoped(Effect.gen(function*() {
    const driver = yield* Effect.mapError(open(draft), (cause) => new CannotOpen({ filename: from, cause }))
    return yield* Effect.try({ try: () => read(from, driver, draft), catch: refused(from) })
  }))

const read = (from: string, driver: BetterSqlite3.Database, draft: string): CopySummary => {
  // One file: with a write-ahead log it would be two whenever somebody looks into it.
  driver.pragma("journal_mode = delete")
  const complaints = driver.prepare<[], { readonly integrity_check: string }>("pragma integrity_check(3)").all()
    .map(({ integrity_check }) => integrity_check).filter((said) => said !== "ok")
  const dangling = driver.prepare("pragma foreign_key_check").all().length
  if (complaints.length > 0 || dangling > 0) {
    const found = [...complaints, ...(dangling === 0 ? [] : [`${dangling} rows refer to none`])].join("; ")
    throw new CopyFailed({ reason: "damaged", message: `${from} is damaged: ${found}.` })
  }
  const last = lastMigration(driver)
  if (last === undefined) throw new CopyFailed({ reason: "foreign", message: `${from} is no database of Trailbook.` })
  const pending = Migrate.pending(migrations, last, { table: "migrations" })
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
        ? new CopyFailed({ reason: "exists", message: "The name is taken meanwhile; nothing was written over." })
        : new CopyFailed({ reason: "failed", message: messageOf(cause) })
  })

/** Flushed to the disk: a backup that a power cut takes is none. */
const onDisk = (path: string): void => {
  const handle = openSync(path, "r")
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

const messageOf = (cause: unknown): string => cause instanceof Error ? cause.message : String(cause)
