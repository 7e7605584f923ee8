/**
 * The journal file: a first line with the format, and then one line per transaction with its checksum and changes. A
 * line is on disk before the next one is written, so a crash can only tear the last line, which was never confirmed.
 *
 * Data that must not remain, such as erased values or a torn line, is removed by a rewrite. The rewrite stores the
 * state in a new file, which atomically replaces the old file.
 */
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import type * as Scope from "effect/Scope"
import { existsSync, readFileSync } from "node:fs"
import { type FileHandle, open as openFile, rename, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import { crc32 } from "node:zlib"
import { CannotOpen } from "./CannotOpen.ts"
import { holdLock } from "./holding.ts"
import { type Name, names, type Rows } from "./Rows.ts"
import { apply, type Change, emptyState, type State, type Table } from "./State.ts"

export interface JournalFile {
  /** The state in the file when it was opened. */
  readonly state: State
  /** Resolves once the line is on disk. */
  readonly append: (changes: ReadonlyArray<Change>) => Promise<void>
  /** Resolves once the file contains only this state. */
  readonly replace: (state: State) => Promise<void>
}

const header = "trailbook journal 1\n"

/** Opens or creates a journal, and locks out other processes until the scope closes. */
export const open = (file: string): Effect.Effect<JournalFile, CannotOpen, Scope.Scope> =>
  Effect.gen(function*() {
    yield* holdLock(file)
    const state = yield* Effect.try({
      try: () => existsSync(file) ? readJournal(file) : emptyState,
      catch: (cause) => new CannotOpen({ message: cause instanceof Error ? cause.message : String(cause) })
    })
    let handle: FileHandle | undefined
    const replace = async (state: State) => {
      await handle?.close()
      handle = await writeJournal(file, linesOf(state))
    }
    const append = async (changes: ReadonlyArray<Change>) => {
      await handle?.appendFile(lineOf(changes))
      await handle?.datasync()
    }
    // Rewriting the file drops a torn line and any values that later lines have replaced.
    yield* Effect.acquireRelease(
      Effect.tryPromise({
        try: () => replace(state),
        catch: (cause) => new CannotOpen({ message: `Could not write ${file}: ${String(cause)}` })
      }),
      () => Effect.promise(async () => handle?.close())
    )
    return { state, append, replace }
  })

/** Atomically replaces the file with these lines, and returns a handle that appends to the new file. */
const writeJournal = async (file: string, lines: Iterable<string>): Promise<FileHandle> => {
  const draft = await openFile(`${file}.new`, "w", 0o600)
  await writeFile(draft, lines)
  await draft.sync()
  await rename(`${file}.new`, file)
  // The rename changes the folder, which must also be flushed to disk.
  const folder = await openFile(dirname(file))
  await folder.sync()
  await folder.close()
  return draft
}

const checksumOf = (json: string): string => crc32(json).toString(16).padStart(8, "0")

const lineOf = (changes: ReadonlyArray<{ readonly table: Name; readonly row: Rows[Name] }>): string => {
  const json = JSON.stringify(changes)
  return `${checksumOf(json)} ${json}\n`
}

const linesOf = function*(state: State): Generator<string> {
  yield header
  for (const table of names) yield* rowsOf(state, table)
}

const rowsOf = function*<T extends Name>(state: State, table: T): Generator<string> {
  const { rows }: Table<Rows[T]> = state[table]
  for (const row of HashMap.values(rows)) yield lineOf([{ table, row }])
}

const readJournal = (file: string): State => {
  const bytes = readFileSync(file)
  if (bytes.toString("utf8", 0, header.length) !== header) throw new Error(`${file} is not a journal.`)
  let state = emptyState
  let from = header.length
  for (let end = bytes.indexOf("\n", from); end !== -1; end = bytes.indexOf("\n", from)) {
    const changes = changesIn(bytes.toString("utf8", from, end))
    // The line was complete and confirmed. Continuing without it would silently lose a booking.
    if (changes === undefined) throw new Error(`${file} is damaged at byte ${from}. Restore it from a backup.`)
    state = apply(state, changes)
    from = end + 1
  }
  return state
}

const changesIn = (line: string): ReadonlyArray<Change> | undefined => {
  const json = line.slice(9)
  // The checksum proves that this program wrote the line, and this program writes only changes.
  return line.slice(0, 8) === checksumOf(json) ? JSON.parse(json) as ReadonlyArray<Change> : undefined
}
