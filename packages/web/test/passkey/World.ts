/** An in-memory outfitter with staff who sign in. The clock moves only when advanced. */
import { coreLayer } from "@trailbook/core/layer"
import { ClientMetadataDocuments, OAuthClients } from "@trailbook/core/oauth"
import { Orgs } from "@trailbook/core/org"
import { Payments } from "@trailbook/core/payment"
import {
  AuditLog,
  Passkeys,
  SignInRequests,
  type StaffMember,
  StaffMembers,
  StaffSessions
} from "@trailbook/core/staff"
import { SignInMailer } from "@trailbook/core/staff/sign-in/SignInRequests"
import * as Instant from "@trailbook/core/time/Instant"
import * as Handler from "@trailbook/http/handler"
import * as MemoryStorage from "@trailbook/memory"
import { MemoryDatabase } from "@trailbook/memory/MemoryDatabase"
import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
import * as TestIds from "@trailbook/testkit/fake/TestIds"
import { FakeSecrets, FakeWebhookSender } from "@trailbook/testkit/fakes"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { makeStaffPages } from "../../src/index.ts"
import * as PasskeyReader from "../../src/passkey/PasskeyVerifier.ts"
import type { Options } from "./Authenticator.ts"

export const operator = { _tag: "Operator" } as const

const people = Layer.mergeAll(
  Layer.provide(SignInRequests.layer, Layer.succeed(SignInMailer, SignInMailer.of({ send: () => Effect.void }))),
  Layer.provide(
    OAuthClients.layer,
    Layer.succeed(
      ClientMetadataDocuments,
      ClientMetadataDocuments.of({ read: () => Effect.dieMessage("There are none.") })
    )
  ),
  Layer.provide(Passkeys.layer, PasskeyReader.layer)
)

const engine = people.pipe(
  Layer.provideMerge(coreLayer({ batches: "none" })),
  Layer.provideMerge(
    Layer.mergeAll(Payments.layerNone, FakeWebhookSender.layer, FakeSecrets.makeFakeSecretsLayer(), TestIds.layer(1))
  ),
  Layer.provideMerge(Layer.provideMerge(MemoryStorage.portsLayer, MemoryDatabase.layer))
)

export interface Answer {
  readonly status: number
  readonly html: string
  readonly cookie: string
  readonly location: string | null
}

/** Creates the outfitters and their pages. Without a public URL, the server uses the host of each request. */
export const open = async (publicUrl?: string) => {
  const clock = await Effect.runPromise(SettableClock.make(Instant.parse("2027-06-05T14:00:00Z") ?? Instant.min))
  const runtime = ManagedRuntime.make(Layer.provide(engine, Layer.setClock(clock)))
  const run = <A, E>(work: Effect.Effect<A, E, ManagedRuntime.ManagedRuntime.Context<typeof runtime>>): Promise<A> =>
    runtime.runPromise(Effect.withClock(work, clock))
  const handler = await run(Effect.flatMap(makeStaffPages({ publicUrl }), (routes) => Handler.make({ routes })))
  const outfitter = (name: string) =>
    run(Effect.gen(function*() {
      const { id: orgId } = yield* (yield* Orgs).create({ name, timezone: "America/Denver" })
      const staff = yield* StaffMembers
      const ann = yield* staff.add({ orgId, email: "ann@example.com", name: "Ann", role: "owner", by: operator })
      const bob = yield* staff.add({ orgId, email: "bob@example.com", by: operator })
      return { orgId, ann, bob }
    }))
  const ask = async (
    path: string,
    { cookie = "", form, headers = {} }: {
      readonly cookie?: string
      readonly form?: Readonly<Record<string, string>>
      readonly headers?: Readonly<Record<string, string>>
    } = {}
  ): Promise<Answer> => {
    const request = new Request(new URL(path, publicUrl ?? "http://localhost:4000"), {
      headers: { accept: "text/html", cookie, ...headers },
      ...(form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) })
    })
    const response = await handler(request)
    return {
      status: response.status,
      html: await response.text(),
      cookie: (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "",
      location: response.headers.get("location")
    }
  }
  /** Returns the WebAuthn options that a page passes to the browser. */
  const requestOptions = async (path: string, request: Parameters<typeof ask>[1]): Promise<Options> => {
    const { html } = await ask(path, { form: {}, ...request })
    const text = /data-options="([^"]*)"/.exec(html)?.[1] ?? "null"
    return JSON.parse(text.replaceAll("&quot;", "\"").replaceAll("&amp;", "&"))
  }
  return {
    handler,
    run,
    ask,
    requestOptions,
    outfitter,
    pass: (ms: number) => Effect.runPromise(clock.advance(ms)),
    /** Signs in through an emailed link and returns the session cookie. */
    signedIn: async (member: StaffMember) => {
      const { secret } = await run(
        Effect.flatMap(StaffSessions, (logins) => logins.start({ member, way: "link", device: "" }))
      )
      return `${publicUrl?.startsWith("https:") === true ? "__Host-tb_login" : "tb_login"}=${secret}`
    },
    audit: (orgId: string) =>
      run(
        Effect.flatMap(AuditLog, (audit) =>
          Effect.map(audit.page({ orgId, before: undefined, limit: 100 }), (all) =>
            all.map(({ what }) => what)))
      )
  }
}

export type World = Awaited<ReturnType<typeof open>>
