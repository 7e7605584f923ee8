/** An in-memory outfitter with its guest pages, and a clock that moves only when set. */
import { Actor, makeHostActor, VisitorAccess } from "@trailbook/core/actor"
import { Bookings } from "@trailbook/core/booking"
import { coreLayer } from "@trailbook/core/layer"
import { Registry } from "@trailbook/core/operation"
import { Orgs } from "@trailbook/core/org"
import type { Org } from "@trailbook/core/org/Org"
import { Payments } from "@trailbook/core/payment"
import * as Instant from "@trailbook/core/time/Instant"
import * as Handler from "@trailbook/http/handler"
import type { LogEntry } from "@trailbook/http/LogEntry"
import * as Serve from "@trailbook/http/serve"
import * as MemoryStorage from "@trailbook/memory"
import { MemoryDatabase } from "@trailbook/memory/MemoryDatabase"
import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
import * as TestIds from "@trailbook/testkit/fake/TestIds"
import { FakeSecrets, FakeWebhookSender } from "@trailbook/testkit/fakes"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Scope from "effect/Scope"
import type { FrontPageOwner } from "../src/front/FrontPage.tsx"
import { frontRoutes } from "../src/front/routes.ts"
import { makeGuestPages } from "../src/index.ts"
import type { SiteOptions } from "../src/Site.ts"
import { proofSecret } from "./proofSecret.ts"
import { signedForm } from "./signedForm.ts"

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly html: string
}

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>
  /**
   * The fields of a form to submit. `shown: "now"` adds the key and signed state that a page rendered now would
   * contain.
   */
  readonly form?: Readonly<Record<string, string>>
  /** The client address. */
  readonly address?: string
}

export interface World {
  readonly org: Org
  readonly handler: Handler.Handler
  readonly log: ReadonlyArray<LogEntry>
  readonly ask: (path: string, requestOptions?: RequestOptions) => Promise<Answer>
  /** Calls an operation as the outfitter. */
  readonly call: (name: string, input: unknown) => Promise<{ readonly id: string } & Record<string, unknown>>
  readonly newOrg: (
    given: { readonly name: string; readonly timezone: string; readonly currency?: string }
  ) => Promise<Org>
  readonly set: (now: string) => void
  /** Returns the secret in a booking's emailed link. */
  readonly mailed: (bookingId: string) => Promise<string>
  /** Returns the secret in the emailed link that verifies a known guest's address. */
  readonly proof: (email: string) => Promise<string>
  /** Records an online payment for a booking. */
  readonly pay: (bookingId: string) => Promise<unknown>
  readonly forgetNetworks: () => Promise<number>
  /** Returns the database tables. The object stays the same until a write replaces it. */
  readonly tables: () => Promise<object>
}

export interface Options extends SiteOptions {
  /** Serves the front page for the given outfitters at the root. */
  readonly whose?: FrontPageOwner
  readonly now?: string
  readonly payments?: Layer.Layer<Payments>
}

const origin = "http://book.test"

const moment = (text: string) => Instant.parse(text) ?? Instant.min

export const open = async (
  { now = "2027-05-01T14:00:00Z", payments = Payments.layerNone, whose, ...options }: Options = {}
): Promise<
  World
> => {
  const clock = await Effect.runPromise(SettableClock.make(moment(now)))
  const engine = coreLayer({ batches: "none" }).pipe(
    Layer.provideMerge(
      Layer.mergeAll(payments, FakeWebhookSender.layer, FakeSecrets.makeFakeSecretsLayer(), TestIds.layer(1))
    ),
    Layer.provideMerge(Layer.provideMerge(MemoryStorage.portsLayer, MemoryDatabase.layer))
  )
  const runtime = ManagedRuntime.make(Layer.provide(engine, Layer.setClock(clock)))
  const run = <A, E>(work: Effect.Effect<A, E, ManagedRuntime.ManagedRuntime.Context<typeof runtime>>): Promise<A> =>
    runtime.runPromise(Effect.withClock(work, clock))
  const log: Array<LogEntry> = []
  const site = options
  const handler = await run(Effect.gen(function*() {
    const { renderNotFound, routes } = yield* makeGuestPages(site)
    return yield* Handler.make({
      routes: whose === undefined ? routes : [...routes, ...frontRoutes(Effect.succeed(whose), site)],
      renderNotFound,
      log: (entry) => void log.push(entry),
      ...(site.basePath === undefined ? {} : { basePath: site.basePath })
    })
  }))
  const newOrg: World["newOrg"] = (input) => run(Effect.flatMap(Orgs, (orgs) => orgs.create(input)))
  const org = await newOrg({ name: "Salida River Co.", timezone: "America/Denver" })
  return {
    org,
    log,
    handler,
    newOrg,
    ask: async (path, { address, form, headers = {} } = {}) => {
      const request = new Request(new URL(path, origin), {
        headers: { accept: "text/html", ...headers },
        ...(form === undefined
          ? {}
          : { method: "POST", body: new URLSearchParams(await run(signedForm(org.id, form))) })
      })
      const response = await handler(request, address === undefined ? {} : { remoteAddress: address })
      return { status: response.status, headers: response.headers, html: await response.text() }
    },
    call: (name, input) =>
      run(
        Effect.flatMap(Registry, (registry) => registry.run(name, input)).pipe(
          Effect.provideService(Actor, makeHostActor({ orgId: org.id })),
          Effect.map((output) => output as { readonly id: string } & Record<string, unknown>)
        )
      ),
    mailed: (id) =>
      run(
        Effect.map(
          Effect.flatMap(VisitorAccess, ({ sign }) => sign(org.id, `mailed ${id}`)),
          (text) => text.slice(0, 40)
        )
      ),
    proof: (email) => run(proofSecret(org.id, email)),
    pay: (id) => run(Effect.flatMap(Bookings, ({ pay }) => pay({ orgId: org.id, id }, `pi_${id}`))),
    forgetNetworks: () => run(Effect.flatMap(Bookings, ({ forgetNetworks }) => forgetNetworks(100))),
    set: (now) => Effect.runSync(clock.set(moment(now))),
    tables: () => run(Effect.flatMap(MemoryDatabase, ({ read }) => read((tables) => tables)))
  }
}

/** A world that listens on a free loopback port. */
export interface ServedWorld extends World {
  readonly origin: string
  readonly close: () => Promise<void>
}

export const serve = async (options: Options = {}): Promise<ServedWorld> => {
  const world = await open(options)
  const scope = Effect.runSync(Scope.make())
  const { port } = await Effect.runPromise(
    Scope.extend(Serve.listen({ handler: world.handler, port: 0, grace: "1 second" }), scope)
  )
  return { ...world, origin: `http://127.0.0.1:${port}`, close: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}
