/** The campaigns of `npm run test:reliability`. The long test runs one round of each fault. */
import type { Campaign, Result } from "./campaign.ts"
import {
  killDatabase,
  killInCommit,
  killPostmaster,
  killServer,
  killTwice,
  killWorker,
  stall,
  stallAndKill,
  stop,
  stopStalled
} from "./fault.ts"
import { postgres, sqlite, type Target } from "./Target.ts"

type Run = (campaign: Campaign) => Promise<Result>

/** Campaigns by name. Each creates its own database, runs on it, and removes it. */
export const campaigns = (seed: string): Record<string, (run: Run) => Promise<Result>> => ({
  "sqlite": (run) =>
    withTarget(sqlite, (target) =>
      run({
        name: "SQLite, servers killed",
        target,
        servers: 1,
        rounds: 40,
        seed,
        faults: [killServer, killInCommit(target)]
      })),
  "postgres": (run) =>
    withTarget(() => postgres(), (target) =>
      run({
        name: "Postgres, servers killed",
        target,
        servers: 1,
        rounds: 40,
        seed,
        faults: [killServer, killInCommit(target)]
      })),
  // With this setting, Postgres acknowledges commits before they are on disk. Trailbook must override it in each
  // transaction.
  "postgres-killed": (run) =>
    withTarget(() => postgres({ synchronous_commit: "off" }), (target) =>
      run({
        name: "Postgres itself killed",
        target,
        servers: 2,
        rounds: 15,
        seed,
        faults: [killPostmaster(target.postgres), killDatabase(target.postgres), killWorker(target.postgres)]
      })),
  "many-servers": (run) =>
    withTarget(() => postgres(), (target) =>
      run({
        name: "Postgres, 3 servers",
        target,
        servers: 3,
        rounds: 20,
        seed,
        faults: [killServer, stall, stallAndKill, killTwice]
      })),
  "sqlite-stopped": (run) =>
    withTarget(sqlite, (target) =>
      run({
        name: "SQLite, servers stopped",
        target,
        servers: 1,
        options: { graceSeconds: shortGrace },
        rounds: 20,
        seed,
        faults: [stop(shortGrace), stopStalled(shortGrace)]
      })),
  "postgres-stopped": (run) =>
    withTarget(() => postgres(), (target) =>
      run({
        name: "Postgres, servers stopped",
        target,
        servers: 2,
        options: { graceSeconds: shortGrace },
        rounds: 20,
        seed,
        faults: [stop(shortGrace), stopStalled(shortGrace)]
      })),
  // Each hold from one server has already expired by the other server's clock.
  "clocks": (run) =>
    withTarget(sqlite, (target) =>
      run({
        name: "SQLite, clocks 25 hours apart",
        target,
        servers: 2,
        clocksOffMillis: aDayApart,
        rounds: 10,
        seed,
        faults: [killServer, stall]
      })),
  // On Postgres, all servers use the database's clock.
  "clocks-postgres": (run) =>
    withTarget(() => postgres(), (target) =>
      run({
        name: "Postgres, clocks 25 hours apart",
        target,
        servers: 2,
        clocksOffMillis: aDayApart,
        rounds: 10,
        seed,
        faults: [killServer, stall]
      }))
})

export const aDayApart = [0, 25 * 3_600_000] as const

/** A grace period in seconds. Requests that run longer are cut off, and the guests retry them. */
const shortGrace = 1

const withTarget = async <A extends Target, B>(make: () => Promise<A>, use: (target: A) => Promise<B>): Promise<B> => {
  const target = await make()
  try {
    return await use(target)
  } finally {
    await target.close()
  }
}
