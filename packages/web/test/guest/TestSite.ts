/**
 * An in-memory outfitter with all pages, files, and payments, on a free loopback port. The clock moves only when set.
 */
import { Actor, makeHostActor, VisitorAccess } from "@trailbook/core/actor"
import { AssistantCalls } from "@trailbook/core/assistant"
import { type Booking, Bookings, BookingStore, BookingView } from "@trailbook/core/booking"
import { ConversationStore, GuestConversations, MailIntake, MessageStore } from "@trailbook/core/conversation"
import type { Message } from "@trailbook/core/conversation/message/Message"
import { CustomerStore } from "@trailbook/core/customer"
import { Attachments } from "@trailbook/core/file"
import { coreLayer } from "@trailbook/core/layer"
import { SignInMail } from "@trailbook/core/mail"
import { ClientMetadataDocuments, OAuthClients, refuseOAuth } from "@trailbook/core/oauth"
import { Registry } from "@trailbook/core/operation"
import { Orgs } from "@trailbook/core/org"
import type { Org } from "@trailbook/core/org/Org"
import { type Payment, PaymentConnections, PaymentStore } from "@trailbook/core/payment"
import { Ids, UnitOfWork } from "@trailbook/core/port"
import { AutomationRuns } from "@trailbook/core/proposal"
import { Passkeys, SignInRequests, StaffMembers, type StaffRole, StaffSessions } from "@trailbook/core/staff"
import { TaskStore } from "@trailbook/core/task"
import * as Task from "@trailbook/core/task/Task"
import * as Instant from "@trailbook/core/time/Instant"
import { DeliveryQueue } from "@trailbook/core/webhook"
import * as Handler from "@trailbook/http/handler"
import type { AnyRoute } from "@trailbook/http/Route"
import * as Serve from "@trailbook/http/serve"
import * as MemoryStorage from "@trailbook/memory"
import { MemoryDatabase } from "@trailbook/memory/MemoryDatabase"
import { FakePayments } from "@trailbook/testkit/fake/FakePayments"
import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
import * as TestIds from "@trailbook/testkit/fake/TestIds"
import { FakeDrafter, FakeFiles, FakeMailer, FakeSecrets, FakeWebhookSender } from "@trailbook/testkit/fakes"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as TestProvider from "../../../../test/payments/TestProvider.ts"
import * as GuestQuota from "../../src/guest/GuestQuota.ts"
import { makeGuestPages, makeStaffPages } from "../../src/index.ts"
import * as PasskeyReader from "../../src/passkey/PasskeyVerifier.ts"
import type { SiteOptions } from "../../src/Site.ts"
import { proofSecret } from "../proofSecret.ts"
import { signedForm } from "../signedForm.ts"

type TaskKind = Task.TaskKind

type Resource = { readonly id: string } & Record<string, unknown>

export interface TestSite {
  readonly org: Org
  readonly url: string
  /** Calls an operation as the outfitter. */
  readonly call: (name: string, input: unknown) => Promise<Resource>
  /** Books one of an offering's start times. Default: the first available start time. */
  readonly book: (offeringId: string, given?: object, nth?: number) => Promise<BookingView>
  readonly booking: (id: string) => Promise<BookingView>
  readonly handler: Handler.Handler
  readonly routes: ReadonlyArray<AnyRoute>
  /** Calls the handler without a cookie. */
  readonly ask: (
    path: string,
    options?: {
      /**
       * The fields of a form to submit. `shown: "now"` adds the key and signed state that a booking page rendered now
       * would contain.
       */
      readonly form?: Readonly<Record<string, string>> | FormData
      readonly json?: object
      readonly headers?: Readonly<Record<string, string>>
      readonly address?: string
      readonly method?: string
    }
  ) => Promise<{ readonly status: number; readonly headers: Headers; readonly html: string }>
  /** Returns the secret in a booking's emailed link. */
  readonly mailed: (bookingId: string) => Promise<string>
  /** Returns the secret in the emailed link that verifies a known guest's address. */
  readonly proof: (email: string) => Promise<string>
  /** Returns the secret in a message link, as it would appear in an email. */
  readonly link: (booking: BookingView) => Promise<string>
  /** Signs in `owner@salida.example` or `guide@salida.example` and returns the session cookie. */
  readonly signIn: (role?: StaffRole) => Promise<string>
  /** Signs in another outfitter's owner and returns the session cookie. */
  readonly signInElsewhere: () => Promise<string>
  /** Calls an operation as another outfitter. */
  readonly elsewhere: (name: string, input: unknown) => Promise<Resource>
  /** Adds a task that failed permanently and returns its ID. */
  readonly giveUp: (kind: TaskKind, subjectId: string, why: string) => Promise<string>
  /** Makes the pending webhook delivery fail with a DNS error. */
  readonly stop: () => Promise<void>
  readonly pay: (booking: BookingView, intent?: string) => Promise<void>
  /** Returns the statuses of a booking's payments, oldest first. */
  readonly paymentStatuses: (booking: BookingView) => Promise<ReadonlyArray<Payment["status"]>>
  /** Disputes a booking's payment, as the guest's bank would. */
  readonly dispute: (booking: BookingView) => Promise<void>
  /** Refuses the refund for a canceled booking, as the payment provider would. */
  readonly refuseRefund: (booking: BookingView) => Promise<void>
  readonly connect: () => Promise<void>
  /** Sets whether the payment provider refuses every checkout. */
  readonly refusePayments: (refuses: boolean) => Promise<void>
  /** Runs the due automations and returns the number of new proposals. */
  readonly turn: () => Promise<number>
  /** Updates a message with its delivery result or its quoted text, the way the mail service does. */
  readonly tell: (
    message: string,
    changes: Partial<Pick<Message, "cut" | "deliveredAt" | "failedAt" | "failure">>
  ) => Promise<void>
  /** Returns the sizes of the stored files in bytes. */
  readonly files: () => Promise<ReadonlyArray<number>>
  /** Delivers an email with the given files to the guest's conversation. */
  readonly email: (booking: BookingView, mailKey: string, files: ReadonlyArray<Uint8Array>) => Promise<void>
  /** Sets whether all uploads fail. */
  readonly refuseFiles: (refuses: boolean) => Promise<void>
  /** Records an assistant's call with an API key. */
  readonly noteCall: (keyId: string, call: Parameters<AssistantCalls["Type"]["note"]>[1]) => Promise<void>
  readonly set: (now: string) => void
  /** Returns the database tables. The object stays the same until a write replaces it. */
  readonly tables: () => Promise<object>
  /** Returns a function that restores the current tables. */
  readonly restorable: () => Promise<() => Promise<void>>
  readonly close: () => Promise<void>
}

const moment = (text: string) => Instant.parse(text) ?? Instant.min

/** Blocks requests to the internet. */
const noDocuments = Layer.succeed(
  ClientMetadataDocuments,
  ClientMetadataDocuments.of({ read: () => Effect.fail(refuseOAuth("invalid_client", "client_id: cannot be read")) })
)

const people = Layer.mergeAll(
  Layer.provide(SignInRequests.layer, SignInMail.layer),
  Layer.provide(Passkeys.layer, PasskeyReader.layer),
  Layer.provide(OAuthClients.layer, noDocuments)
)

export const open = async (
  { isDrafting = false, now = "2027-05-01T14:00:00Z", ...site }: SiteOptions & GuestQuota.GuestQuotaOptions & {
    readonly now?: string
    /** Whether to add a fake language model, which replies with the guest's last message. */
    readonly isDrafting?: boolean
  } = {}
): Promise<TestSite> => {
  const clock = await Effect.runPromise(SettableClock.make(moment(now)))
  const outside = Layer.mergeAll(
    FakePayments.layer,
    FakeWebhookSender.layer,
    FakeSecrets.makeFakeSecretsLayer(),
    TestIds.layer(1),
    FakeFiles.layer,
    FakeMailer.layer
  )
  const model: Layer.Layer<never> = isDrafting ? FakeDrafter.layer : Layer.empty
  const engine = people.pipe(
    Layer.provideMerge(coreLayer({ batches: "none" })),
    Layer.provideMerge(Attachments.layer),
    Layer.provideMerge(PaymentConnections.layer),
    Layer.provideMerge(TestProvider.layer),
    Layer.provideMerge(Layer.mergeAll(outside, model, GuestQuota.layer(site))),
    Layer.provideMerge(Layer.provideMerge(MemoryStorage.portsLayer, MemoryDatabase.layer))
  )
  const runtime = ManagedRuntime.make(Layer.provide(engine, Layer.setClock(clock)))
  const run = <A, E>(work: Effect.Effect<A, E, ManagedRuntime.ManagedRuntime.Context<typeof runtime>>): Promise<A> =>
    runtime.runPromise(Effect.withClock(work, clock))
  const scope = Effect.runSync(Scope.make())
  const { handler, routes } = await run(Effect.gen(function*() {
    // Use a stub, because this package does not depend on the protocol.
    const { renderNotFound, routes: guestRoutes } = yield* makeGuestPages(site, {
      version: "0",
      answer: () => Effect.succeed({ status: 200, body: "{}" })
    })
    const routes = [...yield* makeStaffPages(site), ...guestRoutes]
    const handler = yield* Handler.make({
      routes,
      renderNotFound,
      ...(site.basePath === undefined ? {} : { basePath: site.basePath })
    })
    return { handler, routes }
  }))
  const { port } = await Effect.runPromise(Scope.extend(Serve.listen({ handler, port: 0, grace: "1 second" }), scope))
  const org = await run(
    Effect.flatMap(Orgs, (orgs) => orgs.create({ name: "Salida River Co.", timezone: "America/Denver", plan: "pro" }))
  )
  const url = `http://127.0.0.1:${port}`
  const roles: ReadonlyArray<readonly [StaffRole, string]> = [
    ["owner", "owner@salida.example"],
    ["staff", "guide@salida.example"]
  ]
  const members = await run(
    Effect.forEach(
      roles,
      ([role, email]) =>
        Effect.flatMap(StaffMembers, (staff) => staff.add({ orgId: org.id, role, email, by: { _tag: "Operator" } }))
    )
  )
  const other = await run(
    Effect.flatMap(Orgs, (orgs) => orgs.create({ name: "Buena Vista Boats", timezone: "America/Denver" }))
  )
  const stranger = await run(
    Effect.flatMap(
      StaffMembers,
      (staff) => staff.add({ orgId: other.id, role: "owner", email: "owner@buena.example", by: { _tag: "Operator" } })
    )
  )
  const cookieOf = async (orgId: string, staffId: string): Promise<string> => {
    const secret = await run(Effect.flatMap(StaffSessions, (logins) => logins.link({ orgId, staffId })))
    const response = await handler(
      new Request(`${url}/sign-in/${secret}`, { method: "POST", body: new URLSearchParams() })
    )
    return response.headers.get("set-cookie")?.split(";")[0] ?? ""
  }
  const callOf = (orgId: string): TestSite["call"] => (name, input) =>
    run(
      Effect.flatMap(Registry, (registry) => registry.run(name, input)).pipe(
        Effect.provideService(Actor, makeHostActor({ orgId })),
        Effect.map((output) => output as Resource)
      )
    )
  const call = callOf(org.id)
  const isBooking = Schema.decodeUnknownSync(BookingView)
  return {
    org,
    url,
    call,
    handler,
    routes,
    book: async (id, fields = {}, nth = 0) => {
      const { data } = await call("availability.get", { id }) as { readonly data?: ReadonlyArray<Resource> } & Resource
      const slot = data?.[nth]
      const at = slot?.["session_id"] === undefined
        ? { starts_at: slot?.["starts_at"] }
        : { session_id: slot["session_id"] }
      const customer = { email: "ada@example.com", name: "Ada Lovelace", phone: "+1 719 555 0100" }
      return isBooking(await call("bookings.create", { offering_id: id, ...at, customer, ...fields }))
    },
    booking: async (id) => isBooking(await call("bookings.get", { id })),
    ask: async (path, { address, form, headers = {}, json, method } = {}) => {
      const request = new Request(new URL(path, url), {
        headers: {
          accept: "text/html",
          ...headers,
          ...(json === undefined ? {} : { "content-type": "application/json" })
        },
        ...(json !== undefined ? { method: "POST", body: JSON.stringify(json) } : form === undefined
          ? method === undefined ? {} : { method }
          : {
            method: "POST",
            body: form instanceof FormData ? form : new URLSearchParams(await run(signedForm(org.id, form)))
          })
      })
      const response = await handler(request, address === undefined ? {} : { remoteAddress: address })
      return { status: response.status, headers: response.headers, html: await response.text() }
    },
    mailed: (id) =>
      run(
        Effect.map(
          Effect.flatMap(VisitorAccess, ({ sign }) => sign(org.id, `mailed ${id}`)),
          (text) => text.slice(0, 40)
        )
      ),
    proof: (email) => run(proofSecret(org.id, email)),
    link: ({ id, org_id: orgId }) =>
      run(Effect.flatMap(GuestConversations, ({ link }) => Effect.map(link({ orgId, id }), Option.getOrThrow))),
    signIn: (role = "owner") => cookieOf(org.id, members.find((one) => one.role === role)?.id ?? ""),
    signInElsewhere: () => cookieOf(other.id, stranger.id),
    elsewhere: callOf(other.id),
    dispute: ({ id }) =>
      run(changeBooking({ id, orgId: org.id }, { dispute: { status: "open", at: Instant.make(0) } })),
    refuseRefund: ({ id }) =>
      run(changeBooking({ id, orgId: org.id }, { refund: { status: "refused", cents: 9500, at: Instant.make(0) } })),
    refusePayments: (refuses) => run(Effect.flatMap(FakePayments, (payments) => payments.refuse(refuses))),
    giveUp: (kind, subjectId, why) =>
      run(Effect.gen(function*() {
        const tasks = yield* TaskStore
        const now = Instant.make(yield* Clock.currentTimeMillis)
        const id = (yield* Ids).uuid()
        const task = Task.make({ id, orgId: org.id, kind, subjectId, dueAt: Instant.make(0) })
        yield* tasks.add([task])
        const claims = yield* tasks.claim({ queue: task.queue, exceptOrgs: [], now, limit: 100, leaseMs: 1000 })
        for (const claim of claims) {
          if (claim.id === id) yield* tasks.giveUp({ ...claim, attempts: 3, lastError: why, givenUpAt: now })
        }
        return id
      })),
    stop: () =>
      run(Effect.gen(function*() {
        const queue = yield* DeliveryQueue
        const claim = Option.getOrThrow(yield* queue.claim({ leaseMs: 9000, exceptOrgs: [], exceptStoppedOf: [] }))
        yield* queue.recordFailure(claim, { status: 0, fault: "dns", retryMs: 300_000 })
      })),
    pay: async ({ id, org_id: orgId }, intent = `intent ${id}`) => {
      await run(Effect.flatMap(Bookings, ({ pay }) => pay({ orgId, id }, intent)))
    },
    paymentStatuses: async ({ id, org_id: orgId }) => {
      const payments = await run(Effect.flatMap(PaymentStore, ({ ofBookings }) => ofBookings([{ orgId, id }])))
      return payments.toSorted((a, b) => a.attempt - b.attempt).map(({ status }) => status)
    },
    connect: () => run(Effect.flatMap(FakePayments, (payments) => payments.connect(org.id, true))),
    turn: () =>
      run(
        Effect.flatMap(AutomationRuns, ({ claim, take }) =>
          Effect.map(Effect.flatMap(claim(10), Effect.forEach(take)), (counts) =>
            counts.reduce((sum, count) =>
              sum + count, 0)))
      ),
    files: () =>
      run(
        Effect.flatMap(
          FakeFiles,
          ({ contents }) => Effect.map(contents, (files) => [...files.values()].map(({ length }) => length))
        )
      ),
    email: ({ customer_id: id }, mailKey, files) =>
      run(Effect.gen(function*() {
        const [conversation] = yield* (yield* ConversationStore).findByCustomer([{ orgId: org.id, id }])
        const [from = { name: "", email: "" }] = yield* (yield* CustomerStore).find([{ orgId: org.id, id }])
        yield* (yield* MailIntake).acceptReply({
          purpose: "reply",
          token: conversation?.token ?? "",
          mailKey,
          messageId: null,
          from,
          subject: "",
          body: `Email ${mailKey}`,
          quotedText: "",
          files: files.map((bytes) => ({ name: "map.pdf", type: "application/pdf", bytes })),
          automatic: false
        })
      })),
    refuseFiles: (refuses) => run(Effect.flatMap(FakeFiles, ({ refuse }) => refuse(refuses))),
    tell: (id, changes) =>
      run(
        Effect.flatMap(MessageStore, ({ find, put }) =>
          Effect.flatMap(find([{ orgId: org.id, id }]), (messages) =>
            put(messages.map((message) => ({ ...message, ...changes })))))
      ),
    noteCall: (keyId, call) =>
      run(
        Effect.flatMap(AssistantCalls, ({ note }) =>
          note({ _tag: "Key", orgId: org.id, keyId, source: "mcp", scopes: new Set(["read"]) }, call))
      ),
    set: (now) => Effect.runSync(clock.set(moment(now))),
    tables: () => run(Effect.flatMap(MemoryDatabase, ({ read }) => read((tables) => tables))),
    restorable: () =>
      run(Effect.flatMap(MemoryDatabase, ({ read, write }) => read((tables) => () => run(write(() => tables))))),
    close: async () => {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await runtime.dispose()
    }
  }
}

/** A rafting outfitter's typical offering. */
export const trip = {
  name: "Browns Canyon Half Day",
  kind: "appointment",
  description: "Class III through Browns Canyon National Monument.\nAges 8 and up.",
  location: "Boathouse at Riverside Park, Salida, Colorado",
  lat: 38.5347,
  lon: -106.0017,
  price_cents: 9500,
  duration_minutes: 240,
  capacity: 40
}

export const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64"
)

const changeBooking = (
  { id, orgId }: { readonly id: string; readonly orgId: string },
  changes: Partial<Pick<Booking, "dispute" | "refund">>
) =>
  Effect.gen(function*() {
    const { find, put } = yield* BookingStore
    const { run } = yield* UnitOfWork
    const [record] = yield* find([{ orgId, id }])
    if (record === undefined) return
    yield* run(put([{ ...record.booking, ...changes }]))
  })
