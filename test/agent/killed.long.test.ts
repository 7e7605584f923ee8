/**
 * Kills workers while they run agent actions, 25 times on each database, or 12 times in CI. Each guest must get one
 * reminder, each session must be opened once, and every proposal must be completed.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createRequire } from "node:module"
import { join } from "node:path"
import process from "node:process"
import { setTimeout as wait } from "node:timers/promises"
import { createTrailbook } from "trailbook"
import { assert, it } from "vitest"
import { readAllPages } from "../reliability/everything.ts"
import { startWorker } from "../reliability/ServerProcess.ts"
import { awaitChange, countRows, execute } from "../reliability/statements.ts"
import { databases, sqlite, type Target } from "../reliability/Target.ts"
import { whenKilled } from "../reliability/whenKilled.ts"
import { runs } from "../runs.ts"

const kills = runs(25, 12, 12)
const departures = 2
const guests = 5
const hourMs = 3_600_000
const org = { name: "Salida River Co.", timezone: "America/Denver" }

/** Creates full sessions that were booked two days ago and start soon enough for reminders to be due. */
const book = async (target: Target, offering_id: string, round: number): Promise<void> => {
  const clock = { now: () => Date.now() - 48 * hourMs }
  const trailbook = await createTrailbook({ database: target.url, org, clock, logLevel: "silent" })
  try {
    for (let n = 0; n < departures; n++) {
      const at = round * departures + n
      const starts_at = new Date(Math.floor(Date.now() / 60_000) * 60_000 + 14 * hourMs + at * 10 * 60_000)
      const { data } = await trailbook.sessions.create({ offering_id, starts_at: starts_at.toISOString() })
      for (let guest = 0; guest < guests; guest++) {
        await trailbook.bookings.create({
          offering_id,
          session_id: data[0]?.id ?? "",
          customer: { email: `guest.${at}.${guest}@example.com`, name: "Ann Bell" }
        })
      }
    }
  } finally {
    await trailbook.close()
  }
}

/** Ends all leases and makes all automation runs due, as if minutes had passed. */
const minutesPass = (target: Target): Promise<void> =>
  execute(
    target,
    (table) => `update ${table("automations")} set lease_until = null, next_at = 1 where next_at is not null`,
    (table) => `update ${table("proposals")} set lease_until = null`
  )

it.each(databases("SQLite"))(
  "%s: each agent action runs exactly once while workers are killed",
  async (_, open) => {
    const target = await open()
    try {
      const setUp = await createTrailbook({ database: target.url, org, logLevel: "silent" })
      await setUp.org.update({ quiet_from: null, quiet_to: null, ops_daily_cap: 500 })
      const { id } = await setUp.offerings.create({ name: "Rafting", kind: "class", capacity: guests })
      for (const automation of ["fill", "reminders"] as const) {
        await setUp.automations.update({ automation, dial: "do_tell" })
      }
      await setUp.close()

      let cutShort = 0
      // If the workers finish all actions before the kill, later rounds use a shorter delay.
      let longestMs = 40
      for (let round = 0; round < kills; round++) {
        await book(target, id, round)
        await minutesPass(target)
        const before = await countRows(target, progress)
        const workers = await Promise.all([
          startWorker(target.url, target.folder),
          startWorker(target.url, target.folder)
        ])
        // Wait for the first proposal, because a kill before then would interrupt nothing. On a slow machine, creating
        // this proposal takes a long time.
        await awaitChange(target, progress, before)
        await wait((round * 37) % longestMs)
        await Promise.all(workers.map(({ kill }) => kill()))
        if (await pending(target) > 0) cutShort++
        else longestMs = Math.ceil(longestMs / 2)
      }

      const trailbook = await createTrailbook({ database: target.url, org, mailer: "none", logLevel: "silent" })
      for (let round = 0; round < 20; round++) {
        await minutesPass(target)
        const { automations } = await trailbook.worker.runOnce()
        if ((await pending(target)) === 0 && automations?.["proposed"] === 0) break
      }
      const messages = await readAllPages((cursor) => trailbook.messages.list({ limit: 500, ...cursor }))
      const remindedIds = messages.filter(({ sent_by }) => sent_by === "agent").map(({ booking_id }) => booking_id)
      assert.strictEqual(remindedIds.length, kills * departures * guests)
      assert.strictEqual(new Set(remindedIds).size, remindedIds.length, "a guest was reminded twice")
      const sessions = await readAllPages((cursor) => trailbook.sessions.list({ limit: 500, ...cursor }))
      const starts = sessions.map(({ starts_at }) => starts_at)
      assert.strictEqual(new Set(starts).size, starts.length, "a session was opened twice")
      // A class gets at most one fill proposal per day, so not every full session adds another.
      assert.isAbove(starts.length, kills * departures)
      const proposals = await readAllPages((cursor) => trailbook.proposals.list({ limit: 500, ...cursor }))
      assert.deepStrictEqual(new Set(proposals.map(({ status }) => status)), new Set(["done"] as const))
      for (const { actions } of proposals) assert.isTrue(actions.every(({ result }) => result?.ok === true))
      assert.isAbove(cutShort, kills / 6, "too few runs were interrupted")
      await trailbook.close()
    } finally {
      await target.close()
    }
  },
  600_000
)

it(
  "control: guests are reminded twice without a shared transaction or idempotency keys",
  async () => {
    const target = await sqlite()
    try {
      const setUp = await createTrailbook({ database: target.url, org, logLevel: "silent" })
      await setUp.org.update({ quiet_from: null, quiet_to: null, ops_daily_cap: 500 })
      const { id } = await setUp.offerings.create({ name: "Rafting", kind: "class", capacity: guests })
      await setUp.automations.update({ automation: "reminders", dial: "do_quiet" })
      await setUp.close()
      for (let round = 0; round < 4; round++) {
        await book(target, id, round)
        await minutesPass(target)
        const before = await countMessages(target)
        const worker = await careless(target)
        // The worker records an action as done 250 ms after it stores the message, so it is killed between the two
        // writes.
        while (await countMessages(target) === before) await wait(10)
        await worker.kill()
      }
      await minutesPass(target)
      const trailbook = await createTrailbook({ database: target.url, org, mailer: "none", logLevel: "silent" })
      await trailbook.worker.runOnce()
      const messages = await readAllPages((cursor) => trailbook.messages.list({ limit: 500, ...cursor }))
      const remindedIds = messages.filter(({ sent_by }) => sent_by === "agent").map(({ booking_id }) => booking_id)
      assert.isAbove(remindedIds.length, new Set(remindedIds).size, "no guest was reminded twice")
      await trailbook.close()
    } finally {
      await target.close()
    }
  },
  300_000
)

/** Starts a worker without guards. Resolves once the worker is running. */
const careless = async ({ folder, url }: Target) => {
  const node = ["--conditions=@trailbook/source", "--import", createRequire(import.meta.url).resolve("tsx")]
  const program = join(import.meta.dirname, "carelessWorker.ts")
  const child = spawn(process.execPath, [...node, program, url.replace(/^sqlite:/, "")], {
    cwd: folder,
    stdio: ["ignore", "pipe", "ignore"]
  })
  const exit = once(child, "exit")
  void exit.then(whenKilled("kill -9 \"$1\"", String(child.pid)))
  await once(child.stdout, "data")
  return {
    kill: async () => {
      child.kill("SIGKILL")
      await exit
    }
  }
}

const countMessages = (target: Target): Promise<number> =>
  countRows(target, (table) => `select count(*) as n from ${table("messages")}`)

/** Returns a statement that counts the stored proposals plus the stored messages. */
const progress = (table: (name: string) => string): string =>
  `select (select count(*) from ${table("proposals")}) + (select count(*) from ${table("messages")}) as n`

const pending = (target: Target): Promise<number> =>
  countRows(target, (table) => `select count(*) as n from ${table("proposals")} where status = 'pending'`)
