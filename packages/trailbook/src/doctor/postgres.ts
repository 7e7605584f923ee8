import { Database } from "@trailbook/sql/Database"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { fault, makePassed } from "./Finding.ts"
import { writable } from "./writable.ts"

interface Server {
  readonly version: string
  readonly fsync: string
  readonly synchronous_commit: string
  readonly full_page_writes: string
  readonly role: string
  readonly bypasses: boolean
  readonly now_ms: number
}

const asked = `select current_setting('server_version') as version,
    current_setting('fsync') as fsync,
    current_setting('synchronous_commit') as synchronous_commit,
    current_setting('full_page_writes') as full_page_writes,
    current_user::text as role,
    (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) as bypasses,
    (extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms`

/** The checks of a Postgres database. */
export const checks = Effect.gen(function*() {
  const { query } = yield* Database
  // Effect's clock follows the database here, so the machine's clock is read directly to compare the two.
  const machine = Clock.make()
  const before = machine.unsafeCurrentTimeMillis()
  const [server] = yield* query<Server>(asked)
  const now = (before + machine.unsafeCurrentTimeMillis()) / 2
  if (server === undefined) return [fault("postgres", "the server returned no version", "Check the server log.")]
  return [
    makePassed("postgres", server.version),
    durable(server),
    wall(server),
    clocks(server, now),
    yield* writable(
      "Free disk space on the server, and grant this role write access to the schema. A standby is read-only."
    )
  ]
})

/** Committed data survives a power loss only with all of these settings. */
const durable = ({ fsync, full_page_writes, synchronous_commit }: Server) => {
  const wrong = [
    ...(fsync === "on" ? [] : [`fsync is ${fsync}`]),
    ...(full_page_writes === "on" ? [] : [`full_page_writes is ${full_page_writes}`]),
    ...(synchronous_commit === "off" ? ["synchronous_commit is off"] : [])
  ]
  return wrong.length === 0
    ? makePassed("durable", "committed data is on disk")
    : fault(
      "durable",
      wrong.join(", "),
      "Turn it on in postgresql.conf. Otherwise, a power loss can lose confirmed bookings."
    )
}

const wall = ({ bypasses, role }: Server) =>
  bypasses
    ? fault(
      "row security",
      `the role ${role} is a superuser or bypasses row security`,
      "Connect Trailbook as a separate role that owns its schema, without superuser and BYPASSRLS."
    )
    : makePassed("row security", `applies to the role ${role}`)

const toleratedMs = 2000

/** Bookings use the database's clock, but logs and host applications use the machine's clock. */
const clocks = ({ now_ms }: Server, now: number) => {
  const ahead = Math.round(now - now_ms)
  const found = `this machine is ${Math.abs(ahead)} ms ${ahead < 0 ? "behind" : "ahead of"} the database`
  return Math.abs(ahead) <= toleratedMs
    ? makePassed("clocks", found)
    : fault("clocks", found, "Synchronize both with NTP.")
}
