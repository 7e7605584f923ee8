/** A primary and a synchronous standby, run with the operating system's Postgres. Their roles can be swapped. */
import * as PostgresStorage from "@trailbook/postgres"
import { setTimeout as sleep } from "node:timers/promises"
import { installedPrograms } from "../postgres/program.ts"
import { type Postgres, startPostgres } from "../postgres/server.ts"
import type { Fault } from "../reliability/fault.ts"
import { createTempFolder, execute, type Target } from "../reliability/Target.ts"

export interface Pair extends Target {
  /**
   * Stops the primary with the given signal, promotes the standby, and adds a new standby on the old primary's port.
   * Resolves when the new standby is synchronous.
   */
  readonly switchOver: (signal: NodeJS.Signals) => Promise<void>
}

export const startPair = async (): Promise<Pair> => {
  const programs = await installedPrograms()
  if (programs === undefined) throw new Error("Postgres is not installed in /usr/lib/postgresql.")
  const { path: folder, remove } = await createTempFolder()
  let primary = await startPostgres({ fsync: true, programs })
  const executeAsSuperuser = (statement: string) => execute(primary.url("postgres"), statement)
  await executeAsSuperuser("create role trailbook login nosuperuser nobypassrls")
  await executeAsSuperuser("create database trailbook owner trailbook")

  const follow = async (port?: number): Promise<Postgres> => {
    // The new standby copies this setting. If it is promoted before it has its own standby, the setting must not block
    // its commits.
    await waitForCommits(primary, "")
    const standby = await startPostgres({
      fsync: true,
      programs,
      standbyOf: primary.url("postgres"),
      ...(port === undefined ? {} : { port })
    })
    await waitForCommits(primary, "*")
    return standby
  }
  let standby = await follow()
  const makeUrl = (role: string) => {
    const [first, second] = [primary, standby].map((server) => new URL(server.url("trailbook")).host)
    return `postgres://${role}@${first},${second}/trailbook?target_session_attrs=read-write`
  }
  return {
    url: makeUrl("trailbook"),
    folder,
    storage: PostgresStorage.layer({ url: makeUrl("postgres") }),
    written: async () => {},
    switchOver: async (signal) => {
      const oldPrimary = primary
      await oldPrimary.kill(signal)
      await standby.promote()
      primary = standby
      await oldPrimary.stop()
      standby = await follow(Number(new URL(oldPrimary.url("postgres")).port))
    },
    close: async () => {
      await Promise.all([primary.stop(), standby.stop()])
      await remove()
    }
  }
}

/** Sets whether commits wait until a standby confirms them. */
const waitForCommits = async (primary: Postgres, standbys: "*" | ""): Promise<void> => {
  const url = primary.url("postgres")
  await execute(url, `alter system set synchronous_standby_names = '${standbys}'`)
  await execute(url, "select pg_reload_conf()")
  const isSynchronous = async () =>
    (await execute(url, "select from pg_stat_replication where sync_state = 'sync'")).length > 0
  if (standbys === "*") { while (!await isSynchronous()) await sleep(20) }
}

/**
 * Returns a fault that performs a planned switchover. The primary sends its last changes to the standby before it
 * stops.
 */
export const switchOver = (pair: Pair): Fault => ({
  name: "switchover to the standby",
  strike: () => pair.switchOver("SIGINT")
})

export const failOver = (pair: Pair): Fault => ({
  name: "kill -9 of the primary, and promotion of the standby",
  strike: () => pair.switchOver("SIGKILL")
})
