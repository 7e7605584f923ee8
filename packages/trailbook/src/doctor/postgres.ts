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

/** What a server relies on in Postgres. */
export const checks = Effect.gen(function*() {
  const { query } = yield* Database
  // Everything here goes by the database's clock; how far this machine's is from it, only that can say.
  const machine = Clock.make()
  const before = machine.unsafeCurrentTimeMillis()
  const [server] = yield* query<Server>(asked)
  const now = (before + machine.unsafeCurrentTimeMillis()) / 2
  if (server === undefined) return [fault("postgres", "it says nothing of itself", "Look at its log.")]
  return [
    makePassed("postgres", server.version),
    durable(server),
    wall(server),
    clocks(server, now),
    yield* writable(
      "a unit of work can begin",
      "Give this role the right to write in the schema; a standby only reads."
    )
  ]
})

/** What was answered survives a power cut only with all of these. */
const durable = ({ fsync, full_page_writes, synchronous_commit }: Server) => {
  const wrong = [
    ...(fsync === "on" ? [] : [`fsync is ${fsync}`]),
    ...(full_page_writes === "on" ? [] : [`full_page_writes is ${full_page_writes}`]),
    ...(synchronous_commit === "off" ? ["synchronous_commit is off"] : [])
  ]
  return wrong.length === 0
    ? makePassed("durable", "what is committed is on disk")
    : fault(
      "durable",
      wrong.join(", "),
      "Turn it on in postgresql.conf: an acknowledged booking may be lost without it."
    )
}

const wall = ({ bypasses, role }: Server) =>
  bypasses
    ? fault(
      "row security",
      `the role ${role} is a superuser or may bypass it, so it does not bind`,
      "Let Trailbook connect as a role of its own that owns its schema and is neither."
    )
    : makePassed("row security", `binds the role ${role}`)

const toleratedMs = 2000

/** Bookings go by the database's clock, but logs and a host that brings its own do not. */
const clocks = ({ now_ms }: Server, now: number) => {
  const ahead = Math.round(now - now_ms)
  const found = `this machine's is ${Math.abs(ahead)} ms ${ahead < 0 ? "behind" : "ahead of"} the database's`
  return Math.abs(ahead) <= toleratedMs
    ? makePassed("clocks", found)
    : fault("clocks", found, "Keep both right with NTP.")
}
