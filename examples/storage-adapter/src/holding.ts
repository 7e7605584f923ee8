/**
 * Two processes at one journal would each sell what the other has sold, so a
 * process holds it by a link beside the file that names the process, and whoever
 * comes second is turned away. A process that was killed leaves its link behind,
 * and the next one takes the next number. Links of the dead stay: were they taken
 * away, a process that was slow to look could take a number twice.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { readdirSync, readlinkSync, rmSync, symlinkSync } from "node:fs"
import { basename, dirname } from "node:path"
import { CannotOpen } from "./CannotOpen.ts"

/** Holds the journal until the scope closes. */
export const holding = (file: string): Effect.Effect<void, CannotOpen, Scope.Scope> =>
  Effect.asVoid(Effect.acquireRelease(
    Effect.try({
      try: () => take(file),
      catch: (cause) => new CannotOpen({ message: cause instanceof Error ? cause.message : String(cause) })
    }),
    (link) => Effect.sync(() => rmSync(link))
  ))

const take = (file: string): string => {
  const last = lastTurn(file)
  const holder = last === 0 ? undefined : holderOf(linkOf(file, last))
  if (holder !== undefined && isRunning(holder)) throw new Error(`${file} is held by process ${holder}.`)
  const mine = linkOf(file, last + 1)
  // Fails when another process has just taken this turn.
  symlinkSync(String(process.pid), mine)
  return mine
}

const linkOf = (file: string, turn: number): string => `${file}.held.${turn}`

const lastTurn = (file: string): number => {
  const prefix = basename(linkOf(file, 0)).slice(0, -1)
  const links = readdirSync(dirname(file)).filter((name) => name.startsWith(prefix))
  return Math.max(0, ...links.map((name) => Number(name.slice(prefix.length))))
}

/** Nobody, when they let go between two looks. */
const holderOf = (link: string): number | undefined => {
  try {
    return Number(readlinkSync(link))
  } catch {
    return undefined
  }
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    // Somebody else's process may not be signalled, but it is there.
    return cause instanceof Error && "code" in cause && cause.code === "EPERM"
  }
}
