/**
 * Plays money scenarios on the complete service: its operations, tasks, and cleanup jobs on a storage, with a fake
 * bank.
 */
import { Actor, type GuestActor, makeHostActor } from "@trailbook/core/actor"
import { Bookings, BookingStore } from "@trailbook/core/booking"
import { Files } from "@trailbook/core/file"
import { JobResumer, TaskHandlers } from "@trailbook/core/handler"
import { coreLayer } from "@trailbook/core/layer"
import type { Mail } from "@trailbook/core/mail"
import { Registry } from "@trailbook/core/operation"
import * as Org from "@trailbook/core/org/Org"
import {
  ConnectedPayments,
  type LedgerEntry,
  type LedgerStore,
  type Payment,
  PaymentConnections,
  PaymentStore,
  PaymentWebhooks,
  Reconciliation
} from "@trailbook/core/payment"
import type { RefundChoice } from "@trailbook/core/pricing"
import type { Storage } from "@trailbook/core/storage"
import { Tasks } from "@trailbook/core/task"
import * as Instant from "@trailbook/core/time/Instant"
import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
import * as TestIds from "@trailbook/testkit/fake/TestIds"
import { FakeMailer, FakeSecrets, FakeWebhookSender } from "@trailbook/testkit/fakes"
import * as Store from "@trailbook/testkit/law/Store"
import type { FakeBank } from "@trailbook/testkit/provider/FakeBank"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import type * as Scope from "effect/Scope"
import * as TestProvider from "../payments/TestProvider.ts"
import { CrashingService } from "./CrashingService.ts"
import type { MoneyScenario, MoneyStep } from "./MoneyScenario.ts"

/** Guards that can be disabled, to show that money is lost without them. */
export interface MoneyGuards {
  /** Whether payments are reconciled. */
  readonly looks: boolean
  /** Whether a second payment for a booking is stored as due for a refund. */
  readonly returnsSecond: boolean
  /** Whether the bank honors idempotency keys. */
  readonly keys: boolean
  /** Whether a booking's amounts follow its online payments. */
  readonly follows: boolean
}

export const allGuards: MoneyGuards = { looks: true, returnsSecond: true, keys: true, follows: true }

interface BookingAnswer {
  readonly id: string
  readonly status: string
  readonly reference: string
  readonly currency: string
  readonly total_cents: number
  readonly starts_at: string
  readonly cancelled_at: string | null
  readonly paid_at: string | null
  readonly payment_intent_id: string | null
  readonly session_id: string
  readonly refund: { readonly status: string; readonly cents: number } | null
  readonly dispute: { readonly status: string } | null
  readonly paid_cents: number
  readonly due_cents: number
  readonly owed_cents: number
  readonly kept_cents: number | null
  readonly discount_code?: string | null
  readonly lines?: ReadonlyArray<{ readonly included: boolean; readonly total_cents: number }>
}

/** The outcome of a scenario for one booking. */
export interface MoneyBooking {
  readonly booking: BookingAnswer
  /** The bank's balance for the booking's payments. */
  readonly balance: number
  /**
   * The expected balance: the total minus a completed refund of an expected amount, the total if the outfitter keeps
   * the money, or 0.
   */
  readonly due: number
  /** The maximum number of refunds of one payment. */
  readonly returned: number
  /** The number of refunded checkouts, across all bookings, that the service did not request. */
  readonly forgedReturned: number
  /** How many of the booking's payments were ever captured. */
  readonly taken: number
  /** How many of the booking's payments have a recorded mismatch. */
  readonly mismatches: number
  /** The subjects of the emails to the guest. */
  readonly news: ReadonlyArray<string>
  /** The recorded uses of the discount code minus the number of bookings with the code, across all bookings. */
  readonly extraUses: number
  readonly entries: ReadonlyArray<LedgerEntry>
  readonly payments: ReadonlyArray<Payment>
  /** The emails to the staff member. */
  readonly staffMails: ReadonlyArray<Pick<Mail, "subject" | "text">>
}

export interface MoneyServers {
  readonly play: (story: MoneyScenario, chance: number) => Effect.Effect<ReadonlyArray<MoneyBooking>>
}

const begins = Instant.make(Date.UTC(2027, 3, 12, 18))

/** Starts the servers on a storage. Each scenario has its own outfitter and bank. */
export const open = (guards: MoneyGuards = allGuards): Effect.Effect<MoneyServers, never, Storage | Scope.Scope> =>
  Effect.gen(function*() {
    const clock = yield* SettableClock.make(begins)
    const storage = yield* Effect.context<Storage>()
    const first = TestProvider.make(guards)
    const crashingService = CrashingService.layer.pipe(
      Layer.provide(TestProvider.layerFrom(first.provider)),
      Layer.provide(Layer.succeedContext(storage))
    )
    const secondsKept = guards.returnsSecond ? Layer.effect(PaymentStore, PaymentStore) : passedOver
    const world = Layer.mergeAll(
      TaskHandlers.layer({ publicUrl: "https://book.example" }),
      PaymentWebhooks.layer
    ).pipe(
      Layer.provideMerge(coreLayer({ batches: "none" })),
      Layer.provideMerge(ConnectedPayments.layer),
      Layer.provideMerge(PaymentConnections.layer),
      Layer.provideMerge(secondsKept),
      Layer.provideMerge(guards.follows ? Layer.effect(BookingStore, BookingStore) : unfollowed),
      Layer.provideMerge(crashingService),
      Layer.provideMerge(
        Layer.mergeAll(FakeWebhookSender.layer, FakeSecrets.makeFakeSecretsLayer(), FakeMailer.layer, Files.layerNone)
      ),
      Layer.provideMerge(TestIds.layer(7)),
      Layer.provideMerge(Layer.succeedContext(storage))
    )
    const services = yield* Effect.withClock(Layer.build(Layer.fresh(world)), clock)
    return {
      play: (story, chance) =>
        // Suppress the log, because scenarios contain deliberate failures.
        Logger.withMinimumLogLevel(
          Effect.withClock(Effect.provide(play(story, chance, guards, clock), services), clock),
          LogLevel.None
        )
    }
  })

/** Does not store a second payment that is due for a refund. */
const passedOver = Layer.effect(
  PaymentStore,
  Effect.map(PaymentStore, (store) => ({
    ...store,
    put: (rows) =>
      store.put(
        rows.filter((row) =>
          row.status !== "paid" || row.refunds.every(({ status }) => status !== "due") || row.attempt === 1
        )
      )
  }))
)

/** Keeps a booking's online amounts as they were when it was paid. */
const unfollowed = Layer.effect(
  BookingStore,
  Effect.map(BookingStore, (store) => ({
    ...store,
    update: (rows) => store.update(rows.map((row) => ({ ...row, refund: null, dispute: null })))
  }))
)

const play = (story: MoneyScenario, chance: number, guards: MoneyGuards, clock: SettableClock.SettableClock) =>
  Effect.gen(function*() {
    const { bank, provider } = TestProvider.make({ ...guards, series: `${chance}_` })
    yield* clock.set(yield* bank.now)
    const crashingService = yield* CrashingService
    yield* crashingService.dies(null)
    yield* crashingService.asks(provider)
    const simulation = yield* startSimulation(chance)
    for (const step of story) yield* act(simulation, bank, clock, guards, step)
    yield* finishSimulation(simulation, bank, clock, guards)
    return yield* summarize(simulation, bank)
  })

interface MoneyStage {
  readonly orgId: string
  readonly connection: string
  readonly offering: string
  readonly deposit: string
  readonly sessions: ReadonlyArray<string>
  /** The sessions of the offering that requires a deposit. */
  readonly deposits: ReadonlyArray<string>
  readonly orders: Array<Record<string, unknown>>
  /** The refund choice in each request to cancel a booking. */
  readonly choices: Map<string, Array<RefundChoice>>
}

const code = "SPRING"

const staffEmail = "owner@river.example"

const call = (orgId: string, name: string, input: unknown) =>
  Effect.flatMap(
    Registry,
    ({ run }) => Effect.provideService(run(name, input), Actor, makeHostActor({ orgId, source: "api" }))
  )

/** Ignores failures and defects, because the scenario continues after an operation fails. */
const attempt = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.exit(work)

const startSimulation = (chance: number) =>
  Effect.gen(function*() {
    const { uuid } = TestIds.make(chance)
    const orgId = uuid()
    yield* Store.orgs.put(
      Org.make({ id: orgId, name: "River", slug: `river-${orgId}`, timezone: "UTC", plan: "pro", createdAt: begins })
    )
    yield* Store.staff.put({
      id: uuid(),
      orgId,
      email: staffEmail,
      name: "Owner",
      role: "owner",
      notify: true,
      createdAt: begins
    })
    const { id: connection } = yield* (yield* PaymentConnections).connect({
      orgId,
      key: TestProvider.access.key,
      account: null,
      notices: { to: (id) => `https://book.example/pay/till/${id}` }
    })
    const starts = [90, 400, 3000].map((minutes) => Instant.format(Instant.addMinutes(begins, minutes)))
    const make = (settings: object) =>
      Effect.gen(function*() {
        const policy = { steps: [{ until_hours: 24, keep_bps: 1000 }, { until_hours: 3, keep_bps: 2550 }] }
        const { id } = (yield* call(orgId, "offerings.create", {
          name: "Raft",
          kind: "class",
          capacity: 2,
          cancellation_policy: policy,
          ...settings
        })) as { id: string }
        const responses = yield* Effect.forEach(
          starts,
          (starts_at) => call(orgId, "sessions.create", { offering_id: id, starts_at })
        )
        const sessions = (responses as ReadonlyArray<{ data: ReadonlyArray<{ id: string }> }>).map(({ data }) =>
          data[0]?.id ?? ""
        )
        return { id, sessions }
      })
    const { id: offering, sessions } = yield* make({ price_cents: 9500 })
    const rates = [{ id: "seat", name: "Seat", price_cents: 9500, places: 1 }]
    const { id: deposit, sessions: deposits } = yield* make({
      capacity: 4,
      pricing: { rates, deposit: { cents: 2500, per: "place", balance_due_hours: 5 } }
    })
    const tax = { id: "tax", name: "Tax", percent_bps: 825, per: "order_value", tax: true, offering_ids: [deposit] }
    yield* call(orgId, "org.update", { fees: [tax] })
    yield* call(orgId, "discounts.create", { code, percent_bps: 1000, max_uses: 4 })
    const offerings = { offering, sessions, deposit, deposits }
    return { orgId, connection, ...offerings, orders: [], choices: new Map() } satisfies MoneyStage
  }).pipe(Effect.orDie)

const listBookings = ({ orgId }: MoneyStage) =>
  Effect.map(
    Effect.orDie(call(orgId, "bookings.list", { limit: 500 })),
    (answer) => (answer as { data: ReadonlyArray<BookingAnswer> }).data.toSorted((a, b) => a.id < b.id ? -1 : 1)
  )

const listEntries = (orgId: string, bookingId: string) =>
  Store.ledger.list({ orgId, bookingId, after: undefined, limit: 500 })

const deliverNotices = ({ connection }: MoneyStage, bank: FakeBank["Type"], from: number) =>
  Effect.gen(function*() {
    const { receive } = yield* PaymentWebhooks
    for (const notice of (yield* bank.notices).slice(from)) {
      yield* attempt(receive({ provider: "till", connection, ...notice }))
    }
  })

const runTasks = (simulation: MoneyStage, guards: MoneyGuards) =>
  Effect.gen(function*() {
    const { run } = yield* Tasks
    yield* attempt(run(100))
    yield* attempt((yield* Bookings).sweep(100))
    if (!guards.looks) return
    const { reconcileAccount } = yield* Reconciliation
    const accounts = yield* (yield* PaymentConnections).list(simulation.orgId)
    yield* Effect.forEach(accounts, (connection) => attempt(reconcileAccount(connection)))
  })

const advance = (bank: FakeBank["Type"], clock: SettableClock.SettableClock, minutes: number) =>
  Effect.zipRight(bank.advance(minutes), clock.advance(minutes * 60_000))

const act = (
  simulation: MoneyStage,
  bank: FakeBank["Type"],
  clock: SettableClock.SettableClock,
  guards: MoneyGuards,
  step: MoneyStep
): Effect.Effect<
  unknown,
  never,
  | Bookings
  | CrashingService
  | LedgerStore
  | PaymentConnections
  | PaymentWebhooks
  | PaymentStore
  | Reconciliation
  | Registry
  | Tasks
> =>
  Effect.gen(function*() {
    const { deposit, deposits, offering, orders, orgId, sessions } = simulation
    const pick = <A>(all: ReadonlyArray<A>, at: number): A | undefined => all[at % Math.max(1, all.length)]
    const change = (name: string, at: number, input: object = {}) =>
      Effect.flatMap(listBookings(simulation), (all) => {
        const booking = pick(all, at)
        return booking === undefined ? Effect.void : attempt(call(orgId, name, { id: booking.id, ...input }))
      })
    const actOnIntent = (at: number, act: (intent: string) => Effect.Effect<void>) =>
      Effect.flatMap(listBookings(simulation), (all) => {
        const intents = all.flatMap(({ payment_intent_id: intent }) => intent === null ? [] : [intent])
        const intent = pick(intents, at)
        return intent === undefined ? Effect.void : act(intent)
      })
    switch (step._tag) {
      case "Book": {
        const order = {
          ...(step.seats === undefined
            ? { offering_id: offering, session_id: pick(sessions, step.session) }
            : {
              offering_id: deposit,
              session_id: pick(deposits, step.session),
              quantity: step.seats,
              discount_code: code
            }),
          customer: { email: `guest-${step.guest}@example.com` },
          idempotency_key: `00000000-0000-4000-8000-${String(orders.length).padStart(12, "0")}`,
          ...(step.minutes === undefined ? {} : { hold_minutes: step.minutes })
        }
        orders.push(order)
        return yield* attempt(call(orgId, "bookings.create", order))
      }
      case "Repeat": {
        const order = pick(orders, step.at)
        return order === undefined ? undefined : yield* attempt(call(orgId, "bookings.create", order))
      }
      case "Pay": {
        const session = pick(yield* bank.sessions, step.at)
        const before = (yield* bank.notices).length
        if (session !== undefined) yield* bank.pay(session)
        for (let n = 0; n < step.notices; n++) yield* deliverNotices(simulation, bank, before)
        return
      }
      case "Notice":
        return yield* deliverNotices(simulation, bank, step.at)
      case "Confirm":
        return yield* change("bookings.confirm", step.at)
      case "Cancel":
        return yield* Effect.flatMap(listBookings(simulation), (all) => {
          const booking = pick(all, step.at)
          if (booking === undefined) return Effect.void
          const { refund = "full" } = step
          if (booking.status !== "cancelled") {
            simulation.choices.set(booking.id, [...simulation.choices.get(booking.id) ?? [], refund])
          }
          return attempt(call(orgId, "bookings.cancel", { id: booking.id, refund }))
        })
      case "Move":
        return yield* Effect.flatMap(listBookings(simulation), (all) => {
          const booking = pick(all, step.at)
          if (booking === undefined) return Effect.void
          const { id, session_id } = booking
          const session = pick(deposits.includes(session_id) ? deposits : sessions, step.session)
          return attempt(call(orgId, "bookings.move", { id, session_id: session }))
        })
      case "CancelSession":
        return yield* attempt(call(orgId, "sessions.cancel", { id: pick([...sessions, ...deposits], step.session) }))
      case "Dispute":
        return yield* actOnIntent(step.at, bank.dispute)
      case "Decide":
        return yield* actOnIntent(step.at, (intent) => bank.decide(intent, step.outcome))
      case "EndRefund":
        return yield* actOnIntent(step.at, (intent) => bank.endRefund(intent, step.how))
      case "RefundManually":
        return yield* actOnIntent(step.at, (intent) => bank.refundManually(intent, step.cents))
      case "Record":
        return yield* change("payments.record", step.at, {
          method: "cash",
          amount_cents: step.cents,
          allow_overpayment: step.cents === 1000
        })
      case "Refund": {
        const { at, cents: amount_cents, method, reducesPrice: reduce_price } = step
        return yield* change("payments.refund", at, { amount_cents, reduce_price, ...(method && { method }) })
      }
      case "Void": {
        const booking = pick(yield* listBookings(simulation), step.at)
        if (booking === undefined) return
        const [entry] = yield* listEntries(orgId, booking.id)
        return entry === undefined ? undefined : yield* attempt(call(orgId, "payments.void", { id: entry.id }))
      }
      case "Adjust": {
        const adjustments = step.cents === 0 ? [] : [{ name: "Adjustment", cents: step.cents }]
        return yield* change("bookings.update", step.at, { adjustments })
      }
      case "Change": {
        const { hasCode, quantity } = step
        return yield* change("bookings.update", step.at, { quantity, discount_code: hasCode ? code : null })
      }
      case "Balance": {
        const booking = pick(yield* listBookings(simulation), step.at)
        if (booking === undefined) return
        const guest: GuestActor = { _tag: "Guest", orgId, bookingId: booking.id, scopes: new Set(["guest"]) }
        const { run } = yield* Registry
        return yield* attempt(Effect.provideService(run("guest.checkout", { opens_balance: true }), Actor, guest))
      }
      case "Currency":
        return yield* attempt(call(orgId, "org.update", { currency: step.currency }))
      case "Request":
        return yield* change("payments.request", step.at)
      case "Refunding":
        return yield* bank.setRefundMode(step.how)
      case "RefuseCheckouts":
        return yield* bank.refuseCheckouts(step.refuses)
      case "Forge": {
        const booking = pick(yield* listBookings(simulation), step.at)
        if (booking === undefined) return
        const payment = (yield* Store.payments.ofBookings([{ orgId, id: booking.id }])).at(-1)
        if (payment === undefined) return
        const before = (yield* bank.notices).length
        yield* bank.pay(yield* bank.forge({ paymentId: payment.id, cents: step.cents, currency: step.currency }))
        return yield* deliverNotices(simulation, bank, before)
      }
      case "Fault":
        return yield* bank.fail(step.fault)
      case "Die":
        return yield* (yield* CrashingService).dies(step.after)
      case "Pass":
        return yield* advance(bank, clock, step.minutes)
      case "AtOnce":
        return yield* Effect.forEach(step.steps, (one) => act(simulation, bank, clock, guards, one), {
          concurrency: "unbounded"
        })
      case "Work":
        return yield* runTasks(simulation, guards)
    }
  })

/** Removes all faults and lets time pass until no work is pending. */
const finishSimulation = (
  simulation: MoneyStage,
  bank: FakeBank["Type"],
  clock: SettableClock.SettableClock,
  guards: MoneyGuards
) =>
  Effect.gen(function*() {
    yield* (yield* CrashingService).dies(null)
    yield* bank.setRefundMode("done")
    const leftovers = yield* JobResumer
    for (const minutes of [1, 30, 60, 400, 1500, 1500, 1500, 11]) {
      yield* advance(bank, clock, minutes)
      yield* Effect.forEach(yield* bank.pendingRefunds, (intent) => bank.endRefund(intent, "done"))
      const rows = yield* leftovers.claim(10)
      yield* Effect.forEach(rows, (row) => leftovers.resume(row, Effect.succeed(false)))
      yield* runTasks(simulation, guards)
    }
  })

/** Computes the kept amount with a second implementation of the offering's cancellation policy. */
const computeKeptCents = ({ cancelled_at, starts_at, total_cents }: BookingAnswer, choice: RefundChoice): number => {
  const hours = (Date.parse(starts_at) - Date.parse(cancelled_at ?? starts_at)) / 3_600_000
  if (choice === "none") return total_cents
  if (choice === "full") return hours > 0 ? 0 : total_cents
  return hours >= 24 ? 950 : hours >= 3 ? 2423 : total_cents
}

const summarize = (simulation: MoneyStage, bank: FakeBank["Type"]) =>
  Effect.gen(function*() {
    const { orgId } = simulation
    const mails = yield* (yield* FakeMailer).sent
    const { data: events } = (yield* call(orgId, "events.list", { limit: 500 })) as {
      data: ReadonlyArray<{ type: string; data: { id: string } }>
    }
    const findEventIndex = (type: string, id: string) =>
      events.findIndex((one) => one.type === type && one.data.id === id)
    /** Returns whether the booking was canceled together with its session, and not earlier by the guest. */
    const isCalled = ({ id, session_id }: BookingAnswer) => {
      const calledAt = findEventIndex("session.cancelled", session_id)
      return calledAt >= 0 && calledAt < findEventIndex("booking.cancelled", id)
    }
    const { data: [discount] } = (yield* call(orgId, "discounts.list", {})) as {
      data: ReadonlyArray<{ readonly uses: number }>
    }
    const all = yield* listBookings(simulation)
    const useCount = all.filter(({ discount_code, status }) => discount_code === code && status !== "cancelled").length
    return yield* Effect.forEach(all, (booking) =>
      Effect.gen(function*() {
        const payments = yield* Store.payments.ofBookings([{ orgId, id: booking.id }])
        const balances = yield* Effect.forEach(payments, ({ id }) => bank.balance(id))
        const returnedCents = yield* Effect.forEach(payments, ({ id }) => bank.countRefunds(id))
        const entries = yield* listEntries(orgId, booking.id)
        const { cancelled_at, paid_at, refund, total_cents } = booking
        const choices = simulation.choices.get(booking.id) ?? ["full"]
        const keeps = cancelled_at === null
          ? [total_cents]
          : isCalled(booking)
          ? [0]
          : choices.map((choice) => computeKeptCents(booking, choice))
        // A dispute withholds a refund until the bank decides, and a booking canceled in the meantime is not refunded.
        const isDisputed = booking.dispute !== null && (booking.dispute.status === "open" || refund === null)
        // A full refund can also be made at the bank.
        const isExpected = refund?.status === "done" &&
          (refund.cents === total_cents || keeps.includes(total_cents - refund.cents))
        // Includes the refund of a payment that arrived after the booking was canceled.
        const isWithheld = booking.dispute?.status === "open" && refund?.status === "due"
        // Trailbook does not repeat a refund that staff made at the bank and that fails after the cancellation.
        const isLeftToStaff = cancelled_at !== null && booking.owed_cents === total_cents && refund === null &&
          entries.some(({ reason, status }) => reason === "provider" && status === "failed")
        const isKept = isWithheld || isLeftToStaff || paid_at !== null && (isDisputed || keeps.includes(total_cents))
        return {
          booking,
          balance: balances.reduce((sum, cents) => sum + cents, 0),
          entries,
          payments,
          due: isExpected ? total_cents - refund.cents : isKept ? total_cents : 0,
          forgedReturned: yield* bank.forgedRefundCount,
          extraUses: (discount?.uses ?? 0) - useCount,
          returned: Math.max(0, ...returnedCents),
          taken: payments.filter(({ status }) => status === "paid").length,
          mismatches: payments.filter(({ mismatch }) => mismatch !== null).length,
          news: mails.filter(({ subject }) => subject.includes(`(${booking.reference})`)).map(({ subject }) => subject),
          staffMails: mails.filter(({ subject, to }) => to.email === staffEmail && subject.endsWith(booking.reference))
        } satisfies MoneyBooking
      }))
  }).pipe(Effect.orDie)
