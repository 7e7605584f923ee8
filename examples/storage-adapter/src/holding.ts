/**
 * Locks the journal, because two processes with the same journal would sell the same seats. A process holds the lock
 * through a symbolic link next to the file. The link contains the process ID. A second process is rejected. A killed
 * process leaves its link behind, and the next process creates one with the next number. These links are never deleted,
 * because otherwise a slow process could claim a number that has already been used.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { readdirSync, readlinkSync, rmSync, symlinkSync } from "node:fs"
import { basename, dirname } from "node:path"
import { CannotOpen } from "./CannotOpen.ts"

/** Holds the lock until the scope closes. */
export const holdLock = (file: string): Effect.Effect<void, CannotOpen, Scope.Scope> =>
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
  if (holder !== undefined && isRunning(holder)) throw new Error(`${file} is locked by process ${holder}.`)
  const ownLink = linkOf(file, last + 1)
  // Fails if another process has just taken this number.
  symlinkSync(String(process.pid), ownLink)
  return ownLink
}

const linkOf = (file: string, turn: number): string => `${file}.held.${turn}`

const lastTurn = (file: string): number => {
  const prefix = basename(linkOf(file, 0)).slice(0, -1)
  const links = readdirSync(dirname(file)).filter((name) => name.startsWith(prefix))
  return Math.max(0, ...links.map((name) => Number(name.slice(prefix.length))))
}

/** Returns `undefined` if the holder released the lock in the meantime. */
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
    // With EPERM, the process exists but belongs to another user.
    return cause instanceof Error && "code" in cause && cause.code === "EPERM"
  }
}
