/**
 * The file: a first line that says what it is, then one line for each unit of
 * work, its checksum and its changes. A line is on the disk before the next one
 * is written, so a crash can tear the last one only, and one that is torn was
 * never answered for.
 *
 * Whatever must not stay behind (what an erasure overwrote, a torn line) leaves
 * in the same way: the state is written to a new file, which then takes the
 * place of the old one in one step.
 */
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import type * as Scope from "effect/Scope"
import { existsSync, readFileSync } from "node:fs"
import { type FileHandle, open as openFile, rename, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import { crc32 } from "node:zlib"
import { CannotOpen } from "./CannotOpen.ts"
import { holding } from "./holding.ts"
import { type Name, names, type Rows } from "./Rows.ts"
import { apply, type Change, empty, type State, type Table } from "./State.ts"

export interface JournalFile {
  /** What the file held when it was opened. */
  readonly state: State
  /** Comes back once the line is on the disk. */
  readonly append: (changes: ReadonlyArray<Change>) => Promise<void>
  /** Comes back once the file holds this state and nothing else. */
  readonly replace: (state: State) => Promise<void>
}

const header = "trailbook journal 1\n"

/** Opens a journal, or makes a new one, and keeps other processes from it until the scope closes. */
export const open = (file: string): Effect.Effect<JournalFile, CannotOpen, Scope.Scope> =>
  Effect.gen(function*() {
    yield* holding(file)
    const state = yield* Effect.try({
      try: () => existsSync(file) ? read(file) : empty,
      catch: (cause) => new CannotOpen({ message: cause instanceof Error ? cause.message : String(cause) })
    })
    let handle: FileHandle | undefined
    const replace = async (state: State) => {
      await handle?.close()
      handle = await written(file, linesOf(state))
    }
    const append = async (changes: ReadonlyArray<Change>) => {
      await handle?.appendFile(lineOf(changes))
      await handle?.datasync()
    }
    // A torn line is not carried over, and neither is what later lines have replaced.
    yield* Effect.acquireRelease(
      Effect.tryPromise({
        try: () => replace(state),
        catch: (cause) => new CannotOpen({ message: `${file} cannot be written: ${String(cause)}` })
      }),
      () => Effect.promise(async () => handle?.close())
    )
    return { state, append, replace }
  })

/** Puts these lines in the place of the file, all or nothing, and goes on at their end. */
const written = async (file: string, lines: Iterable<string>): Promise<FileHandle> => {
  const draft = await openFile(`${file}.new`, "w", 0o600)
  await writeFile(draft, lines)
  await draft.sync()
  await rename(`${file}.new`, file)
  // The name is part of the folder, which has to reach the disk as well.
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

const read = (file: string): State => {
  const bytes = readFileSync(file)
  if (bytes.toString("utf8", 0, header.length) !== header) throw new Error(`${file} is not a journal.`)
  let state = empty
  let from = header.length
  for (let end = bytes.indexOf("\n", from); end !== -1; end = bytes.indexOf("\n", from)) {
    const changes = changesIn(bytes.toString("utf8", from, end))
    // It was whole once and was answered for: going on without it would lose a booking in silence.
    if (changes === undefined) throw new Error(`${file} is damaged at byte ${from}; restore it from a backup.`)
    state = apply(state, changes)
    from = end + 1
  }
  return state
}

const changesIn = (line: string): ReadonlyArray<Change> | undefined => {
  const json = line.slice(9)
  // The checksum says that this is a line of ours, and only changes are ever written.
  return line.slice(0, 8) === checksumOf(json) ? JSON.parse(json) as ReadonlyArray<Change> : undefined
}
