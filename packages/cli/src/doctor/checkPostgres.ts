import { Database } from "@trailbook/sql/Database"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { checkWrites } from "./checkWrites.ts"
import { makeFailedFinding, makePassedFinding } from "./Finding.ts"

interface Server {
  readonly version: string
  readonly fsync: string
  readonly synchronous_commit: string
  readonly full_page_writes: string
  readonly role: string
  readonly bypasses: boolean
  readonly now_ms: number
  readonly connections: number
  readonly max_connections: number
}

const serverQuery = `select current_setting('server_version') as version,
    current_setting('fsync') as fsync,
    current_setting('synchronous_commit') as synchronous_commit,
    current_setting('full_page_writes') as full_page_writes,
    current_user::text as role,
    (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) as bypasses,
    (extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms,
    (select sum(numbackends) from pg_stat_database)::integer as connections,
    current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
      as max_connections`

interface Standby {
  readonly name: string
  /** How many bytes the standby is behind. Null if the user lacks the `pg_monitor` role. */
  readonly behind_bytes: number | null
}

const standbyQuery = `select application_name as name,
    pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::bigint as behind_bytes
  from pg_stat_replication order by application_name`

/** The checks for a Postgres database. */
export const checkPostgres = Effect.gen(function*() {
  const { query } = yield* Database
  // Read the machine's clock directly, because Effect's clock follows the database here and the two must be compared.
  const machine = Clock.make()
  const before = machine.unsafeCurrentTimeMillis()
  const [server] = yield* query<Server>(serverQuery)
  const now = (before + machine.unsafeCurrentTimeMillis()) / 2
  if (server === undefined) {
    return [makeFailedFinding("postgres", "the server did not report its version", "Check the server log.")]
  }
  return [
    makePassedFinding("postgres", server.version),
    checkDurability(server),
    checkRowSecurity(server),
    checkClock(server, now),
    checkConnections(server),
    ...checkStandbys(yield* query<Standby>(standbyQuery)),
    yield* checkWrites(
      "Check that the server has free disk space, that this role can write to the schema, and that the URL points to " +
        "the primary, because a standby is read-only."
    )
  ]
})

/** Checks the settings for durability. Committed data survives a power loss only with all of these settings. */
const checkDurability = ({ fsync, full_page_writes, synchronous_commit }: Server) => {
  const problems = [
    ...(fsync === "on" ? [] : [`fsync is ${fsync}`]),
    ...(full_page_writes === "on" ? [] : [`full_page_writes is ${full_page_writes}`]),
    ...(synchronous_commit === "off" ? ["synchronous_commit is off"] : [])
  ]
  return problems.length === 0
    ? makePassedFinding("durable", "commits are written to disk")
    : makeFailedFinding(
      "durable",
      problems.join(", "),
      "Turn on each of these settings in postgresql.conf. Otherwise, a power loss can lose confirmed bookings."
    )
}

const checkRowSecurity = ({ bypasses, role }: Server) =>
  bypasses
    ? makeFailedFinding(
      "row security",
      `the role ${role} is a superuser or bypasses row security`,
      "Connect Trailbook as a separate role that owns its schema and has neither SUPERUSER nor BYPASSRLS."
    )
    : makePassedFinding("row security", `applies to the role ${role}`)

const maxClockOffsetMs = 2000

/** Bookings use the database's clock, but logs and host applications use the machine's clock. */
const checkClock = ({ now_ms }: Server, now: number) => {
  const offsetMs = Math.round(now - now_ms)
  const text = `this machine's clock is ${Math.abs(offsetMs)} ms ${offsetMs < 0 ? "behind" : "ahead of"} the database's`
  return Math.abs(offsetMs) <= maxClockOffsetMs
    ? makePassedFinding("clocks", text)
    : makeFailedFinding("clocks", text, "Synchronize both clocks with NTP.")
}

/**
 * Checks that at most 80 % of the connections are in use. A server opens up to 14 connections. The remaining 20 %
 * leaves room for a restart, a backup, and an operator.
 */
const checkConnections = ({ connections, max_connections }: Server) => {
  const text = `${connections} of ${max_connections} in use`
  return connections <= max_connections * 0.8
    ? makePassedFinding("connections", text)
    : makeFailedFinding("connections", text, "Raise max_connections, stop unused servers, or use a connection pooler.")
}

/**
 * A standby that is further behind takes a long time to take over, and the primary keeps the missing data on its disk.
 */
const maxLagBytes = 64 * 1024 * 1024

const checkStandbys = (standbys: ReadonlyArray<Standby>) =>
  standbys.map(({ behind_bytes, name }) => {
    if (behind_bytes === null) {
      return makePassedFinding(
        "replica",
        "a standby exists, but its lag is unknown. To check it, grant pg_monitor to this role."
      )
    }
    const text = `${name} is ${Math.ceil(behind_bytes / 1024 / 1024)} MiB behind`
    return behind_bytes <= maxLagBytes
      ? makePassedFinding("replica", text)
      : makeFailedFinding(
        "replica",
        text,
        "Check the standby's load, disk, log, and connection to the primary."
      )
  })
