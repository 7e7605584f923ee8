/**
 * Trailbook Test Till: a payment provider of the demo, with a page of its own and
 * without money. Only the demo puts it into a server.
 */
import { Bookings } from "@trailbook/core/booking/Bookings"
import { Checkouts } from "@trailbook/core/booking/Checkouts"
import type { Payments } from "@trailbook/core/booking/Payments"
import { Tenants } from "@trailbook/core/port/Tenants"
import type { Instant } from "@trailbook/core/time/Instant"
import { moment } from "@trailbook/core/time/moment"
import type { AnyRoute } from "@trailbook/http/Route"
import { tillRoutes } from "@trailbook/web/till/routes"
import type { TillCheckout, TillPort } from "@trailbook/web/till/TillPort"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { type Address, paymentsAt } from "./paymentsAt.ts"
import { shown } from "./shown.ts"
import type { Taken, TillEvent, TillSession } from "./TillEvent.ts"
import { openTillFile, type TillFile } from "./TillFile.ts"

/**
 * @category models
 */
export interface TestTill {
  readonly payments: Layer.Layer<Payments>
  /** The till's page; what it has taken and not told of before is told of when this is made. */
  readonly routes: Effect.Effect<ReadonlyArray<AnyRoute>, never, Bookings | Checkouts>
  /** Where the service is reached, known once it listens. Nothing can be paid before. */
  readonly openAt: (publicUrl: string) => void
}

/**
 * @category constructors
 * @throws Failure when something else is in the place of its file
 */
export const make = (path: string): TestTill => {
  const file = openTillFile(path)
  const address: Address = { publicUrl: undefined }
  return {
    payments: paymentsAt(file, address),
    routes: Effect.gen(function*() {
      const tell = yield* telling(file)
      yield* Effect.forEach(file.all(), tell, { discard: true })
      return tillRoutes(portOf(file, address, tell))
    }),
    openAt: (publicUrl) => {
      address.publicUrl = publicUrl
    }
  }
}

type Tell = (session: TillSession | undefined) => Effect.Effect<void>

/** Tells the service of what it has not been told of. It may be told twice. */
const telling = (file: TillFile): Effect.Effect<Tell, never, Bookings | Checkouts> =>
  Effect.gen(function*() {
    const bookings = yield* Bookings
    const checkouts = yield* Checkouts

    const ofCheckout = ({ asked, session }: TillSession) =>
      checkouts.told(asked, { _tag: "Checkout", session, paymentId: asked.id })

    const ofMoney = (session: TillSession, { intent, isDisputed }: Taken, at: Instant) =>
      Effect.gen(function*() {
        const { asked, taken: [first] } = session
        // A provider that takes money twice at one checkout says so by another name for it.
        if (intent === first?.intent) yield* ofCheckout(session)
        else {
          const { bookingId: id, cents, currency, id: paymentId, orgId } = asked
          yield* bookings.pay({ orgId, id }, intent, { paymentId, cents, currency })
        }
        if (isDisputed) yield* checkouts.told(asked, { _tag: "Dispute", intent, at, status: "open" })
      })

    const tell = (session: TillSession) =>
      Effect.gen(function*() {
        const at = yield* moment
        const told = (intent: string | null) =>
          Effect.sync(() => file.add({ type: "told", at, session: session.session, intent }))
        if (session.isNews) yield* Effect.zipRight(ofCheckout(session), told(null))
        for (const taken of session.taken.filter(({ isNews }) => isNews)) {
          yield* Effect.zipRight(ofMoney(session, taken, at), told(taken.intent))
        }
      }).pipe(
        Effect.provideService(Tenants, [session.asked.orgId]),
        Effect.catchAll(({ message }) =>
          Effect.annotateLogs(Effect.logWarning("The test till could not tell of a payment; it does when it starts."), {
            booking: session.asked.bookingId,
            why: message
          })
        )
      )

    return (session) => session === undefined ? Effect.void : tell(session)
  })

const portOf = (file: TillFile, address: Address, tell: Tell): TillPort => ({
  find: (name) =>
    Effect.map(moment, (now) => {
      const session = file.find(name)
      return session === undefined ? null : shown(session, now, address)
    }),
  act: (name, act) =>
    Effect.flatMap(moment, (at) => {
      // From here to the line in the file nothing else runs, so whoever presses twice at once pays once.
      const session = file.find(name)
      const event = session === undefined ? undefined : eventOf(session, act, at, shown(session, at, address).status)
      if (event === undefined) return Effect.succeed(false)
      file.add(event)
      return Effect.as(tell(file.find(name)), true)
    })
})

const eventOf = (
  { asked, session, taken }: TillSession,
  act: Parameters<TillPort["act"]>[1],
  at: Instant,
  status: TillCheckout["status"]
): TillEvent | undefined => {
  if (act === "dispute") {
    const kept = taken.find(({ isDisputed, isReturned }) => !isDisputed && !isReturned)
    return kept === undefined ? undefined : { type: "disputed", at, session, intent: kept.intent }
  }
  if (status !== before[act]) return undefined
  return act === "end"
    ? { type: "ended", at, session, isNews: true }
    : { type: "paid", at, session, intent: `test_no_money_${asked.id}_${taken.length + 1}` }
}

/** What a checkout has to be so that this can be done. */
const before = { pay: "open", end: "open", again: "paid", late: "ended" } as const
