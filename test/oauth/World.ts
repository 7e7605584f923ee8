/** Two outfitters in memory, served over HTTP with the dashboard pages and the MCP endpoint. */
import { Actor, makeHostActor } from "@trailbook/core/actor"
import { coreLayer } from "@trailbook/core/layer"
import { SignInMail } from "@trailbook/core/mail"
import { ClientMetadataDocuments, OAuthClients, refuseOAuth } from "@trailbook/core/oauth"
import { Registry } from "@trailbook/core/operation"
import { Orgs } from "@trailbook/core/org"
import { Payments } from "@trailbook/core/payment"
import { Passkeys, SignInRequests, StaffMembers, StaffSessions } from "@trailbook/core/staff"
import * as Instant from "@trailbook/core/time/Instant"
import { layerNone } from "@trailbook/core/webhook"
import * as Handler from "@trailbook/http/handler"
import { exportDownloadRoute } from "@trailbook/http/response/exportDownloadRoute"
import * as Serve from "@trailbook/http/serve"
import * as MemoryStorage from "@trailbook/memory"
import { MemoryDatabase } from "@trailbook/memory/MemoryDatabase"
import * as NodeIds from "@trailbook/runtime/NodeIds"
import { makeExportLinkCreator, makeMcpMount } from "@trailbook/runtime/service/mcpMount"
import { oauthTokenVerifier } from "@trailbook/runtime/service/oauthTokenVerifier"
import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
import { FakeMailer } from "@trailbook/testkit/fakes"
import { makeGuestPages, makeStaffPages } from "@trailbook/web"
import * as PasskeyReader from "@trailbook/web/passkey/PasskeyVerifier"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Scope from "effect/Scope"
import type { IncomingMessage } from "node:http"
import { freePort } from "../freePort.ts"
import { Browser } from "./Browser.ts"

export interface Outfitter {
  readonly id: string
  readonly owner: string
  readonly guide: string
}

export interface World {
  /** The service's public URL. */
  readonly root: string
  readonly here: Outfitter
  readonly there: Outfitter
  readonly run: <A, E>(work: Effect.Effect<A, E, Services>) => Promise<A>
  /** Returns a browser that is signed in with a sign-in link. */
  readonly signedIn: (outfitter: Outfitter, email?: string) => Promise<Browser>
  /** Publishes a client metadata document at a URL. */
  readonly publish: (url: string, document: unknown) => void
  readonly unpublish: (url: string) => void
  readonly pass: (ms: number) => Promise<void>
  readonly mails: () => Promise<ReadonlyArray<{ readonly to: string; readonly url: string }>>
  readonly tables: () => Promise<object>
  readonly close: () => Promise<void>
}

type Services = Layer.Layer.Success<ReturnType<typeof makeEngine>>

const makeEngine = (documents: Layer.Layer<ClientMetadataDocuments>) =>
  Layer.mergeAll(
    Layer.provide(SignInRequests.layer, SignInMail.layer),
    Layer.provide(OAuthClients.layer, documents),
    Layer.provide(Passkeys.layer, PasskeyReader.layer)
  ).pipe(
    Layer.provideMerge(coreLayer({ batches: "none" })),
    Layer.provideMerge(Layer.mergeAll(NodeIds.layer, Payments.layerNone, layerNone, FakeMailer.layer)),
    Layer.provideMerge(Layer.provideMerge(MemoryStorage.portsLayer, MemoryDatabase.layer))
  )

/**
 * Returns a function that assigns a different client address to each request, unless the header `x-test-address` sets
 * the address.
 */
const makeCallerAddress = () => {
  let requestCount = 0
  return ({ headers }: IncomingMessage): string => {
    requestCount++
    const address = headers["x-test-address"]
    return typeof address === "string"
      ? address
      : `10.${requestCount >> 16 & 255}.${requestCount >> 8 & 255}.${requestCount & 255}`
  }
}

export const open = async ({ basePath = "" } = {}): Promise<World> => {
  const port = await freePort()
  const root = `http://127.0.0.1:${port}${basePath}`
  const clock = await Effect.runPromise(SettableClock.make(Instant.parse("2027-06-05T14:00:00Z") ?? Instant.min))
  const published = new Map<string, unknown>()
  const documents = Layer.succeed(
    ClientMetadataDocuments,
    ClientMetadataDocuments.of({
      read: (url) =>
        published.has(url)
          ? Effect.succeed(published.get(url))
          : Effect.fail(refuseOAuth("invalid_client", "client_id: cannot be read"))
    })
  )
  const runtime = ManagedRuntime.make(Layer.provide(makeEngine(documents), Layer.setClock(clock)))
  const run: World["run"] = (work) => runtime.runPromise(Effect.withClock(work, clock))
  const scope = Effect.runSync(Scope.make())
  await run(Effect.gen(function*() {
    const where = { basePath, publicUrl: root }
    const site = yield* makeGuestPages(where)
    const handler = yield* Handler.make({
      basePath,
      mounts: [yield* makeMcpMount(root, yield* oauthTokenVerifier, undefined, yield* makeExportLinkCreator(root))],
      routes: [yield* exportDownloadRoute, ...site.routes, ...yield* makeStaffPages(where)],
      renderNotFound: site.renderNotFound
    })
    yield* Scope.extend(Serve.listen({ handler, host: "127.0.0.1", port, remoteAddressOf: makeCallerAddress() }), scope)
  }))

  const createOutfitter = (name: string): Promise<Outfitter> =>
    run(Effect.gen(function*() {
      const { id } = yield* (yield* Orgs).create({ name, timezone: "America/Denver" })
      const staff = yield* StaffMembers
      const owner = `owner@${name.toLowerCase()}.example`
      const guide = `guide@${name.toLowerCase()}.example`
      yield* staff.add({ orgId: id, email: owner, role: "owner", by: { _tag: "Operator" } })
      yield* staff.add({ orgId: id, email: guide, by: { _tag: "Operator" } })
      yield* Effect.provideService(
        Effect.flatMap(Registry, (registry) =>
          registry.run("offerings.create", { name: `Kayak of ${name}`, kind: "rental" })),
        Actor,
        makeHostActor({ orgId: id })
      )
      return { id, owner, guide }
    }))
  const here = await createOutfitter("Salida")
  const there = await createOutfitter("Nordfjord")

  return {
    root,
    here,
    there,
    run,
    publish: (url, document) => void published.set(url, document),
    unpublish: (url) => void published.delete(url),
    pass: (ms) => Effect.runPromise(clock.advance(ms)),
    mails: () =>
      run(
        Effect.flatMap(FakeMailer, ({ sent }) =>
          Effect.map(sent, (mails) =>
            mails.map(({ text, to }) => ({ to: to.email, url: /https?:\S+/.exec(text)?.[0] ?? "" }))))
      ),
    signedIn: async (outfitter, email = outfitter.owner) => {
      const secret = await run(Effect.gen(function*() {
        const member = (yield* (yield* StaffMembers).list(outfitter.id)).find((one) => one.email === email)
        return yield* (yield* StaffSessions).link({ orgId: outfitter.id, staffId: member?.id ?? "" })
      }))
      const browser = new Browser(root)
      const { status } = await browser.post(`${root}/sign-in/${secret}`, {})
      if (status !== 303) throw new Error(`Signing in was responded ${status}.`)
      return browser
    },
    tables: () => run(Effect.flatMap(MemoryDatabase, ({ read }) => read((tables) => tables))),
    close: async () => {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await runtime.dispose()
    }
  }
}
