/**
 * Simulates an outfitter's season with the ops agent. Guests book, pay, move, and cancel. The weather changes, the
 * server is off on some days, and the owner approves, dismisses, undoes, or ignores proposals.
 */
import { Forecast, RiverGauge } from "@trailbook/core/forecast"
import { Payments } from "@trailbook/core/payment"
import type { ProposalView } from "@trailbook/core/proposal"
import type { Storage } from "@trailbook/core/storage"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import { addLocalDays, get } from "@trailbook/core/time/Zone"
import { makeRandomIntegers } from "@trailbook/testkit/fake/randomIntegers"
import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
import { checkInvariants } from "@trailbook/testkit/invariants"
import { createEmptyOrg } from "@trailbook/testkit/law/seedOrg"
import * as Process from "@trailbook/testkit/law/ServerProcess"
import * as Effect from "effect/Effect"
import { type Signal, weather } from "./weather.ts"

export interface SeasonOptions {
  readonly seed: number
  readonly days: number
}

/** The season record that the rules check. */
export interface Season {
  readonly orgId: string
  readonly cap: number
  readonly ceiling: number | null
  readonly proposals: ReadonlyArray<ProposalView>
  /** The state of the weather services at each of the agent's runs. */
  readonly signals: ReadonlyMap<string, Signal>
  /** Violated invariants with the day of the check. */
  readonly broken: ReadonlyArray<string>
  readonly now: Instant.Instant
}

/** Local times of each day's rounds. The first and last rounds fall in quiet hours. */
const roundTimes = ["06:30", "08:00", "15:00", "20:55", "22:00"] as const

const dials = ["ask", "do_tell", "do_quiet"] as const
const zone = get("America/Denver")

interface BookedTrip {
  readonly id: string
  readonly sessionId: string | undefined
  readonly startsAt: number
}

export const season = ({ days, seed }: SeasonOptions): Effect.Effect<Season, never, Storage> =>
  Effect.scoped(Effect.gen(function*() {
    const draw = makeRandomIntegers(seed)
    const drawBelow = (n: number): number => draw() % n
    const pickOne = <A>(items: ReadonlyArray<A>): A | undefined => items[drawBelow(Math.max(1, items.length))]
    const seasonWeather = weather(seed)
    // Both kinds of seasons include a DST transition: the clocks go forward in the first kind and back in the second.
    const startDate = LocalDate.parse(seed % 2 === 0 ? "2027-03-01" : "2027-04-25") ?? LocalDate.make(0)
    const clock = yield* SettableClock.make(zone.startOf(startDate))
    return yield* Effect.withClock(
      Effect.gen(function*() {
        const { id: orgId } = yield* createEmptyOrg
        const { bookings, call, proposals, turns } = yield* Process.start({
          seed,
          batches: { concurrency: 1, maxBatchSize: 4 }
        }).pipe(
          Effect.provide(Payments.layerNone),
          Effect.provideService(Forecast, seasonWeather.forecast),
          Effect.provideService(RiverGauge, seasonWeather.gauge)
        )
        const ask = (name: string, input: object) => Effect.orDie(call(orgId, name, input)) as Effect.Effect<Answer>
        /** Calls an operation and ignores refusals. */
        const request = (name: string, input: object) =>
          Effect.option(call(orgId, name, input) as Effect.Effect<Answer, unknown>)

        const cap = seed % 3 === 0 ? 3 : 50
        const ceiling = pickOne([null, 10_000, 100_000]) ?? null
        yield* ask("org.update", {
          review_url: "https://example.com/review",
          ops_daily_cap: cap,
          refund_ceiling_cents: ceiling
        })
        const place = { lat: 38, lon: -106, gauge_site: "07091200", price_cents: 5000 }
        const raft = getId(yield* ask("offerings.create", { name: "Rafting", kind: "class", capacity: 6, ...place }))
        const guide = getId(yield* ask("offerings.create", { name: "Guide", kind: "appointment", ...place }))
        const settings = {
          weather: {
            default: { max_gust_kph: 55, min_temp_c: 5, thunder: true, max_flow_cfs: 2700 },
            offerings: { [guide]: { action: "move", max_flow_cfs: null } }
          },
          fill: { min_guests: 2, full_pct: 75 },
          brief: {},
          reminders: { after_6h: true }
        }
        for (const [automation, setting] of Object.entries(settings)) {
          yield* ask("automations.update", { automation, dial: pickOne(dials), settings: setting })
        }
        // The owner's weights for approving, dismissing, and ignoring a proposal.
        const weights = pickOne([[6, 2, 2], [1, 1, 8], [2, 6, 2]] as const) ?? [1, 1, 1]
        const drawDecision = () => {
          const at = drawBelow(weights[0] + weights[1] + weights[2])
          return at < weights[0] ? "approve" : at < weights[0] + weights[1] ? "dismiss" : "leave"
        }

        let ownBookings: Array<BookedTrip> = []
        let asleepUntil = 0
        const signals = new Map<string, Signal>()
        const problems: Array<string> = []

        const addSession = (date: LocalDate.LocalDate, time: number) =>
          request("sessions.create", {
            offering_id: raft,
            starts_at: Instant.format(zone.instantAt(date, time * 3600))
          })

        const runGuests = (now: Instant.Instant) =>
          Effect.gen(function*() {
            const free = yield* ask("availability.get", { id: raft })
            for (let n = drawBelow(4); n > 0; n--) {
              const slot = pickOne((free.data ?? []).slice(0, 8))
              const customer = { email: `guest${drawBelow(40)}@example.com`, name: "Ann Bell" }
              const isPaid = drawBelow(3) === 0
              const order = drawBelow(5) === 0
                ? {
                  offering_id: guide,
                  starts_at: Instant.format(addLocalDays(zone, toNineOClock(now), 1 + drawBelow(4)))
                }
                : { offering_id: raft, session_id: slot?.session_id, quantity: 1 + drawBelow(3) }
              const response = yield* request("bookings.create", {
                ...order,
                customer,
                ...(isPaid ? { hold_minutes: 30 } : {})
              })
              if (response._tag === "None") continue
              const { id = "", session_id, starts_at = "" } = response.value
              if (isPaid) yield* Effect.ignore(bookings.pay({ orgId, id }, `pi_${id}`))
              ownBookings.push({ id, sessionId: session_id ?? undefined, startsAt: Date.parse(starts_at) })
            }
            ownBookings = ownBookings.filter(({ startsAt }) => startsAt > now)
            const booking = pickOne(ownBookings)
            if (booking === undefined) return
            const change = drawBelow(6)
            if (change === 0) yield* request("bookings.cancel", { id: booking.id })
            else if (change === 1 && booking.sessionId !== undefined) {
              yield* request("bookings.move", { id: booking.id, session_id: pickOne(free.data ?? [])?.session_id })
            }
          })

        const runAgent = (now: Instant.Instant) =>
          Effect.gen(function*() {
            if (now < asleepUntil) return
            signals.set(Instant.format(now), seasonWeather.signal(now))
            for (const claim of yield* turns.claim(100)) yield* turns.take(claim)
            for (const claim of yield* proposals.claim(100)) yield* proposals.run(claim)
            yield* proposals.expire(100)
          })

        const runOwner = Effect.gen(function*() {
          const pending = yield* ask("proposals.list", { status: "pending", limit: 20 })
          for (const { actions, decided_at, id } of (pending.data ?? []) as ReadonlyArray<ProposalView>) {
            if (decided_at !== null) continue
            const decision = drawDecision()
            if (decision === "dismiss") yield* request("proposals.dismiss", { id })
            if (decision === "approve") {
              const isDraft = drawBelow(5) === 0 && actions.some(({ kind }) => kind === "message" || kind === "remind")
              yield* request("proposals.approve", {
                id,
                ...(isDraft ? { draft: { body: "We write this ourselves." } } : {})
              })
            }
          }
          const donePage = yield* ask("proposals.list", { status: "done", automation: "fill", limit: 3 })
          const undoable = ((donePage.data ?? []) as ReadonlyArray<ProposalView>).find(({ reversible }) => reversible)
          if (undoable !== undefined && drawBelow(8) === 0) yield* request("proposals.undo", { id: undoable.id })
        })

        for (let day = 0; day < days; day++) {
          const date = LocalDate.addDays(startDate, day)
          for (const time of roundTimes) {
            const [hour = 0, minute = 0] = time.split(":").map(Number)
            yield* clock.set(zone.instantAt(date, hour * 3600 + minute * 60))
            const now = Instant.make(clock.unsafeCurrentTimeMillis())
            if (time === "06:30") {
              yield* addSession(LocalDate.addDays(date, 6), 9)
              if (day % 3 === 0) yield* addSession(LocalDate.addDays(date, 6), 14)
              if (drawBelow(60) === 0) asleepUntil = now + 3 * 24 * 3_600_000
            }
            if (time === "15:00" || time === "20:55") yield* runGuests(now)
            yield* runAgent(now)
            if (time !== "06:30" && drawBelow(2) === 0) yield* runOwner
          }
          if (day % 100 === 99 || day === days - 1) {
            problems.push(...(yield* checkInvariants(orgId)).map((violation) => `day ${day}: ${violation}`))
          }
        }

        const allProposals: Array<ProposalView> = []
        let cursor: string | undefined
        do {
          const page = yield* ask("proposals.list", { limit: 500, ...(cursor === undefined ? {} : { cursor }) })
          allProposals.push(...(page.data ?? []) as ReadonlyArray<ProposalView>)
          cursor = page.next_cursor
        } while (cursor !== undefined)
        const now = Instant.make(clock.unsafeCurrentTimeMillis())
        return { orgId, cap, ceiling, proposals: allProposals, signals, broken: problems, now }
      }),
      clock
    )
  }))

interface Answer {
  readonly id?: string
  readonly session_id?: string | null
  readonly starts_at?: string
  readonly next_cursor?: string
  readonly data?: ReadonlyArray<{ readonly session_id?: string }>
}

const getId = ({ id = "" }: Answer): string => id

const toNineOClock = (now: Instant.Instant): Instant.Instant => zone.instantAt(zone.dateAt(now), 9 * 3600)
