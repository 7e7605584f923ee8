import { afterAll, assert, describe, it } from "@effect/vitest"
import { ApiKeyStore } from "@trailbook/core/actor"
import { AutomationStore } from "@trailbook/core/automation"
import { BookingStore } from "@trailbook/core/booking"
import { BroadcastStore, ConversationStore, MessageStore, SavedReplyStore } from "@trailbook/core/conversation"
import { CustomerStore } from "@trailbook/core/customer"
import * as Customer from "@trailbook/core/customer/Customer"
import { SubscriptionStore } from "@trailbook/core/event"
import { FileStore } from "@trailbook/core/file"
import { ResumableJobStore } from "@trailbook/core/job"
import { GrantStore, OAuthClientStore } from "@trailbook/core/oauth"
import { OfferingStore } from "@trailbook/core/offering"
import { OrgStore } from "@trailbook/core/org"
import { EventLog, RequestKeys } from "@trailbook/core/port"
import { ProposalStore } from "@trailbook/core/proposal"
import { ReportStore } from "@trailbook/core/report"
import { SessionStore } from "@trailbook/core/session"
import { AuditStore, PasskeyStore, StaffSessionStore, StaffStore } from "@trailbook/core/staff"
import { PendingWork, type Storage } from "@trailbook/core/storage"
import { TaskStore } from "@trailbook/core/task"
import { DeliveryQueue, WebhookStore } from "@trailbook/core/webhook"
import { Database } from "@trailbook/sql/Database"
import type { SqlValue } from "@trailbook/sql/Dialect"
import * as SqlStorage from "@trailbook/sql/SqlStorage"
import * as SqliteDatabase from "@trailbook/sqlite/SqliteDatabase"
import { newWebhook } from "@trailbook/testkit/law/sampleRows"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { noon } from "./sample.ts"

/** The tables are created once. Statements that change them are only explained, never run. */
const openDatabase = ManagedRuntime.make(SqliteDatabase.layer({ filename: ":memory:" }))
afterAll(() => openDatabase.dispose())

/** Returns the query plan for a store's statements, one line per step. */
const plan = (work: Effect.Effect<unknown, never, Storage | Database>): Effect.Effect<ReadonlyArray<string>> =>
  Effect.suspend(() => {
    const steps: Array<string> = []
    const explain = ({ query }: Database["Type"], text: string, values?: ReadonlyArray<SqlValue>) =>
      Effect.map(query<{ readonly detail: string }>(`explain query plan ${text}`, values), (rows) => {
        steps.push(...rows.map(({ detail }) => detail))
      })
    const explaining = Layer.effect(
      Database,
      Effect.map(Database, (database) => {
        const query = <Row>(text: string, values?: ReadonlyArray<SqlValue>) =>
          Effect.zipRight(explain(database, text, values), database.query<Row>(text, values))
        return {
          ...database,
          query,
          lookup: query,
          // Explain writes without running them.
          write: (text: string, values?: ReadonlyArray<SqlValue>) => explain(database, text, values)
        }
      })
    )
    const explained = SqlStorage.layer.pipe(
      Layer.provideMerge(explaining),
      Layer.provide(Layer.effectContext(Effect.map(openDatabase.runtimeEffect, ({ context }) => context)))
    )
    return Effect.as(Effect.orDie(Effect.provide(work, explained)), steps)
  })

const key = { orgId: "o", id: "i" }
const twoKeys = [key, { ...key, id: "b2" }]
const first = { after: undefined, limit: 25 }
const page = { orgId: "o", limit: 100, after: { at: 0, id: "" } }
const whole = { from: undefined, to: undefined, status: undefined }
const all = { offeringId: undefined, customerId: undefined, sessionId: undefined, order: "asc" as const }
const query = { orgId: "o", offeringId: "f", startsAfter: noon, startsBefore: noon, endsAfter: noon, now: noon }
const year = { ...page, from: noon, to: noon, testAccounts: [] }
const feed = { orgId: "o", after: 0, limit: 100, youngAfter: noon, youngBefore: noon }

const grants = <A>(query: (store: GrantStore["Type"]) => Effect.Effect<A>) => Effect.flatMap(GrantStore, query)
const person = { orgId: "o", staffId: "ann" }
const logins = <A>(query: (store: StaffSessionStore["Type"]) => Effect.Effect<A>) =>
  Effect.flatMap(StaffSessionStore, query)
const passkeys = <A>(query: (store: PasskeyStore["Type"]) => Effect.Effect<A>) => Effect.flatMap(PasskeyStore, query)
const offerings = <A>(query: (store: OfferingStore["Type"]) => Effect.Effect<A>) => Effect.flatMap(OfferingStore, query)
const customers = <A>(query: (store: CustomerStore["Type"]) => Effect.Effect<A>) => Effect.flatMap(CustomerStore, query)
const bookings = <A>(query: (store: BookingStore["Type"]) => Effect.Effect<A>) => Effect.flatMap(BookingStore, query)
const sessions = <A>(query: (store: SessionStore["Type"]) => Effect.Effect<A>) => Effect.flatMap(SessionStore, query)
const reportIndexes = {
  start: { confirmed: "bookings_listed", cancelled: "bookings_cancelled" },
  booked: { confirmed: "bookings_made", cancelled: "bookings_cancelled_made" }
} as const
const reports = <A>(query: (store: ReportStore["Type"]) => Effect.Effect<A>) => Effect.flatMap(ReportStore, query)
const log = <A>(query: (store: EventLog["Type"]) => Effect.Effect<A>) => Effect.flatMap(EventLog, query)

const taskStore = <A>(query: (taskStore: TaskStore["Type"]) => Effect.Effect<A>) => Effect.flatMap(TaskStore, query)
const conversations = <A>(query: (store: ConversationStore["Type"]) => Effect.Effect<A>) =>
  Effect.flatMap(ConversationStore, query)
const messages = <A>(query: (store: MessageStore["Type"]) => Effect.Effect<A>) => Effect.flatMap(MessageStore, query)
const broadcasts = <A>(query: (store: BroadcastStore["Type"]) => Effect.Effect<A>) =>
  Effect.flatMap(BroadcastStore, query)
const inbox = {
  orgId: "o",
  now: noon,
  status: undefined,
  unread: undefined,
  customerId: undefined,
  q: undefined,
  after: undefined,
  limit: 100
}
const noFilter = { conversationId: undefined, bookingId: undefined, customerId: undefined }
const webhooks = <A>(query: (store: WebhookStore["Type"]) => Effect.Effect<A>) => Effect.flatMap(WebhookStore, query)
const deliveries = <A>(query: (queue: DeliveryQueue["Type"]) => Effect.Effect<A>) =>
  Effect.flatMap(DeliveryQueue, query)

const turns = <A>(query: (store: AutomationStore["Type"]) => Effect.Effect<A>) => Effect.flatMap(AutomationStore, query)
const proposals = <A>(query: (store: ProposalStore["Type"]) => Effect.Effect<A>) => Effect.flatMap(ProposalStore, query)
const unfinished = <A>(query: (store: ResumableJobStore["Type"]) => Effect.Effect<A>) =>
  Effect.flatMap(ResumableJobStore, query)
const files = <A>(query: (store: FileStore["Type"]) => Effect.Effect<A>) => Effect.flatMap(FileStore, query)
const jobKey = { orgId: "o", subject: "session" as const, id: "s" }

const dueWork = Effect.flatMap(
  PendingWork,
  (port) => port.getSummary({ now: noon, subscribers: [{ orgId: "o", name: "crm" }] })
)

const findWaiting = Effect.flatMap(SubscriptionStore, (store) => store.waiting([{ orgId: "o", name: "crm" }]))

const tasks = { queue: "money" as const, exceptOrgs: ["o1"], now: noon, limit: 10, leaseMs: 1000 }
const failures = { failures: 1, after: { orgId: "o1", id: "e1" }, limit: 10 }
const anyEndpoint = { leaseMs: -1, exceptOrgs: [], exceptStoppedOf: [] }

/**
 * All reads except `orgs.all`, which scans the table. Each entry contains the index that the read must use, with the
 * index condition.
 */
const reads: ReadonlyArray<readonly [name: string, index: string, read: Effect.Effect<unknown, never, Storage>]> = [
  ["orgs.find", "PRIMARY KEY (id=?)", Effect.flatMap(OrgStore, ({ find }) => find("o"))],
  ["orgs.findBySlug", "orgs_by_slug (slug=?)", Effect.flatMap(OrgStore, ({ findBySlug }) => findBySlug("s"))],
  ["apiKeys.find", "api_keys_by_id (id=?)", Effect.flatMap(ApiKeyStore, ({ find }) => find("k"))],
  ["apiKeys.list", "PRIMARY KEY (org_id=?)", Effect.flatMap(ApiKeyStore, ({ list }) => list("o"))],
  ["staff.list", "PRIMARY KEY (org_id=?)", Effect.flatMap(StaffStore, ({ list }) => list("o"))],
  ["staff.withEmail", "staff_signing_in (email=?)", Effect.flatMap(StaffStore, ({ withEmail }) => withEmail("e"))],
  ["logins.lockLink", "sign_in_links_by_digest (digest=?)", logins(({ lockLink }) => lockLink("d"))],
  ["logins.links", "sign_in_links_of_person (org_id=? AND staff_id=?)", logins(({ links }) => links(person))],
  ["logins.lock", "PRIMARY KEY (org_id=? AND id=?)", logins(({ lock }) => lock(key))],
  ["logins.find", "logins_by_digest (digest=?)", logins(({ find }) => find("d"))],
  ["logins.list", "PRIMARY KEY (org_id=?)", logins(({ list }) => list("o"))],
  ["passkeys.find", "passkeys_by_id (id=?)", passkeys(({ find }) => find("p"))],
  ["passkeys.lock", "passkeys_by_id (id=?)", passkeys(({ lock }) => lock(key))],
  ["passkeys.list", "PRIMARY KEY (org_id=?)", passkeys(({ list }) => list("o"))],
  ["passkeys.lockChallenge", "PRIMARY KEY (digest=?)", passkeys(({ lockChallenge }) => lockChallenge("d"))],
  ["applications.find", "PRIMARY KEY (client_id=?)", Effect.flatMap(OAuthClientStore, ({ find }) => find("a"))],
  ["grants.lock", "PRIMARY KEY (org_id=? AND id=?)", grants(({ lock }) => lock(key))],
  ["grants.list", "PRIMARY KEY (org_id=?)", grants(({ list }) => list("o"))],
  ["grants.isApproved", "grants_of_client (client_id=?)", grants(({ isApproved }) => isApproved("a"))],
  ["grants.lockCode", "grant_codes_by_digest (digest=?)", grants(({ lockCode }) => lockCode("d"))],
  ["grants.lockToken", "grant_tokens_by_digest (digest=?)", grants(({ lockToken }) => lockToken("d"))],
  ["grants.found", "grant_tokens_by_digest (digest=?)", grants(({ findToken }) => findToken("d"))],
  [
    "audit.page",
    "audit_by_time (org_id=? AND (at,id)<(?,?))",
    Effect.flatMap(AuditStore, ({ page }) => page({ orgId: "o", before: { at: noon, id: "e" }, limit: 10 }))
  ],
  [
    "audit.hasSince",
    "audit_by_time (org_id=? AND at>?)",
    Effect.flatMap(
      AuditStore,
      ({ hasSince }) => hasSince({ orgId: "o", what: "key.new_network", subject: "k", name: "n", since: noon })
    )
  ],

  ["offerings.find", "offerings_1 (org_id=? AND id=?)", offerings(({ find }) => find([key]))],
  ["offerings.lock for one offering", "offerings_1 (org_id=? AND id=?)", offerings(({ lock }) => lock([key]))],
  ["offerings.lock", "offerings_1 (org_id=? AND id=?)", offerings(({ lock }) => lock(twoKeys))],
  [
    "offerings.list",
    "offerings_listed (org_id=? AND (created_at,id)>(?,?))",
    offerings(({ list }) => list({ ...page, kind: "class" }))
  ],

  ["customers.find", "customers_1 (org_id=? AND id=?)", customers(({ find }) => find([key]))],
  ["customers.lock for one customer", "customers_1 (org_id=? AND id=?)", customers(({ lock }) => lock([key]))],
  ["customers.lock", "customers_1 (org_id=? AND id=?)", customers(({ lock }) => lock(twoKeys))],
  [
    "customers.lockByEmail for one address",
    "customers_by_email (org_id=? AND email=?)",
    customers(({ lockByEmail }) => lockByEmail([{ orgId: "o", email: "e" }]))
  ],
  [
    "customers.lockByEmail",
    "customers_by_email (org_id=? AND email=?)",
    customers(({ lockByEmail }) => lockByEmail([{ orgId: "o", email: "e" }, { orgId: "o", email: "f" }]))
  ],
  [
    "customers.list",
    "customers_listed (org_id=? AND (created_at,id)<(?,?))",
    customers(({ list }) => list({ ...page, q: undefined }))
  ],
  [
    "customers.list with a search term",
    "SEARCH w USING PRIMARY KEY (org_id=? AND word>? AND word<?)",
    customers(({ list }) => list({ ...page, q: "ann 719" }))
  ],
  [
    "customers.list, the rows of the customers found",
    "c USING INDEX sqlite_autoindex_customers_1 (org_id=? AND id=?)",
    customers(({ list }) => list({ ...page, q: "ann 719" }))
  ],
  [
    "customers.list, searched by a booking reference",
    "b USING INDEX bookings_by_reference (org_id=? AND reference=?)",
    customers(({ list }) => list({ ...page, q: "K7XQ-2M10" }))
  ],

  ["sessions.lock for one session", "PRIMARY KEY (org_id=? AND id=?)", sessions(({ lock }) => lock([key]))],
  ["sessions.lock", "PRIMARY KEY (org_id=? AND id=?)", sessions(({ lock }) => lock(twoKeys))],
  [
    "sessions.lockComing",
    "sessions_of_offering (org_id=? AND offering_id=? AND starts_at>?)",
    sessions(({ lockUpcoming }) => lockUpcoming(key, noon))
  ],
  [
    "sessions.booked",
    "COVERING INDEX bookings_in_session (org_id=? AND session_id=?)",
    sessions(({ countBookedSeats }) => countBookedSeats([{ ...key, now: noon }]))
  ],
  [
    "sessions.list",
    "sessions_listed (org_id=? AND starts_at>? AND starts_at<?)",
    sessions(({ list }) => list({ ...page, ...whole, offeringId: undefined, now: noon }))
  ],
  [
    "sessions.list for an offering",
    "sessions_of_offering (org_id=? AND offering_id=? AND starts_at>? AND starts_at<?)",
    sessions(({ list }) => list({ ...page, ...whole, offeringId: "f", now: noon }))
  ],

  ["bookings.find for one booking", "bookings_1 (org_id=? AND id=?)", bookings(({ find }) => find([key]))],
  ["bookings.find", "bookings_1 (org_id=? AND id=?)", bookings(({ find }) => find(twoKeys))],
  ["bookings.newest", "bookings_1 (org_id=?)", bookings(({ newest }) => newest({ orgId: "o", limit: 100 }))],
  [
    "bookings.newest after the first page",
    "bookings_1 (org_id=? AND id<?)",
    bookings(({ newest }) => newest({ orgId: "o", after: "b", limit: 100 }))
  ],
  ["bookings.lock for one booking", "bookings_1 (org_id=? AND id=?)", bookings(({ lock }) => lock([key]))],
  ["bookings.lock", "bookings_1 (org_id=? AND id=?)", bookings(({ lock }) => lock(twoKeys))],
  [
    "bookings.findByIdempotencyKey",
    "bookings_by_idempotency_key (org_id=? AND idempotency_key=?)",
    bookings((store) => store.findByIdempotencyKey([{ orgId: "o", key: "k" }]))
  ],
  ["bookings.findByHandle", "bookings_by_handle (handle=?)", bookings((store) => store.findByHandle("h"))],
  [
    "bookings.findByCheckInToken",
    "bookings_by_check_in_token (check_in_token=?)",
    bookings((store) => store.findByCheckInToken("t"))
  ],
  ...(["start", "booked"] as const).flatMap((basis) =>
    (["confirmed", "cancelled"] as const).map((
      status
    ): readonly [string, string, Effect.Effect<unknown, never, Storage>] => [
      `reports.bookings, ${status} by ${basis}`,
      `${reportIndexes[basis][status]} (org_id=? AND`,
      reports((store) => store.bookings({ ...year, basis, status }))
    ])
  ),
  [
    "reports.bookings of an org with a test account",
    "ledger_entries_of_booking (org_id=? AND booking_id=?)",
    reports((store) => store.bookings({ ...year, testAccounts: ["t"], basis: "start", status: "confirmed" }))
  ],
  [
    "reports.entries",
    "ledger_entries_done (org_id=? AND",
    reports(({ entries }) => entries(year))
  ],
  [
    "reports.receivedBefore",
    "bookings_listed (org_id=? AND",
    reports(({ receivedBefore }) => receivedBefore(year))
  ],
  [
    "reports.guestStarts",
    "bookings_of_customer (org_id=? AND customer_id=?",
    reports(({ guestStarts }) => guestStarts(year))
  ],
  [
    "reports.day",
    "bookings_listed (org_id=? AND starts_at>? AND starts_at<?)",
    reports(({ day }) => day({ ...year, now: noon, expireBy: noon }))
  ],
  [
    "reports.day, holds",
    "bookings_expiring (expires_at>? AND expires_at<?)",
    reports(({ day }) => day({ ...year, now: noon, expireBy: noon }))
  ],
  [
    "bookings.lockInSession",
    "bookings_in_session (org_id=? AND session_id=?)",
    bookings(({ lockInSession }) => lockInSession(key))
  ],
  [
    "bookings.lockUpcoming",
    "bookings_of_offering (org_id=? AND offering_id=? AND starts_at>?)",
    bookings(({ lockUpcoming }) => lockUpcoming(key, noon))
  ],
  [
    "bookings.countUpcoming, confirmed bookings",
    "bookings_of_offering (org_id=? AND offering_id=? AND (starts_at,id)>(?,?))",
    bookings(({ countUpcoming }) =>
      countUpcoming(key, { status: "confirmed", now: noon, after: undefined, limit: 100 })
    )
  ],
  [
    "bookings.countUpcoming, held bookings",
    "bookings_held_of_offering (org_id=? AND offering_id=? AND (starts_at,id)>(?,?))",
    bookings(({ countUpcoming }) => countUpcoming(key, { status: "held", now: noon, after: undefined, limit: 100 }))
  ],
  [
    "bookings.list, bookings to cancel with an offering",
    "bookings_of_offering (org_id=? AND offering_id=? AND starts_at>? AND starts_at<?)",
    bookings(({ list }) => list({ ...page, ...whole, ...all, offeringId: "f", status: "confirmed" }))
  ],
  [
    "bookings.list, bookings to cancel with a session",
    "bookings_in_session (org_id=? AND session_id=? AND starts_at>? AND starts_at<?)",
    bookings(({ list }) => list({ ...page, ...whole, ...all, sessionId: "s", status: "held" }))
  ],
  [
    "bookings.lockOfCustomer",
    "bookings_of_customer (org_id=? AND customer_id=?)",
    bookings(({ lockOfCustomer }) => lockOfCustomer(key, "", 100))
  ],
  [
    "bookings.overlapping",
    "COVERING INDEX bookings_of_offering (org_id=? AND offering_id=? AND starts_at>? AND starts_at<?)",
    bookings(({ overlapping }) => overlapping([query]))
  ],
  [
    "bookings.overlapping for several time spans",
    "COVERING INDEX bookings_of_offering (org_id=? AND offering_id=? AND starts_at>? AND starts_at<?)",
    bookings(({ overlapping }) => overlapping([query, query]))
  ],
  [
    "bookings.holdsExpiredBy",
    "COVERING INDEX bookings_expiring (expires_at<?)",
    bookings(({ holdsExpiredBy }) => holdsExpiredBy(noon, 100))
  ],
  [
    "bookings.countConfirmed",
    "COVERING INDEX bookings_made (org_id=? AND created_at>? AND created_at<?)",
    bookings(({ countConfirmed }) => countConfirmed("o", [{ from: noon, to: noon }]))
  ],
  [
    "bookings.countConfirmed for entire days",
    "booking_counts USING PRIMARY KEY (org_id=? AND day>? AND day<?)",
    bookings(({ countConfirmed }) => countConfirmed("o", [{ from: noon, to: noon }]))
  ],
  [
    "bookings.coming for a session",
    "f USING COVERING INDEX bookings_in_session (org_id=? AND session_id=?)",
    bookings(({ listFirstGuests }) =>
      listFirstGuests([{ orgId: "o", offeringId: "f", sessionId: "s", startsAt: noon }], 4)
    )
  ],
  [
    "bookings.coming for a start time without a session",
    "f USING INDEX bookings_of_offering (org_id=? AND offering_id=? AND starts_at=?)",
    bookings(({ listFirstGuests }) =>
      listFirstGuests([{ orgId: "o", offeringId: "f", sessionId: null, startsAt: noon }], 4)
    )
  ],
  [
    "bookings.coming, the rows of the bookings found",
    "b USING INDEX sqlite_autoindex_bookings_1 (org_id=? AND id=?)",
    bookings(({ listFirstGuests }) =>
      listFirstGuests([{ orgId: "o", offeringId: "f", sessionId: null, startsAt: noon }], 4)
    )
  ],
  [
    "bookings.list, held bookings",
    "bookings_held (org_id=? AND starts_at>? AND starts_at<?)",
    bookings(({ list }) => list({ ...page, ...whole, ...all, status: "held" }))
  ],
  [
    "bookings.list, held bookings of an offering",
    "bookings_held_of_offering (org_id=? AND offering_id=? AND starts_at>? AND starts_at<?)",
    bookings(({ list }) => list({ ...page, ...whole, ...all, status: "held", offeringId: "f" }))
  ],
  [
    "bookings.list, canceled bookings",
    "bookings_cancelled (org_id=? AND starts_at>? AND starts_at<?)",
    bookings(({ list }) => list({ ...page, ...whole, ...all, status: "cancelled" }))
  ],
  [
    "bookings.list, canceled bookings of an offering",
    "bookings_cancelled_of_offering (org_id=? AND offering_id=? AND starts_at>? AND starts_at<?)",
    bookings(({ list }) => list({ ...page, ...whole, ...all, status: "cancelled", offeringId: "f" }))
  ],
  [
    "bookings.list with a search term",
    "SEARCH w USING PRIMARY KEY (org_id=? AND word>? AND word<?)",
    bookings(({ list }) => list({ ...page, ...whole, ...all, q: "ann 719" }))
  ],
  [
    "bookings.list, bookings of the guests found",
    "b USING COVERING INDEX bookings_of_customer (org_id=? AND customer_id=? AND starts_at>? AND starts_at<?)",
    bookings(({ list }) => list({ ...page, ...whole, ...all, q: "ann 719" }))
  ],
  [
    "bookings.list",
    "bookings_listed (org_id=? AND starts_at>? AND starts_at<?)",
    bookings(({ list }) => list({ ...page, ...whole, ...all }))
  ],
  [
    "bookings.list, newest first",
    "bookings_listed (org_id=? AND starts_at>? AND starts_at<?)",
    bookings(({ list }) => list({ ...page, ...whole, ...all, order: "desc" }))
  ],
  [
    "bookings.list for an offering",
    "bookings_of_offering (org_id=? AND offering_id=? AND starts_at>? AND starts_at<?)",
    bookings(({ list }) => list({ ...page, ...whole, ...all, offeringId: "f" }))
  ],
  [
    "bookings.list for a session",
    "bookings_in_session (org_id=? AND session_id=? AND starts_at>? AND starts_at<?)",
    bookings(({ list }) => list({ ...page, ...whole, ...all, sessionId: "s" }))
  ],
  [
    "bookings.list for a customer",
    "bookings_of_customer (org_id=? AND customer_id=? AND starts_at>? AND starts_at<?)",
    bookings(({ list }) => list({ ...page, ...whole, ...all, customerId: "c" }))
  ],

  ["events.page", "events_1 (org_id=? AND id>?)", log((store) => store.page({ ...feed, type: undefined }))],
  [
    "events.page for an event type",
    "events_of_type (org_id=? AND type=? AND id>?)",
    log((store) => store.page({ ...feed, type: "org.updated" }))
  ],
  ["events.heads", "PRIMARY KEY (org_id=?)", log(({ heads }) => heads(["o", "p"]))],
  ["events.latest", "events_1 (org_id=?)", log(({ latest }) => latest("o", 10))],
  [
    "events.about",
    "events_about_customer (org_id=? AND customer_id=? AND id>?)",
    log(({ about }) => about("o", "c", 0, 100))
  ],

  ["automations.list", "PRIMARY KEY (org_id=?)", turns(({ list }) => list("o"))],
  [
    "automations.claim",
    "automations_due (next_at<?)",
    turns(({ claim }) => claim({ now: noon, limit: 10, leaseMs: 1000 }))
  ],
  [
    "proposals.list",
    "proposals_listed (org_id=? AND (created_at,id)<(?,?))",
    proposals(({ list }) =>
      list({ orgId: "o", status: undefined, automation: undefined, after: { at: 1, id: "p" }, limit: 10 })
    )
  ],
  [
    "proposals.list with a status",
    "proposals_in_state (org_id=? AND status=? AND (created_at,id)<(?,?))",
    proposals(({ list }) => list({ orgId: "o", status: "pending", automation: undefined, after: undefined, limit: 10 }))
  ],
  [
    "proposals.list with a status, for an automation",
    "proposals_in_state (org_id=? AND status=? AND (created_at,id)<(?,?))",
    proposals(({ list }) => list({ orgId: "o", status: "done", automation: "fill", after: undefined, limit: 10 }))
  ],
  ["proposals.find", "(org_id=? AND id=?)", proposals(({ find }) => find([{ orgId: "o", id: "p" }]))],
  ["proposals.countOwn", "proposals_own (org_id=? AND decided_at>?)", proposals(({ countOwn }) => countOwn("o", noon))],
  ["proposals.overdue", "proposals_waiting (expires_at<?)", proposals(({ overdue }) => overdue(noon, 10))],
  [
    "proposals.claim",
    "proposals_due (run_at<?)",
    proposals(({ claim }) => claim({ now: noon, limit: 10, leaseMs: 1000 }))
  ],
  ["tasks.claim", "tasks_due (queue=? AND due_at<?)", taskStore(({ claim }) => claim(tasks))],
  [
    "tasks.failing for one org",
    "tasks_failed (org_id=? AND",
    taskStore(({ failing: list }) => list({ ...failures, orgId: "o2" }))
  ],
  [
    "tasks.failing for all orgs",
    "tasks_failed (",
    taskStore(({ failing: list }) => list({ ...failures, orgId: undefined }))
  ],

  ["webhooks.find", "webhooks_by_id (id=?)", webhooks(({ find }) => find(key))],
  ["webhooks.standing", "webhooks_by_id (id=?)", webhooks(({ progress: standing }) => standing(key))],
  ["webhooks.list", "webhooks_1 (org_id=?)", webhooks(({ list }) => list("o"))],
  ["webhooks.page", "webhooks_by_id (id>?)", webhooks(({ page }) => page("w", 100))],
  [
    "deliveries.claim, endpoints with new events",
    "webhooks_1 (org_id=?)",
    deliveries(({ claim }) => claim(anyEndpoint))
  ],
  [
    "deliveries.claim, endpoints to retry",
    "webhooks_retried (retry_at<?)",
    deliveries(({ claim }) => claim(anyEndpoint))
  ],
  ["deliveries.pending", "events_1 (org_id=? AND id>?)", deliveries(({ pending }) => pending(newWebhook("o"), 0, 50))],
  [
    "deliveries.pending for some event types",
    "events_of_type (org_id=? AND type=? AND id>?)",
    deliveries(({ pending }) => pending({ ...newWebhook("o"), events: ["booking.held", "org.updated"] }, 0, 50))
  ],

  ["subscriptions.waiting", "s USING PRIMARY KEY (org_id=? AND name=?)", findWaiting],
  ["subscriptions.waiting, the event counters", "counter USING PRIMARY KEY (org_id=?)", findWaiting],

  ["due work, of tasks", "t USING INDEX tasks_due (queue=? AND due_at<?)", dueWork],
  ["due work, of turns", "a USING INDEX automations_due (next_at<?)", dueWork],
  ["due work, of proposals", "p USING INDEX proposals_due (run_at<?)", dueWork],
  ["due work, of retries", "webhooks_retried (retry_at<?)", dueWork],
  ["due work, of subscribers", "s USING PRIMARY KEY (org_id=? AND name=?)", dueWork],

  [
    "requestKeys.find",
    "PRIMARY KEY (org_id=? AND operation=? AND key=?)",
    Effect.flatMap(RequestKeys, ({ find }) => find({ orgId: "o", operation: "sessions.create", key: "k" }))
  ],
  ["unfinished.find", "PRIMARY KEY (org_id=? AND subject=? AND id=?)", unfinished(({ find }) => find(jobKey))],
  ["unfinished.lock", "PRIMARY KEY (org_id=? AND subject=? AND id=?)", unfinished(({ lock }) => lock(jobKey))],
  [
    "unfinished.untouchedSince",
    "unfinished_untouched (touched_at<?)",
    unfinished(({ untouchedSince }) => untouchedSince(noon, 10))
  ],

  ["conversations.find", "conversations_1 (org_id=? AND id=?)", conversations(({ find }) => find([key]))],
  ["conversations.lock", "conversations_1 (org_id=? AND id=?)", conversations(({ lock }) => lock([key]))],
  ["conversations.findByToken", "conversations_by_token (token=?)", conversations((store) => store.findByToken("t"))],
  [
    "conversations.findByCustomer",
    "conversations_of_customer (org_id=? AND customer_id=?)",
    conversations(({ findByCustomer }) => findByCustomer([key]))
  ],
  [
    "conversations.findByEmail",
    "conversations_by_email (org_id=? AND from_email=?)",
    conversations(({ findByEmail }) => findByEmail([{ orgId: "o", email: "e" }]))
  ],
  [
    "conversations.list",
    "conversations_listed (org_id=? AND last_by=? AND (last_at,id)<(?,?))",
    conversations(({ list }) => list(inbox))
  ],
  [
    "conversations.list, snoozed conversations",
    "conversations_snoozed (org_id=? AND last_by=? AND (last_at,id)<(?,?))",
    conversations(({ list }) => list(inbox))
  ],
  [
    "conversations.list with a search term",
    "messages_in_conversation (org_id=? AND conversation_id=?)",
    conversations(({ list }) => list({ ...inbox, q: "wet" }))
  ],
  [
    "conversations.all",
    "conversations_made (org_id=? AND (created_at,id)>(?,?))",
    conversations(({ all }) => all("o", undefined, 10))
  ],
  ["messages.find", "messages_1 (org_id=? AND id=?)", messages(({ find }) => find([key]))],
  [
    "messages.findByMailKey",
    "messages_by_mail_key (org_id=? AND mail_key=?)",
    messages(({ findByMailKey }) => findByMailKey("o", "k"))
  ],
  [
    "messages.findByBounceToken",
    "messages_by_bounce_token (bounce_token=?)",
    messages(({ findByBounceToken }) => findByBounceToken("t"))
  ],
  [
    "messages.findOfBroadcast",
    "messages_of_broadcast (org_id=? AND broadcast_id=? AND customer_id=?)",
    messages(({ findOfBroadcast }) => findOfBroadcast("o", "b", ["c"]))
  ],
  [
    "messages.unreached for a time span",
    "messages_failed (org_id=? AND booking_id=?)",
    messages(({ listUnreachedGuests }) => listUnreachedGuests({ orgId: "o", from: noon, to: noon, limit: 10 }))
  ],
  [
    "messages.unreached for bookings and sessions",
    "messages_failed (org_id=? AND booking_id=?)",
    messages(({ listUnreachedGuests }) =>
      listUnreachedGuests({ orgId: "o", bookingIds: ["b"], sessionIds: ["s"], limit: 10 })
    )
  ],
  [
    "messages.list",
    "messages_listed (org_id=? AND (created_at,id)>(?,?))",
    messages(({ list }) => list({ ...page, ...noFilter }))
  ],
  [
    "messages.list for a conversation",
    "messages_in_conversation (org_id=? AND conversation_id=? AND (created_at,id)>(?,?))",
    messages(({ list }) => list({ ...page, ...noFilter, conversationId: "v" }))
  ],
  [
    "messages.list about a booking",
    "messages_about_booking (org_id=? AND booking_id=? AND (created_at,id)>(?,?))",
    messages(({ list }) => list({ ...page, ...noFilter, bookingId: "b" }))
  ],
  [
    "messages.list for a customer",
    "messages_of_customer (org_id=? AND customer_id=? AND (created_at,id)>(?,?))",
    messages(({ list }) => list({ ...page, ...noFilter, customerId: "c" }))
  ],
  [
    "messages.latest",
    "messages_in_conversation (org_id=? AND conversation_id=?)",
    messages(({ latest }) => latest(key, 10))
  ],
  [
    "savedReplies.list",
    "saved_replies_1 (org_id=?)",
    Effect.flatMap(SavedReplyStore, ({ list }) => list("o"))
  ],
  ["broadcasts.find", "broadcasts_1 (org_id=? AND id=?)", broadcasts(({ find }) => find(key))],
  [
    "broadcasts.lockByKey",
    "broadcasts_by_key (org_id=? AND key=?)",
    broadcasts(({ lockByKey }) => lockByKey("o", "k"))
  ],
  [
    "broadcasts.booked for a session",
    "bookings_in_session (org_id=? AND session_id=? AND (starts_at,id)>(?,?))",
    broadcasts(({ listConfirmedBookings }) =>
      listConfirmedBookings({ orgId: "o", target: { sessionId: "s" }, ...first })
    )
  ],
  [
    "broadcasts.booked for a date",
    "bookings_listed (org_id=? AND (starts_at,id)>(?,?) AND starts_at<?)",
    broadcasts(({ listConfirmedBookings }) =>
      listConfirmedBookings({ orgId: "o", target: { from: noon, to: noon }, ...first })
    )
  ],
  [
    "broadcasts.booked for an offering",
    "bookings_of_offering (org_id=? AND offering_id=? AND (starts_at,id)>(?,?))",
    broadcasts(({ listConfirmedBookings }) =>
      listConfirmedBookings({ orgId: "o", target: { offeringId: "f", from: noon }, ...first })
    )
  ],
  ...[{ sessionId: "s" }, { from: noon, to: noon }, { offeringId: "f", from: noon }].map((target) =>
    [
      `broadcasts.guests of ${Object.keys(target).join(" and ")}`,
      "bookings_of_customer (org_id=? AND customer_id=?",
      broadcasts(({ guests }) => guests({ orgId: "o", target, among: ["a", "b"] }))
    ] as const
  ),
  [
    "bookings.nextOf",
    "bookings_of_customer (org_id=? AND customer_id=?)",
    bookings(({ nextOf }) => nextOf([key], noon))
  ],
  [
    "events.latestAbout",
    "events_about_customer (org_id=? AND customer_id=?)",
    log(({ latestAbout }) => latestAbout("o", "c", ["booking.held"], 10))
  ],

  ["files.find", "files_1 (org_id=? AND id=?)", files(({ find }) => find(key))],
  ["files.lock", "files_1 (org_id=? AND id=?)", files(({ lock }) => lock("o", ["f"]))],
  [
    "files.ofMessages",
    "files_of_message (org_id=? AND message_id=?)",
    files(({ ofMessages }) => ofMessages("o", ["m"]))
  ]
]

/** Allowed scans: the caller's parameters, intermediate results, and the markers for orgs with undelivered events. */
const goneThrough =
  /^SCAN (jsonb_each|asked|taken|begun|in_common|parts|f|g|r|p|hits|page|found|newest|bounds|head|CONSTANT ROW|served|settled|balanced|counted|smaller|suspected|waiting|of_type_\d|part_\d|counter USING INDEX event_counters_undelivered)\b/

describe("a query uses its index:", () => {
  it.effect.each(reads)("%s", ([, index, query]) =>
    Effect.gen(function*() {
      const steps = yield* plan(query)
      assert.include(steps.filter((step) => step.startsWith("SEARCH")).join("\n"), index)
      const through = steps.filter((step) => step.startsWith("SCAN"))
      assert.deepStrictEqual(
        through.filter((step) => !goneThrough.test(step)),
        []
      )
    }))
})

it.effect("the query for a page of events uses an index without sorting", () =>
  Effect.gen(function*() {
    const steps = yield* plan(log((store) => store.page({ ...feed, type: undefined })))
    const head = steps.slice(steps.indexOf("MATERIALIZE head"), steps.indexOf("SCAN head"))
    assert.include(head.join("\n"), "SEARCH e USING INDEX sqlite_autoindex_events_1 (org_id=? AND id>? AND id<?)")
    assert.notInclude(head.join("\n"), "TEMP B-TREE")
  }))

it.effect("updating a guest reads only that guest's search words", () =>
  Effect.gen(function*() {
    const ann = Customer.make({ id: "i", orgId: "o", email: "ann@example.com", createdAt: noon })
    const steps = yield* plan(customers(({ put }) => put([ann])))
    assert.include(steps, "SEARCH customer_words USING PRIMARY KEY (org_id=? AND word=? AND customer_id=?)")
  }))

it.effect("control: the test detects a query that uses no index", () =>
  Effect.gen(function*() {
    const unindexed = Effect.flatMap(Database, ({ query }) => query("select * from bookings where notes = 'x'"))
    const steps = yield* plan(unindexed)
    assert.deepStrictEqual(steps, ["SCAN bookings"])
  }))
