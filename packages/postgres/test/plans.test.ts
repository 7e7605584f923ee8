import { assert, describe, it } from "@effect/vitest"
import { ApiKeyStore } from "@trailbook/core/actor"
import { BookingStore } from "@trailbook/core/booking"
import { BroadcastStore, ConversationStore, MessageStore } from "@trailbook/core/conversation"
import { CustomerStore } from "@trailbook/core/customer"
import { SubscriptionStore } from "@trailbook/core/event"
import { FileStore } from "@trailbook/core/file"
import { ResumableJobStore } from "@trailbook/core/job"
import { GrantStore, OAuthClientStore } from "@trailbook/core/oauth"
import { OfferingStore } from "@trailbook/core/offering"
import { OrgStore } from "@trailbook/core/org"
import { EventLog, RequestKeys } from "@trailbook/core/port"
import { ReportStore } from "@trailbook/core/report"
import { SessionStore } from "@trailbook/core/session"
import { AuditStore, PasskeyStore, StaffSessionStore, StaffStore } from "@trailbook/core/staff"
import { PendingWork, type Storage } from "@trailbook/core/storage"
import { TaskStore } from "@trailbook/core/task"
import { DeliveryQueue, WebhookStore } from "@trailbook/core/webhook"
import * as PostgresDatabase from "@trailbook/postgres/PostgresDatabase"
import { makeTransactionSettings } from "@trailbook/postgres/transactionSettings"
import { Database } from "@trailbook/sql/Database"
import type { SqlValue } from "@trailbook/sql/Dialect"
import * as SqlStorage from "@trailbook/sql/SqlStorage"
import { origin } from "@trailbook/testkit/generator/moment"
import { newWebhook } from "@trailbook/testkit/law/sampleRows"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { Client } from "pg"
import { beforeAll } from "vitest"
import { createDatabase } from "../../../test/postgres/database.ts"
import { filledTables } from "./filledTables.ts"
import { database, schema } from "./schema.ts"

let url: string
beforeAll(async () => {
  const database = await createDatabase(schema)
  url = database.url
  const client = new Client({ connectionString: database.superuserUrl })
  await client.connect()
  for (const table of filledTables) {
    // Rows are inserted without checking their foreign keys, which is faster. Bookings are the exception, because their
    // triggers count them.
    const role = table.startsWith("bookings ") ? "origin" : "replica"
    await client.query(`set session_replication_role = ${role}; insert into trailbook.${table}`)
  }
  await client.query("analyze")
  await client.end()
  return async () => {
    await filledDatabase.dispose()
    await database.drop()
  }
})

/** A session that runs `explain` with a transaction's settings. Row-level security applies to the session's role. */
class Explainer extends Context.Tag("Explainer")<Explainer, Client>() {}

const explainer = (at: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ connectionString: at })
      await client.connect()
      const { text } = makeTransactionSettings("trailbook")(["o1"])
      await client.query(text.replaceAll(", true)", ", false)").replace("$1", "'o1'"))
      return client
    }),
    (client) => Effect.promise(() => client.end())
  )

const openDatabase = (at: string) =>
  Layer.merge(PostgresDatabase.layer({ url: at }), Layer.scoped(Explainer, explainer(at)))

/** The filled database, which is opened once. */
const filledDatabase = ManagedRuntime.make(Layer.unwrapEffect(Effect.sync(() => openDatabase(url))))

/** Returns the query plan for a store's read, with one line per step. The plan does not depend on parameter values. */
const plan = (
  work: Effect.Effect<unknown, never, Storage | Database>,
  at?: string
): Effect.Effect<ReadonlyArray<string>> =>
  Effect.suspend(() => {
    const steps: Array<string> = []
    const explaining = Layer.effect(
      Database,
      Effect.map(Effect.zip(Database, Explainer), ([database, client]) => {
        const explained = (text: string) =>
          Effect.map(
            Effect.promise(() => client.query<Record<string, string>>(`explain (generic_plan, costs off) ${text}`)),
            ({ rows }) => steps.push(...rows.map((row) => row["QUERY PLAN"]?.trim() ?? ""))
          )
        const query = <Row>(text: string, values?: ReadonlyArray<SqlValue>) =>
          Effect.zipRight(explained(text), database.query<Row>(text, values))
        return {
          ...database,
          query,
          lookup: query,
          write: (text: string, values?: ReadonlyArray<SqlValue>) =>
            Effect.zipRight(explained(text), database.write(text, values)),
          execute: <Row>(text: string, values?: ReadonlyArray<SqlValue>) =>
            Effect.zipRight(explained(text), database.execute<Row>(text, values))
        }
      })
    )
    const explained = SqlStorage.layer.pipe(
      Layer.provideMerge(explaining),
      Layer.provide(
        at === undefined
          ? Layer.effectContext(Effect.map(filledDatabase.runtimeEffect, ({ context }) => context))
          : openDatabase(at)
      )
    )
    return Effect.as(Effect.orDie(Effect.provide(work, explained)), steps)
  })

const key = { orgId: "o1", id: "b1" }
const twoKeys = [key, { ...key, id: "b2" }]
const page = { orgId: "o1", limit: 100, after: { at: 0, id: "" } }
const whole = { from: undefined, to: undefined, status: undefined }
const all = { offeringId: undefined, customerId: undefined, sessionId: undefined, order: "asc" as const }
const query = {
  orgId: "o1",
  offeringId: "f1",
  startsAfter: origin,
  startsBefore: origin,
  endsAfter: origin,
  now: origin
}
const feed = { orgId: "o1", after: 0, limit: 100, youngAfter: origin, youngBefore: origin }

const grants = <A>(query: (store: GrantStore["Type"]) => Effect.Effect<A>) => Effect.flatMap(GrantStore, query)
const person = { orgId: "o1", staffId: "ann" }
const logins = <A>(query: (store: StaffSessionStore["Type"]) => Effect.Effect<A>) =>
  Effect.flatMap(StaffSessionStore, query)
const passkeys = <A>(query: (store: PasskeyStore["Type"]) => Effect.Effect<A>) => Effect.flatMap(PasskeyStore, query)
const offerings = <A>(query: (store: OfferingStore["Type"]) => Effect.Effect<A>) => Effect.flatMap(OfferingStore, query)
const customers = <A>(query: (store: CustomerStore["Type"]) => Effect.Effect<A>) => Effect.flatMap(CustomerStore, query)
const bookings = <A>(query: (store: BookingStore["Type"]) => Effect.Effect<A>) => Effect.flatMap(BookingStore, query)
const sessions = <A>(query: (store: SessionStore["Type"]) => Effect.Effect<A>) => Effect.flatMap(SessionStore, query)
const log = <A>(query: (store: EventLog["Type"]) => Effect.Effect<A>) => Effect.flatMap(EventLog, query)

const taskStore = <A>(query: (taskStore: TaskStore["Type"]) => Effect.Effect<A>) => Effect.flatMap(TaskStore, query)
const conversations = <A>(query: (store: ConversationStore["Type"]) => Effect.Effect<A>) =>
  Effect.flatMap(ConversationStore, query)
const messages = <A>(query: (store: MessageStore["Type"]) => Effect.Effect<A>) => Effect.flatMap(MessageStore, query)
const broadcasts = <A>(query: (store: BroadcastStore["Type"]) => Effect.Effect<A>) =>
  Effect.flatMap(BroadcastStore, query)
const ahead = { offeringId: "f1", from: origin }
const inbox = {
  orgId: "o1",
  now: origin,
  status: undefined,
  unread: undefined,
  customerId: undefined,
  q: undefined,
  after: undefined,
  limit: 100
}
const webhooks = <A>(query: (store: WebhookStore["Type"]) => Effect.Effect<A>) => Effect.flatMap(WebhookStore, query)
const deliveries = <A>(query: (queue: DeliveryQueue["Type"]) => Effect.Effect<A>) =>
  Effect.flatMap(DeliveryQueue, query)

const files = <A>(query: (store: FileStore["Type"]) => Effect.Effect<A>) => Effect.flatMap(FileStore, query)
const unfinished = <A>(query: (store: ResumableJobStore["Type"]) => Effect.Effect<A>) =>
  Effect.flatMap(ResumableJobStore, query)
const jobKey = { orgId: "o1", subject: "session" as const, id: "s1" }
const dueWork = Effect.flatMap(PendingWork, ({ getSummary }) => getSummary({ now: origin, subscribers: [place] }))

const subscriptions = <A>(query: (store: SubscriptionStore["Type"]) => Effect.Effect<A>) =>
  Effect.flatMap(SubscriptionStore, query)

const place = { orgId: "o1", name: "n1" }
const tasks = { queue: "money" as const, exceptOrgs: ["o1"], now: origin, limit: 10, leaseMs: 1000 }
const failures = { failures: 1, after: { orgId: "o1", id: "e1" }, limit: 10 }
const anyEndpoint = { leaseMs: -1, exceptOrgs: [], exceptStoppedOf: [] }

/**
 * All reads except `orgs.all`, which scans the table. Each entry contains the index that the read must use, and the
 * index condition.
 */
const reads: ReadonlyArray<
  readonly [name: string, index: string, condition: string, read: Effect.Effect<unknown, never, Storage>]
> = [
  ["orgs.find", "orgs_pkey", "id =", Effect.flatMap(OrgStore, ({ find }) => find("o1"))],
  ["orgs.findBySlug", "orgs_by_slug", "slug =", Effect.flatMap(OrgStore, ({ findBySlug }) => findBySlug("s"))],
  ["apiKeys.find", "api_keys_by_id", "id =", Effect.flatMap(ApiKeyStore, ({ find }) => find("k"))],
  ["apiKeys.list", "api_keys_pkey", "org_id =", Effect.flatMap(ApiKeyStore, ({ list }) => list("o1"))],
  ["staff.list", "staff_by_email", "org_id =", Effect.flatMap(StaffStore, ({ list }) => list("o1"))],
  ["staff.withEmail", "staff_signing_in", "email =", Effect.flatMap(StaffStore, ({ withEmail }) => withEmail("e"))],
  ["logins.lockLink", "sign_in_links_by_digest", "digest =", logins(({ lockLink }) => lockLink("d"))],
  ["logins.links", "sign_in_links_of_person", "org_id = and staff_id =", logins(({ links }) => links(person))],
  ["logins.lock", "logins_pkey", "org_id = and id =", logins(({ lock }) => lock(key))],
  ["logins.find", "logins_by_digest", "digest =", logins(({ find }) => find("d"))],
  ["logins.list", "logins_of_person", "org_id =", logins(({ list }) => list("o1"))],
  ["passkeys.find", "passkeys_by_id", "id =", passkeys(({ find }) => find("p1_1"))],
  ["passkeys.lock", "passkeys_by_id", "id =", passkeys(({ lock }) => lock(key))],
  ["passkeys.list", "passkeys_of_person", "org_id =", passkeys(({ list }) => list("o1"))],
  [
    "passkeys.lockChallenge",
    "passkey_challenges_pkey",
    "digest =",
    passkeys(({ lockChallenge }) => lockChallenge("d1"))
  ],
  [
    "applications.find",
    "applications_pkey",
    "client_id =",
    Effect.flatMap(OAuthClientStore, ({ find }) => find("a1"))
  ],
  ["grants.lock", "grants_pkey", "org_id = and id =", grants(({ lock }) => lock(key))],
  ["grants.list", "grants_pkey", "org_id =", grants(({ list }) => list("o1"))],
  ["grants.isApproved", "grants_of_client", "client_id =", grants(({ isApproved }) => isApproved("a1"))],
  ["grants.lockCode", "grant_codes_by_digest", "digest =", grants(({ lockCode }) => lockCode("d"))],
  ["grants.lockToken", "grant_tokens_by_digest", "digest =", grants(({ lockToken }) => lockToken("d"))],
  ["grants.found", "grant_tokens_by_digest", "digest =", grants(({ findToken }) => findToken("d"))],
  [
    "audit.page",
    "audit_by_time",
    "org_id = and ROWat",
    Effect.flatMap(AuditStore, ({ page }) => page({ orgId: "o1", before: { at: origin, id: "e" }, limit: 10 }))
  ],

  ["offerings.find", "offerings_pkey", "org_id = and id =", offerings(({ find }) => find([key]))],
  ["offerings.lock for one offering", "offerings_pkey", "org_id = and id =", offerings(({ lock }) => lock([key]))],
  ["offerings.lock", "offerings_pkey", "org_id = and id =", offerings(({ lock }) => lock(twoKeys))],
  [
    "offerings.list",
    "offerings_listed",
    "org_id = and ROWcreated_at",
    offerings(({ list }) => list({ ...page, kind: "class" }))
  ],

  ["customers.find", "customers_pkey", "org_id = and id =", customers(({ find }) => find([key]))],
  ["customers.lock for one customer", "customers_pkey", "org_id = and id =", customers(({ lock }) => lock([key]))],
  ["customers.lock", "customers_pkey", "org_id = and id =", customers(({ lock }) => lock(twoKeys))],
  [
    "customers.lockByEmail for one address",
    "customers_by_email",
    "org_id = and email =",
    customers(({ lockByEmail }) => lockByEmail([{ orgId: "o1", email: "e" }]))
  ],
  [
    "customers.lockByEmail",
    "customers_by_email",
    "org_id = and email =",
    customers(({ lockByEmail }) => lockByEmail([{ orgId: "o1", email: "e" }, { orgId: "o1", email: "f" }]))
  ],
  [
    "customers.list",
    "customers_listed",
    "org_id = and ROWcreated_at",
    customers(({ list }) => list({ ...page, q: undefined }))
  ],
  [
    "customers.list with a search term",
    "customer_words_pkey",
    "org_id = and word >= and word <",
    customers(({ list }) => list({ ...page, q: "ann 719" }))
  ],
  [
    "customers.list, the rows of the customers found",
    "customers_pkey",
    "org_id = and id =",
    customers(({ list }) => list({ ...page, q: "ann 719" }))
  ],
  [
    "customers.list, searched by a booking reference",
    "bookings_by_reference",
    "org_id = and reference =",
    customers(({ list }) => list({ ...page, q: "K7XQ-2M10" }))
  ],

  ["sessions.lock for one session", "sessions_pkey", "org_id = and id =", sessions(({ lock }) => lock([key]))],
  ["sessions.lock", "sessions_pkey", "org_id = and id =", sessions(({ lock }) => lock(twoKeys))],
  [
    "sessions.lockComing",
    "sessions_of_offering",
    "org_id = and offering_id = and starts_at >",
    sessions(({ lockUpcoming }) => lockUpcoming(key, origin))
  ],
  [
    "sessions.booked",
    "bookings_in_session",
    "org_id = and session_id =",
    sessions(({ countBookedSeats }) => countBookedSeats([{ ...key, now: origin }]))
  ],
  [
    "sessions.list",
    "sessions_listed",
    "org_id = and starts_at >= and starts_at <",
    sessions(({ list }) => list({ ...page, ...whole, offeringId: undefined, now: origin }))
  ],
  [
    "sessions.list for an offering",
    "sessions_of_offering",
    "org_id = and offering_id = and starts_at >= and starts_at <",
    sessions(({ list }) => list({ ...page, ...whole, offeringId: "f", now: origin }))
  ],

  ["bookings.find for one booking", "bookings_pkey", "org_id = and id =", bookings(({ find }) => find([key]))],
  ["bookings.find", "bookings_pkey", "org_id = and id =", bookings(({ find }) => find(twoKeys))],
  ["bookings.newest", "bookings_pkey", "org_id =", bookings(({ newest }) => newest({ orgId: "o1", limit: 100 }))],
  [
    "bookings.newest after the first page",
    "bookings_pkey",
    "org_id = and id <",
    bookings(({ newest }) => newest({ orgId: "o1", after: "b500", limit: 100 }))
  ],
  ["bookings.lock for one booking", "bookings_pkey", "org_id = and id =", bookings(({ lock }) => lock([key]))],
  ["bookings.lock", "bookings_pkey", "org_id = and id =", bookings(({ lock }) => lock(twoKeys))],
  [
    "bookings.findByIdempotencyKey",
    "bookings_by_idempotency_key",
    "org_id = and idempotency_key =",
    bookings((store) => store.findByIdempotencyKey([{ orgId: "o1", key: "k" }]))
  ],
  ["bookings.findByHandle", "bookings_by_handle", "handle =", bookings((store) => store.findByHandle("h"))],
  [
    "bookings.findByCheckInToken",
    "bookings_by_check_in_token",
    "check_in_token =",
    bookings((store) => store.findByCheckInToken("t"))
  ],
  [
    "bookings.lockInSession",
    "bookings_in_session",
    "org_id = and session_id =",
    bookings(({ lockInSession }) => lockInSession({ orgId: "o1", id: "s1" }))
  ],
  [
    "bookings.lockUpcoming",
    "bookings_of_offering",
    "org_id = and offering_id =",
    bookings(({ lockUpcoming }) => lockUpcoming({ orgId: "o1", id: "f1" }, origin))
  ],
  [
    "bookings.countUpcoming, confirmed bookings",
    "bookings_of_offering",
    "org_id = and offering_id =",
    bookings(({ countUpcoming }) =>
      countUpcoming({ orgId: "o1", id: "f1" }, { status: "confirmed", now: origin, after: undefined, limit: 100 })
    )
  ],
  [
    "bookings.countUpcoming, held bookings",
    "bookings_held_of_offering",
    "org_id = and offering_id =",
    bookings(({ countUpcoming }) =>
      countUpcoming({ orgId: "o1", id: "f1" }, { status: "held", now: origin, after: undefined, limit: 100 })
    )
  ],
  [
    "bookings.list, bookings to cancel with an offering",
    "bookings_of_offering",
    "org_id = and offering_id =",
    bookings(({ list }) => list({ ...page, ...whole, ...all, offeringId: "f1", status: "confirmed" }))
  ],
  [
    "bookings.list, bookings to cancel with a session",
    "bookings_in_session",
    "org_id = and session_id =",
    bookings(({ list }) => list({ ...page, ...whole, ...all, sessionId: "s1", status: "held" }))
  ],
  [
    "bookings.lockOfCustomer",
    "bookings_of_customer",
    "org_id = and customer_id =",
    bookings(({ lockOfCustomer }) => lockOfCustomer({ orgId: "o1", id: "c1" }, "", 100))
  ],
  [
    "bookings.overlapping",
    "bookings_of_offering",
    "org_id = and offering_id = and starts_at >= and starts_at <",
    bookings(({ overlapping }) => overlapping([query]))
  ],
  [
    "bookings.overlapping for several time spans",
    "bookings_of_offering",
    "org_id = and offering_id = and starts_at >= and starts_at <",
    bookings(({ overlapping }) => overlapping([query, query]))
  ],
  [
    "bookings.holdsExpiredBy",
    "bookings_expiring",
    "expires_at <=",
    bookings(({ holdsExpiredBy }) => holdsExpiredBy(origin, 100))
  ],
  [
    "bookings.countConfirmed",
    "bookings_made",
    "org_id = and created_at >= and created_at <",
    bookings(({ countConfirmed }) => countConfirmed("o1", [{ from: origin, to: origin }]))
  ],
  [
    "bookings.countConfirmed for entire days",
    "booking_counts_pkey",
    "org_id = and day >= and day <",
    bookings(({ countConfirmed }) => countConfirmed("o1", [{ from: origin, to: origin }]))
  ],
  [
    "bookings.coming for a session",
    "bookings_in_session",
    "org_id = and session_id =",
    bookings(({ listFirstGuests }) =>
      listFirstGuests([{ orgId: "o1", offeringId: "f1", sessionId: "s1", startsAt: origin }], 4)
    )
  ],
  [
    "bookings.coming for a start time without a session",
    "bookings_listed",
    "org_id = and starts_at =",
    bookings(({ listFirstGuests }) =>
      listFirstGuests([{ orgId: "o1", offeringId: "f1", sessionId: null, startsAt: origin }], 4)
    )
  ],
  [
    "bookings.list, held bookings",
    "bookings_held",
    "org_id = and starts_at >= and starts_at <",
    bookings(({ list }) => list({ ...page, ...whole, ...all, status: "held" }))
  ],
  [
    "bookings.list, held bookings of an offering",
    "bookings_held_of_offering",
    "org_id = and offering_id = and starts_at >= and starts_at <",
    bookings(({ list }) => list({ ...page, ...whole, ...all, status: "held", offeringId: "f" }))
  ],
  [
    "bookings.list, canceled bookings",
    "bookings_cancelled",
    "org_id = and starts_at >= and starts_at <",
    bookings(({ list }) => list({ ...page, ...whole, ...all, status: "cancelled" }))
  ],
  [
    "bookings.list, canceled bookings of an offering",
    "bookings_cancelled_of_offering",
    "org_id = and offering_id = and starts_at >= and starts_at <",
    bookings(({ list }) => list({ ...page, ...whole, ...all, status: "cancelled", offeringId: "f" }))
  ],
  [
    "bookings.list with a search term",
    "customer_words_pkey",
    "org_id = and word >= and word <",
    bookings(({ list }) => list({ ...page, ...whole, ...all, q: "ann 719" }))
  ],
  [
    "bookings.list, bookings of the guests found",
    "bookings_of_customer",
    "org_id = and customer_id =",
    bookings(({ list }) => list({ ...page, ...whole, ...all, q: "ann 719" }))
  ],
  [
    "reports.day",
    "bookings_listed",
    "org_id = and starts_at >= and starts_at <",
    Effect.flatMap(
      ReportStore,
      ({ day }) => day({ orgId: "o1", from: origin, to: origin, now: origin, expireBy: origin, limit: 5 })
    )
  ],
  [
    "bookings.list",
    "bookings_listed",
    "org_id = and starts_at >= and starts_at <",
    bookings(({ list }) => list({ ...page, ...whole, ...all }))
  ],
  [
    "bookings.list, newest first",
    "bookings_listed",
    "org_id = and starts_at >= and starts_at <",
    bookings(({ list }) => list({ ...page, ...whole, ...all, order: "desc" }))
  ],
  [
    "bookings.list for an offering",
    "bookings_of_offering",
    "org_id = and offering_id = and starts_at >= and starts_at <",
    bookings(({ list }) => list({ ...page, ...whole, ...all, offeringId: "f" }))
  ],
  [
    "bookings.list for a session",
    "bookings_in_session",
    "org_id = and session_id = and starts_at >= and starts_at <",
    bookings(({ list }) => list({ ...page, ...whole, ...all, sessionId: "s" }))
  ],
  [
    "bookings.list for a customer",
    "bookings_of_customer",
    "org_id = and customer_id = and starts_at >= and starts_at <",
    bookings(({ list }) => list({ ...page, ...whole, ...all, customerId: "c" }))
  ],

  [
    "events.page",
    "events_pkey",
    "org_id = and id > and id <=",
    log((store) => store.page({ ...feed, type: undefined }))
  ],
  [
    "events.page for an event type",
    "events_of_type",
    "org_id = and type = and id >",
    log((store) => store.page({ ...feed, type: "org.updated" }))
  ],
  ["events.heads", "event_counters_pkey", "org_id =", log(({ heads }) => heads(["o1", "o2"]))],
  ["events.latest", "events_pkey", "org_id =", log(({ latest }) => latest("o1", 10))],
  [
    "events.about",
    "events_about_customer",
    "org_id = and customer_id = and id >",
    log(({ about }) => about("o1", "c", 0, 100))
  ],

  ["tasks.claim", "tasks_due", "due_at <=", taskStore(({ claim }) => claim(tasks))],
  [
    "tasks.failing for one org",
    "tasks_failed",
    "org_id = and id >",
    taskStore(({ failing: list }) => list({ ...failures, orgId: "o2" }))
  ],
  [
    "tasks.failing for all orgs",
    "tasks_failed",
    "ROWorg_id",
    taskStore(({ failing: list }) => list({ ...failures, orgId: undefined }))
  ],
  [
    "tasks.retry",
    "tasks_failed",
    "org_id = and id =",
    taskStore(({ retry }) => retry([{ orgId: "o1", id: "e40" }], origin))
  ],
  ["tasks.forget", "tasks_failed", "given_up_at <", taskStore(({ forget }) => forget(origin, 10))],

  ["webhooks.find", "webhooks_by_id", "id =", webhooks(({ find }) => find(key))],
  ["webhooks.standing", "webhooks_by_id", "id =", webhooks(({ progress: standing }) => standing(key))],
  ["webhooks.list", "webhooks_pkey", "org_id =", webhooks(({ list }) => list("o1"))],
  ["webhooks.page", "webhooks_by_id", "id >", webhooks(({ page }) => page("w", 100))],
  [
    "deliveries.claim, endpoints with new events",
    "webhooks_pkey",
    "org_id =",
    deliveries(({ claim }) => claim(anyEndpoint))
  ],
  [
    "deliveries.claim, endpoints to retry",
    "webhooks_retried",
    "retry_at <=",
    deliveries(({ claim }) => claim(anyEndpoint))
  ],
  [
    "deliveries.pending",
    "events_pkey",
    "org_id = and id >",
    deliveries(({ pending }) => pending(newWebhook("o1"), 0, 50))
  ],
  [
    "deliveries.pending for some event types",
    "events_of_type",
    "org_id = and type = and id >",
    deliveries(({ pending }) => pending({ ...newWebhook("o1"), events: ["booking.held", "org.updated"] }, 0, 50))
  ],

  [
    "subscriptions.waiting",
    "subscriptions_pkey",
    "org_id = and name =",
    subscriptions(({ waiting }) => waiting([place]))
  ],
  ["due work, of tasks", "tasks_due", "due_at <=", dueWork],
  ["due work, of retries", "webhooks_retried", "retry_at <=", dueWork],
  ["subscriptions.claim", "subscriptions_pkey", "org_id = and name =", subscriptions(({ claim }) => claim(place, 0))],

  [
    "requestKeys.find",
    "request_keys_pkey",
    "org_id = and operation = and key =",
    Effect.flatMap(RequestKeys, ({ find }) => find({ orgId: "o1", operation: "sessions.create", key: "k1" }))
  ],
  ["unfinished.find", "unfinished_pkey", "org_id = and subject = and id =", unfinished(({ find }) => find(jobKey))],
  ["unfinished.lock", "unfinished_pkey", "org_id = and subject = and id =", unfinished(({ lock }) => lock(jobKey))],
  [
    "unfinished.untouchedSince",
    "unfinished_untouched",
    "touched_at <=",
    unfinished(({ untouchedSince }) => untouchedSince(origin, 10))
  ],

  ["conversations.find", "conversations_pkey", "org_id = and id =", conversations(({ find }) => find([key]))],
  [
    "conversations.findByToken",
    "conversations_by_token",
    "token =",
    conversations(({ findByToken }) => findByToken("t1_1"))
  ],
  [
    "conversations.findByCustomer",
    "conversations_of_customer",
    "org_id = and customer_id =",
    conversations(({ findByCustomer }) => findByCustomer([{ orgId: "o1", id: "c1" }]))
  ],
  [
    "conversations.list",
    "conversations_listed",
    "org_id = and last_by =",
    conversations(({ list }) => list(inbox))
  ],
  ["messages.find", "messages_pkey", "org_id = and id =", messages(({ find }) => find([key]))],
  [
    "messages.findByBounceToken",
    "messages_by_bounce_token",
    "bounce_token =",
    messages(({ findByBounceToken }) => findByBounceToken("x1_1"))
  ],
  [
    "messages.latest",
    "messages_in_conversation",
    "org_id = and conversation_id =",
    messages(({ latest }) => latest({ orgId: "o1", id: "v1" }, 10))
  ],
  [
    "messages.list for a customer",
    "messages_of_customer",
    "org_id = and customer_id =",
    messages(({ list }) => list({ ...page, conversationId: undefined, bookingId: undefined, customerId: "c1" }))
  ],
  [
    "bookings.nextOf",
    "bookings_of_customer",
    "org_id = and customer_id =",
    bookings(({ nextOf }) => nextOf([{ orgId: "o1", id: "c1" }], origin))
  ],
  [
    "broadcasts.booked for an offering",
    "bookings_of_offering",
    "org_id = and offering_id = and ROWstarts_at",
    broadcasts(({ listConfirmedBookings }) =>
      listConfirmedBookings({ orgId: "o1", target: ahead, after: undefined, limit: 25 })
    )
  ],
  [
    "broadcasts.guests for an offering",
    "bookings_of_customer",
    "org_id = and customer_id =",
    broadcasts(({ guests }) => guests({ orgId: "o1", target: ahead, among: ["c1", "c2"] }))
  ],

  ["files.find", "files_pkey", "org_id = and id =", files(({ find }) => find({ orgId: "o1", id: "f1" }))],
  ["files.lock", "files_pkey", "org_id = and id =", files(({ lock }) => lock("o1", ["f1"]))],
  [
    "files.ofMessages",
    "files_of_message",
    "org_id = and message_id =",
    files(({ ofMessages }) => ofMessages("o1", ["m1"]))
  ],
  ["files.removeUnused", "files_unused", "created_at <=", files(({ removeUnused }) => removeUnused(origin, 10))]
]

/** Returns the index conditions of the steps that use the index. */
const searches = (steps: ReadonlyArray<string>, index: string): ReadonlyArray<string> =>
  steps.flatMap((step, at) =>
    new RegExp(`(using|Scan on) ${index}\\b`).test(step)
      ? [steps[at + 1]?.replace("Index Cond: ", "").replaceAll("(", "") ?? ""]
      : []
  )

describe("a query uses its index, even if most rows belong to other orgs:", () => {
  it.effect.each(reads)("%s", ([, index, condition, query]) =>
    Effect.gen(function*() {
      const steps = yield* plan(query)
      const isFound = searches(steps, index).some((indexCondition) =>
        condition.split(" and ").every((part) => new RegExp(`(^| )${part}[, ]`).test(indexCondition))
      )
      assert.isTrue(isFound, `${index} (${condition}) is missing from the plan:\n${steps.join("\n")}`)
      assert.deepStrictEqual(steps.filter((step) => /Seq Scan|Hash Join|Merge Join/.test(step)), [])
    }))
})

it.effect("claiming deliveries reads only endpoints with retries or undelivered events", () =>
  Effect.gen(function*() {
    const steps = yield* plan(deliveries(({ claim }) => claim(anyEndpoint)))
    const scans = steps.flatMap((step) => / using \w+ on (event_counters|webhooks)\b/.exec(step)?.[0].trim() ?? [])
    assert.deepStrictEqual([...new Set(scans)].sort(), [
      "using event_counters_undelivered on event_counters",
      "using webhooks_by_id on webhooks",
      "using webhooks_retried on webhooks"
    ])
    // The statement scans only the endpoints of marked orgs.
    const ofOrg = searches(steps, "webhooks_pkey")
    assert.isAbove(ofOrg.length, 0)
    for (const indexCondition of ofOrg) assert.match(indexCondition, /^org_id = counter/)
    assert.isTrue(steps.includes("Update on webhooks"), "the plan claims no deliveries")
  }))

it.effect("every query that locks rows sorts them first", () =>
  Effect.gen(function*() {
    const locks = [
      offerings(({ lock }) => lock(twoKeys)),
      sessions(({ lock }) => lock(twoKeys)),
      customers(({ lock }) => lock(twoKeys)),
      bookings(({ lock }) => lock(twoKeys)),
      bookings(({ lockOfCustomer }) => lockOfCustomer(key, "", 100))
    ]
    for (const query of locks) {
      const steps = (yield* plan(query)).filter((step) => /LockRows|Sort  ?$|Sort$/.test(step))
      // The filter drops any limit above these steps. A limit is harmless, because it only stops the locking early, and
      // rows are locked in sort order.
      assert.deepStrictEqual(steps.slice(0, 2).map((step) => step.replace("->  ", "")), ["LockRows", "Sort"])
    }
  }))

it.scoped("a query for several time spans looks up each span separately", () =>
  Effect.gen(function*() {
    const empty = yield* database()
    const steps = yield* plan(bookings(({ overlapping }) => overlapping([query, query])), empty.url)
    const [first, second] = ["CTE Scan on asked", "on bookings b"].map((scan) =>
      steps.findIndex((step) => step.includes(scan))
    )
    assert.isBelow(first ?? -1, second ?? -1, steps.join("\n"))
  }))

it.scoped("a query for bookings looks up each guest and offering by key", () =>
  Effect.gen(function*() {
    const ownDatabase = yield* database()
    yield* Effect.promise(async () => {
      const client = new Client({ connectionString: ownDatabase.superuserUrl })
      await client.connect()
      for (const table of filledTables) {
        if (!/^(?:orgs|offerings|sessions|customers|bookings) /.test(table)) continue
        await client.query(
          `insert into trailbook.${table.replace("generate_series(1, 20) o", "generate_series(1, 1) o")}`
        )
      }
      await client.query("analyze")
      await client.end()
    })
    const reads = [
      bookings(({ find }) => find(twoKeys)),
      bookings(({ nextOf }) => nextOf(twoKeys, origin)),
      bookings(({ findByIdempotencyKey }) => findByIdempotencyKey(twoKeys.map(({ id, orgId }) => ({ orgId, key: id }))))
    ]
    for (const query of reads) {
      const steps = yield* plan(query, ownDatabase.url)
      for (const table of ["offerings", "customers"]) {
        const conditions = searches(steps, `${table}_pkey`)
        assert.isAbove(conditions.length, 0, steps.join("\n"))
        for (const condition of conditions) assert.match(condition, /org_id = .* id = /, steps.join("\n"))
      }
    }
  }))

it.effect("control: the test detects a query that uses no index", () =>
  Effect.gen(function*() {
    const unindexed = Effect.flatMap(Database, ({ query }) => query("select from trailbook.bookings where notes = 'x'"))
    assert.include((yield* plan(unindexed)).join("\n"), "Seq Scan on bookings")
  }))
