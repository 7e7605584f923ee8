/**
 * Kills a payment server several times: when a request reaches the bank, when the bank has executed the request but not
 * responded, during a commit, or at a random time. Afterward, the bank must hold the price of the confirmed bookings,
 * and each guest must have been notified. Each kind of change must have happened at most once per booking.
 */
import { providerFaults } from "@trailbook/testkit/provider/FakeBank"
import * as Effect from "effect/Effect"
import { setTimeout as wait } from "node:timers/promises"
import { assert, it } from "vitest"
import { line } from "../reliability/ask.ts"
import { type Dice, dice } from "../reliability/dice.ts"
import { databases, sqlite, type Target } from "../reliability/Target.ts"
import { runs } from "../runs.ts"
import { books, countPendingWork, forgetWork, leasesEnd } from "./books.ts"
import { guest, type Shop } from "./guest.ts"
import { inStep, type MoneyServer, open } from "./MoneyServer.ts"

const kills = runs(8, 5, 5)
const guestsAtOnce = 6
/** The minimum number of guests per lane, even on a slow machine. */
const guestsOfEach = 3
const dayMinutes = 24 * 60

const shop = async (server: MoneyServer): Promise<Shop> => {
  const { ask } = line(server.urls, server.key, dice("shop"))
  const create = async (path: string, body: object) => {
    const { body: response, status } = await ask({ method: "POST", path, body })
    assert.isBelow(status, 300, JSON.stringify(response))
    return response
  }
  const { id } = await create("/offerings", { name: "Raft", kind: "class", price_cents: 9500, capacity: 2 })
  const starts_at = new Date(Math.ceil(server.now() / 60_000) * 60_000 + 30 * dayMinutes * 60_000).toISOString()
  const { data } = await create("/sessions", { offering_id: id, starts_at, repeat_weeks: 20 })
  return { offeringId: id, sessions: data.map((session: { id: string }) => session.id) }
}

/** Returns functions that resolve when the process should be killed. */
const moments = (server: MoneyServer, target: Target, dice: Dice) => {
  const untilCall = (moment: "come" | "done") =>
    new Promise<boolean>((resolve) => {
      let skips = dice.between(0, 3)
      server.stripe.watch = async (is) => {
        await inStep(server)
        if (is !== moment || skips-- > 0) return
        resolve(true)
        // Delay the response long enough for the calling process to be killed.
        await wait(50)
      }
    })
  return {
    come: () => untilCall("come"),
    done: () => untilCall("done"),
    commit: async () => {
      await wait(dice.between(0, 300))
      await target.written()
      return true
    },
    any: () => wait(dice.between(0, 600), true)
  }
}

/**
 * Has guests book, pay, and cancel while the server is killed repeatedly. Returns the number of kills during a call to
 * the bank.
 */
const killed = async (
  server: MoneyServer,
  target: Target,
  where: Shop,
  dice: Dice,
  afterwards: () => Promise<void> = async () => {}
): Promise<number> => {
  const state = { isOver: false }
  let calls = 0
  const lanes = Array.from({ length: guestsAtOnce }, async (_, at) => {
    const guestDice = dice.for(`guest ${at}`)
    for (let come = 0; come < guestsOfEach || !state.isOver; come++) await guest(server, where, guestDice)
  })
  for (let round = 0; round < kills; round++) {
    if (dice.percent(40)) await Effect.runPromise(server.stripe.bank.fail(dice.pick(providerFaults)))
    const kind = (["come", "done", "commit", "any"] as const)[round % 4] ?? "any"
    const isIt = await Promise.race([moments(server, target, dice)[kind](), wait(6000, false)])
    await server.kill()
    if (isIt && (kind === "come" || kind === "done")) calls++
    await afterwards()
    server.stripe.watch = () => inStep(server)
    await server.start(dice.pick([0, 1, 5, 16, 33]))
  }
  state.isOver = true
  await Promise.all(lanes)
  return calls
}

/** Stops the faults and advances time until all pending work is done. */
const settleAll = async (server: MoneyServer): Promise<void> => {
  for (const minutes of [35, 400, dayMinutes + 60, 11]) {
    await server.kill()
    await server.stored(leasesEnd)
    const before = server.now()
    await server.start(minutes)
    for (let looks = 0; looks < 300; looks++) {
      if (await server.stored(countPendingWork(server.now(), before + 60_000)) === 0) break
      await wait(100)
    }
  }
}

it.each(databases("Postgres"))(
  "%s: keeps payments balanced through kill -9",
  async (_, database) => {
    const target = await database()
    const server = await open(target)
    try {
      server.stripe.watch = () => inStep(server)
      await server.start(0)
      const calls = await killed(server, target, await shop(server), dice("money"))
      await settleAll(server)
      const { bookings, paid, returned, wrong } = await books(server, target)
      assert.deepEqual(wrong, [])
      assert.isAtLeast(calls, kills / 4, "too few calls to the bank were interrupted")
      assert.isAbove(bookings, kills)
      assert.isAbove(paid, guestsOfEach)
      assert.isAbove(returned, 0)
    } finally {
      await server.close()
      await target.close()
    }
  },
  600_000
)

it(
  "SQLite control: balances are wrong without pending payments and reconciliation",
  async () => {
    const target = await sqlite()
    const server = await open(target)
    const forget = () => server.stored(forgetWork)
    try {
      server.stripe.watch = () => inStep(server)
      await server.start(0)
      await killed(server, target, await shop(server), dice("forgotten"), forget)
      await server.kill()
      await forget()
      await settleAll(server)
      assert.isNotEmpty((await books(server, target)).wrong)
    } finally {
      await server.close()
      await target.close()
    }
  },
  600_000
)
