/** The demo's test payment provider and an in-memory outfitter. The clock moves only when a test advances it. */
import type { Booking } from "@trailbook/client/operations"
import { Actor, makeHostActor } from "@trailbook/core/actor"
import { TaskHandlers } from "@trailbook/core/handler"
import { Mailer } from "@trailbook/core/mail"
import { Registry } from "@trailbook/core/operation"
import { Orgs } from "@trailbook/core/org"
import { Payments, PaymentStore } from "@trailbook/core/payment"
import { TenantScope } from "@trailbook/core/port"
import { StaffMembers } from "@trailbook/core/staff"
import { Tasks } from "@trailbook/core/task"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import * as Handler from "@trailbook/http/handler"
import * as MemoryStorage from "@trailbook/memory"
import { MemoryDatabase } from "@trailbook/memory/MemoryDatabase"
import { engineLayer } from "@trailbook/runtime/engineLayer"
import * as NodeIds from "@trailbook/runtime/NodeIds"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import { makeStoryClock } from "../../src/runStory.ts"
import { testPaymentFileName } from "../../src/testPayments/TestPaymentFile.ts"
import * as TestPaymentProvider from "../../src/testPayments/TestPaymentProvider.ts"

const origin = "http://demo.test"
const now = Instant.parse("2027-05-01T14:00:00Z") ?? Instant.min

export const open = async (folder: string) => {
  const path = join(folder, testPaymentFileName)
  const mails: Array<string> = []
  const mailer = Layer.succeed(
    Mailer,
    Mailer.of({
      send: ({ subject, to }) => {
        mails.push(`${to.email}: ${subject}`)
        return Effect.succeed({ reportRequested: false })
      }
    })
  )
  const clock = makeStoryClock(now)
  // `restart` replaces the provider but not the engine, because the database outlives any server.
  let provider = TestPaymentProvider.make(path)
  const callProvider = <A, E>(ask: (payments: Payments["Type"]) => Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.suspend(() => Effect.provide(Effect.flatMap(Payments, ask), provider.payments))
  const payments = Layer.succeed(
    Payments,
    Payments.of({
      connected: (orgId) => callProvider(({ connected }) => connected(orgId)),
      checkout: (...args) => callProvider(({ checkout }) => checkout(...args)),
      getCheckout: (...args) => callProvider(({ getCheckout: look }) => look(...args)),
      close: (...args) => callProvider(({ close }) => close(...args)),
      refund: (...args) => callProvider(({ refund }) => refund(...args)),
      refunds: (...args) => callProvider(({ refunds }) => refunds(...args)),
      since: (...args) => callProvider(({ since }) => since(...args))
    })
  )
  const layer = Layer.provideMerge(
    Layer.provide(TaskHandlers.layer({ publicUrl: origin }), mailer),
    engineLayer(NodeIds.layer, "none", { payments })
  ).pipe(Layer.provideMerge(Layer.provideMerge(MemoryStorage.portsLayer, MemoryDatabase.layer)))
  const runtime = ManagedRuntime.make(
    Layer.provide(layer, Layer.mergeAll(Logger.remove(Logger.defaultLogger), Layer.setClock(clock)))
  )
  onTestFinished(() => runtime.dispose())
  const run = <A, E>(work: Effect.Effect<A, E, ManagedRuntime.ManagedRuntime.Context<typeof runtime>>): Promise<A> =>
    runtime.runPromise(Effect.withClock(work, clock))
  const start = async () => {
    provider.openAt(origin)
    return run(Effect.flatMap(provider.routes, (routes) => Handler.make({ routes, log: () => {} })))
  }
  let handler = await start()
  const org = await run(
    Effect.flatMap(Orgs, (orgs) => orgs.create({ name: "Salida River Co.", timezone: "America/Denver", plan: "pro" }))
  )
  const call = <A = Booking>(name: string, input: unknown): Promise<A> =>
    run(
      Effect.flatMap(Registry, (registry) => registry.run(name, input)).pipe(
        Effect.provideService(Actor, makeHostActor({ orgId: org.id })),
        Effect.map((answer) => answer as A)
      )
    )
  const ask = async (
    url: string,
    form?: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {}
  ) => {
    const response = await handler(
      new Request(url, {
        headers: { accept: "text/html", ...headers },
        ...(form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) })
      }),
      {}
    )
    return { status: response.status, location: response.headers.get("location"), html: await response.text() }
  }
  const { id: offering_id } = await call<{ readonly id: string }>("offerings.create", {
    name: "Kayak <b>for a day</b>",
    kind: "rental",
    capacity: 1,
    price_cents: 4500
  })
  return {
    call,
    ask,
    mails,
    path,
    /** Presses a button on the page and returns the next page. */
    press: async (url: string, act: string) => {
      const { location, status } = await ask(url, { act })
      return { pressed: status, ...await ask(new URL(location ?? "/nowhere", origin).href) }
    },
    book: (email = "ada@example.com", fields: object = { offering_id }) =>
      call("bookings.create", { starts_at: "2027-05-03T15:00:00Z", customer: { email }, ...fields }),
    get: (id: string) => call("bookings.get", { id }),
    payments: (id: string) =>
      run(Effect.provideService(
        Effect.flatMap(PaymentStore, (store) => store.ofBookings([{ orgId: org.id, id }])),
        TenantScope,
        [org.id]
      )),
    staff: () =>
      run(
        Effect.flatMap(StaffMembers, (staff) =>
          staff.add({ orgId: org.id, email: "boss@example.com", by: { _tag: "Operator" } }))
      ),
    later: (minutes: number) => run(Effect.flatMap(currentTime, (now) => clock.set(Instant.addMinutes(now, minutes)))),
    work: () =>
      run(Effect.flatMap(Tasks, (tasks) => Effect.forEach([1, 2, 3, 4], () => tasks.run(50), { discard: true }))),
    restart: async () => {
      provider = TestPaymentProvider.make(path)
      handler = await start()
    }
  }
}
