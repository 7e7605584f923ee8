/** Two outfitters and their dashboards, on a free loopback port. The clock moves only when set. */
import { Actor, makeHostActor } from "@trailbook/core/actor"
import { ChangeNotifier } from "@trailbook/core/event"
import { coreLayer } from "@trailbook/core/layer"
import { SignInMail } from "@trailbook/core/mail"
import { ClientMetadataDocuments, OAuthClients } from "@trailbook/core/oauth"
import { Registry } from "@trailbook/core/operation"
import { Orgs } from "@trailbook/core/org"
import { Payments } from "@trailbook/core/payment"
import { Passkeys, SignInRequests, StaffMembers, StaffSessions } from "@trailbook/core/staff"
import * as Instant from "@trailbook/core/time/Instant"
import * as Handler from "@trailbook/http/handler"
import type { LogEntry } from "@trailbook/http/LogEntry"
import type { AnyRoute } from "@trailbook/http/Route"
import * as Serve from "@trailbook/http/serve"
import * as MemoryStorage from "@trailbook/memory"
import { MemoryDatabase } from "@trailbook/memory/MemoryDatabase"
import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
import * as TestIds from "@trailbook/testkit/fake/TestIds"
import { FakeMailer, FakeSecrets, FakeWebhookSender } from "@trailbook/testkit/fakes"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Scope from "effect/Scope"
import { assetsRoute } from "../../src/assetsRoute.ts"
import { makeStaffPages } from "../../src/index.ts"
import * as PasskeyReader from "../../src/passkey/PasskeyVerifier.ts"
import type { HostAuthenticator } from "../../src/signIn/StaffAuth.ts"

export interface Outfitter {
  readonly id: string
  /** Signs in the owner in another browser and returns the session cookie. */
  readonly signIn: () => Promise<string>
  readonly endLogins: () => Promise<void>
  /** Returns the value of the org's change counter, for use in a page. */
  readonly head: () => Promise<number>
  readonly call: (name: string, input: unknown) => Promise<{ readonly id: string }>
}

export interface TestServer {
  readonly url: string
  readonly here: Outfitter
  readonly there: Outfitter
  readonly log: ReadonlyArray<LogEntry>
  readonly pass: (ms: number) => Promise<void>
  /** Shuts down like a real server. */
  readonly end: () => Promise<void>
}

const engine = Layer.mergeAll(
  Layer.provide(SignInRequests.layer, SignInMail.layer),
  Layer.provide(Passkeys.layer, PasskeyReader.layer),
  Layer.provide(OAuthClients.layer, Layer.mock(ClientMetadataDocuments, {}))
).pipe(
  Layer.provideMerge(coreLayer({ batches: "none" })),
  Layer.provideMerge(
    Layer.mergeAll(
      Payments.layerNone,
      FakeWebhookSender.layer,
      FakeSecrets.makeFakeSecretsLayer(),
      TestIds.layer(1),
      FakeMailer.layer
    )
  ),
  Layer.provideMerge(Layer.provideMerge(MemoryStorage.portsLayer, MemoryDatabase.layer))
)

/** Starts the server with extra pages for the test. */
export const open = async (
  extraRoutes: ReadonlyArray<AnyRoute> = [],
  hostSignIn?: HostAuthenticator
): Promise<TestServer> => {
  const clock = await Effect.runPromise(SettableClock.make(Instant.parse("2027-05-01T14:00:00Z") ?? Instant.min))
  const runtime = ManagedRuntime.make(Layer.provide(engine, Layer.setClock(clock)))
  const run = <A, E>(work: Effect.Effect<A, E, ManagedRuntime.ManagedRuntime.Context<typeof runtime>>): Promise<A> =>
    runtime.runPromise(Effect.withClock(work, clock))
  const log: Array<LogEntry> = []
  const handler = await run(
    Effect.flatMap(
      makeStaffPages({}, hostSignIn),
      (routes) =>
        Handler.make({ routes: [assetsRoute, ...routes, ...extraRoutes], log: (entry) => void log.push(entry) })
    )
  )
  const scope = Effect.runSync(Scope.make())
  // Hide the peer address, because all browsers in a test share it and would exceed its rate limits.
  const { port } = await Effect.runPromise(
    Scope.extend(Serve.listen({ handler, port: 0, grace: "5 seconds", remoteAddressOf: () => undefined }), scope)
  )
  const url = `http://127.0.0.1:${port}`

  const outfitter = async (name: string): Promise<Outfitter> => {
    const { id } = await run(Effect.flatMap(Orgs, (orgs) => orgs.create({ name, timezone: "America/Denver" })))
    const owner = await run(
      Effect.flatMap(
        StaffMembers,
        (staff) => staff.add({ orgId: id, email: `owner@${name}.example`, role: "owner", by: { _tag: "Operator" } })
      )
    )
    return {
      id,
      signIn: async () => {
        const secret = await run(Effect.flatMap(StaffSessions, ({ link }) => link({ orgId: id, staffId: owner.id })))
        const init = { method: "POST", body: new URLSearchParams() }
        const { headers } = await handler(new Request(`${url}/sign-in/${secret}`, init))
        return headers.get("set-cookie")?.split(";")[0] ?? ""
      },
      endLogins: () =>
        run(
          Effect.flatMap(StaffSessions, ({ end, list }) =>
            Effect.flatMap(list(id), (all) =>
              Effect.forEach(all, (login) =>
                end({ orgId: id, id: login.id, by: { _tag: "Operator" } }), {
                discard: true
              })))
        ),
      head: () => run(Effect.flatMap(ChangeNotifier, ({ head }) => head(id))),
      call: (name, input) =>
        run(
          Effect.flatMap(Registry, (registry) => registry.run(name, input)).pipe(
            Effect.provideService(Actor, makeHostActor({ orgId: id })),
            Effect.map((output) => output as { readonly id: string })
          )
        )
    }
  }

  return {
    url,
    log,
    here: await outfitter("salida"),
    there: await outfitter("nordfjord"),
    pass: (ms) => Effect.runPromise(clock.advance(ms)),
    end: async () => {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await runtime.dispose()
    }
  }
}
