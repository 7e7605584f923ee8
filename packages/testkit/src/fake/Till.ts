/**
 * A payment provider without a bank: it can be connected, remembers what was
 * asked of it, does one thing for one booking, and refuses when told to.
 *
 * It promises that
 * - an org takes money online from the moment it is connected until it no longer
 *   is, and no other org does;
 * - one booking has one checkout, whose address stays, and gets its total back
 *   once, however often either is asked for, also at once;
 * - what it refuses fails with `PaymentsFailed` and changes nothing, and works
 *   when it is asked for again later.
 */
import { Payments, PaymentsFailed } from "@trailbook/core/booking/Payments"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"

interface Book {
  readonly connected: ReadonlySet<string>
  readonly refuses: boolean
  /** The address of each booking's checkout. */
  readonly checkouts: ReadonlyMap<string, string>
  /** What was given back for each booking, in cents. */
  readonly refunds: ReadonlyMap<string, number>
}

/**
 * @category services
 */
export class Till extends Context.Tag("@trailbook/testkit/Till")<
  Till,
  {
    /** From now on the org takes money online, or no longer does. */
    readonly connect: (orgId: string, connected: boolean) => Effect.Effect<void>
    /** From now on everything fails, or no longer does. */
    readonly refuse: (refuses: boolean) => Effect.Effect<void>
    /** Addresses by booking. */
    readonly checkouts: Effect.Effect<ReadonlyMap<string, string>>
    /** Cents given back by booking; a booking is refunded once however often it is asked for. */
    readonly refunds: Effect.Effect<ReadonlyMap<string, number>>
  }
>() {
  static readonly layer: Layer.Layer<Till | Payments> = Layer.effectContext(
    Effect.gen(function*() {
      const book = yield* Ref.make<Book>({
        connected: new Set(),
        refuses: false,
        checkouts: new Map(),
        refunds: new Map()
      })
      const willing = Effect.flatMap(
        Ref.get(book),
        ({ refuses }) =>
          refuses ? new PaymentsFailed({ message: "The till is closed.", reason: "refused" }) : Effect.void
      )

      const till = Till.of({
        connect: (orgId, connected) =>
          Ref.update(book, (before) => {
            const others = [...before.connected].filter((id) => id !== orgId)
            return { ...before, connected: new Set(connected ? [...others, orgId] : others) }
          }),
        refuse: (refuses) => Ref.update(book, (before) => ({ ...before, refuses })),
        checkouts: Effect.map(Ref.get(book), ({ checkouts }) => checkouts),
        refunds: Effect.map(Ref.get(book), ({ refunds }) => refunds)
      })
      const payments = Payments.of({
        connected: (orgId) => Effect.map(Ref.get(book), ({ connected }) => connected.has(orgId)),
        checkout: ({ booking: { id } }) =>
          Effect.zipRight(
            willing,
            Ref.modify(book, (before) => {
              const url = before.checkouts.get(id) ?? `https://till.example/${id}`
              return [url, { ...before, checkouts: new Map([...before.checkouts, [id, url]]) }]
            })
          ),
        refund: ({ booking: { id, totalCents } }) =>
          Effect.zipRight(
            willing,
            Ref.update(book, (before) => ({
              ...before,
              refunds: new Map([...before.refunds, [id, totalCents]])
            }))
          )
      })
      return Context.make(Till, till).pipe(Context.add(Payments, payments))
    })
  )
}
