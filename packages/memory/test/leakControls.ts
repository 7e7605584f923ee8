/**
 * Storage adapters that ignore the org, so their queries return the rows of all orgs. Every law about an org's rows
 * must fail.
 */
import { ApiKeyStore } from "@trailbook/core/actor"
import { AssistantCallStore } from "@trailbook/core/assistant"
import { BookingStore } from "@trailbook/core/booking"
import { CustomerStore } from "@trailbook/core/customer"
import { GrantStore } from "@trailbook/core/oauth"
import { OfferingStore } from "@trailbook/core/offering"
import { OrgStore } from "@trailbook/core/org"
import { EventLog } from "@trailbook/core/port"
import { ReportStore } from "@trailbook/core/report"
import { SessionStore } from "@trailbook/core/session"
import { AuditStore, PasskeyStore, StaffSessionStore, StaffStore } from "@trailbook/core/staff"
import type { Storage } from "@trailbook/core/storage"
import { DeliveryQueue, WebhookStore } from "@trailbook/core/webhook"
import * as Memory from "@trailbook/memory"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"

type Ask = <A>(about: (orgId: string) => Effect.Effect<A>) => Effect.Effect<ReadonlyArray<A>>

const leaking = <Id extends Storage, Port extends object>(
  tag: Context.Tag<Id, Port>,
  instead: (port: Port, ofEveryOrg: Ask) => Partial<Port>
): Layer.Layer<Storage> =>
  Layer.provideMerge(
    Layer.effect(
      tag,
      Effect.gen(function*() {
        const port = yield* tag
        const orgs = yield* OrgStore
        const ofEveryOrg: Ask = (about) => Effect.flatMap(orgs.all, (all) => Effect.forEach(all, ({ id }) => about(id)))
        return { ...port, ...instead(port, ofEveryOrg) }
      })
    ),
    Memory.layer as Layer.Layer<Storage | Id>
  )

const flat = <A>(answers: Effect.Effect<ReadonlyArray<ReadonlyArray<A>>>) =>
  Effect.map(answers, (answers) => answers.flat())
const sum = (numbers: ReadonlyArray<number>) => numbers.reduce((total, number) => total + number, 0)

export const leakControls: ReadonlyArray<readonly [law: string, how: string, storage: Layer.Layer<Storage>]> = [
  [
    "api-keys/rows",
    "lists the API keys",
    leaking(ApiKeyStore, (store, ask) => ({ list: () => flat(ask(store.list)) }))
  ],
  ["staff/rows", "lists the staff", leaking(StaffStore, (store, ask) => ({ list: () => flat(ask(store.list)) }))],
  [
    "logins/rows",
    "lists the logins",
    leaking(StaffSessionStore, (store, ask) => ({ list: () => flat(ask(store.list)) }))
  ],
  [
    "passkeys/rows",
    "lists the passkeys",
    leaking(PasskeyStore, (store, ask) => ({ list: () => flat(ask(store.list)) }))
  ],
  ["grants/rows", "lists the grants", leaking(GrantStore, (store, ask) => ({ list: () => flat(ask(store.list)) }))],
  [
    "calls/rows",
    "returns calls of assistants",
    leaking(AssistantCallStore, (store, ask) => ({
      list: (query) => flat(ask((orgId) => store.list({ ...query, orgId })))
    }))
  ],
  [
    "audit/rows",
    "returns audit entries",
    leaking(AuditStore, (store, ask) => ({ page: (query) => flat(ask((orgId) => store.page({ ...query, orgId }))) }))
  ],
  [
    "offerings/rows",
    "finds offerings",
    leaking(OfferingStore, (store, ask) => ({
      find: (keys) => flat(ask((orgId) => store.find(keys.map(({ id }) => ({ orgId, id })))))
    }))
  ],
  [
    "offerings/rows",
    "lists offerings",
    leaking(OfferingStore, (store, ask) => ({
      list: (query) => flat(ask((orgId) => store.list({ ...query, orgId })))
    }))
  ],
  [
    "sessions/rows",
    "locks sessions",
    leaking(SessionStore, (store, ask) => ({
      lock: (keys) => flat(ask((orgId) => store.lock(keys.map(({ id }) => ({ orgId, id })))))
    }))
  ],
  [
    "sessions/lock-coming",
    "locks upcoming sessions",
    leaking(SessionStore, (store, ask) => ({
      lockUpcoming: ({ id }, now) => flat(ask((orgId) => store.lockUpcoming({ orgId, id }, now)))
    }))
  ],
  [
    "sessions/booked",
    "counts seats",
    leaking(SessionStore, (store, ask) => ({
      countBookedSeats: (queries) =>
        Effect.map(
          ask((orgId) => store.countBookedSeats(queries.map((query) => ({ ...query, orgId })))),
          (answers) =>
            queries.map((_, at) => ({
              booked: sum(answers.map((seats) => seats[at]?.booked ?? 0)),
              lapsedAt: answers[0]?.[at]?.lapsedAt ?? null
            }))
        )
    }))
  ],
  [
    "customers/rows",
    "finds customers",
    leaking(CustomerStore, (store, ask) => ({
      find: (keys) => flat(ask((orgId) => store.find(keys.map(({ id }) => ({ orgId, id })))))
    }))
  ],
  [
    "customers/rows",
    "lists customers",
    leaking(CustomerStore, (store, ask) => ({
      list: (query) => flat(ask((orgId) => store.list({ ...query, orgId })))
    }))
  ],
  [
    "customers/rows",
    "locks customers by the email addresses",
    leaking(CustomerStore, (store, ask) => ({
      lockByEmail: (keys) => flat(ask((orgId) => store.lockByEmail(keys.map(({ email }) => ({ orgId, email })))))
    }))
  ],
  [
    "bookings/idempotency",
    "finds bookings by the idempotency keys",
    leaking(BookingStore, (store, ask) => ({
      findByIdempotencyKey: (keys) =>
        flat(ask((orgId) => store.findByIdempotencyKey(keys.map(({ key }) => ({ orgId, key })))))
    }))
  ],
  [
    "bookings/newest",
    "lists the newest bookings",
    leaking(BookingStore, (store, ask) => ({
      newest: (query) => flat(ask((orgId) => store.newest({ ...query, orgId })))
    }))
  ],
  [
    "bookings/list",
    "lists bookings",
    leaking(BookingStore, (store, ask) => ({
      list: (query) => flat(ask((orgId) => store.list({ ...query, orgId })))
    }))
  ],
  [
    "bookings/lock-in-session",
    "locks bookings in sessions",
    leaking(BookingStore, (store, ask) => ({
      lockInSession: ({ id }) => flat(ask((orgId) => store.lockInSession({ orgId, id })))
    }))
  ],
  [
    "bookings/lock-upcoming",
    "locks bookings for offerings",
    leaking(BookingStore, (store, ask) => ({
      lockUpcoming: ({ id }, now) => flat(ask((orgId) => store.lockUpcoming({ orgId, id }, now)))
    }))
  ],
  [
    "bookings/lock-of-customer",
    "locks bookings of customers",
    leaking(BookingStore, (store, ask) => ({
      lockOfCustomer: ({ id }, after, limit) => flat(ask((orgId) => store.lockOfCustomer({ orgId, id }, after, limit)))
    }))
  ],
  [
    "bookings/departing",
    "returns departures",
    leaking(BookingStore, (store, ask) => ({
      listDepartures: (query) => flat(ask((orgId) => store.listDepartures({ ...query, orgId })))
    }))
  ],
  [
    "bookings/held-seats",
    "counts held seats",
    leaking(BookingStore, (store, ask) => ({
      heldSeats: (query) => flat(ask((orgId) => store.heldSeats({ ...query, orgId })))
    }))
  ],
  [
    "bookings/unproven",
    "counts unproven bookings",
    leaking(BookingStore, (store, ask) => ({
      findUnproven: (queries) => flat(ask((orgId) => store.findUnproven(queries.map((query) => ({ ...query, orgId })))))
    }))
  ],
  [
    "bookings/count-confirmed",
    "counts confirmed bookings",
    leaking(BookingStore, (store, ask) => ({
      countConfirmed: (_, spans) =>
        Effect.map(
          ask((orgId) => store.countConfirmed(orgId, spans)),
          (counts) => spans.map((_, at) => sum(counts.map((count) => count[at] ?? 0)))
        )
    }))
  ],
  [
    "bookings/coming",
    "returns guests",
    leaking(BookingStore, (store, ask) => ({
      listFirstGuests: (queries, limit) =>
        Effect.map(
          ask((orgId) => store.listFirstGuests(queries.map((query) => ({ ...query, orgId })), limit)),
          (answers) => queries.map((_, at) => answers.flatMap((answer) => answer[at] ?? []))
        )
    }))
  ],
  [
    "reports/day",
    "sums amounts",
    leaking(ReportStore, (store, ask) => ({
      day: (query) =>
        Effect.map(ask((orgId) => store.day({ ...query, orgId })), (days) => ({
          balances: days.flatMap(({ balances }) => balances),
          open: days.flatMap(({ open }) => open)
        }))
    }))
  ],
  [
    "overlapping/counted",
    "counts overlapping bookings",
    leaking(BookingStore, (store, ask) => ({
      overlapping: (queries) =>
        Effect.map(
          ask((orgId) => store.overlapping(queries.map((query) => ({ ...query, orgId })))),
          (answers) =>
            queries.map((_, at) => ({
              bookedSpans: answers.flatMap((answer) => answer[at]?.bookedSpans ?? []),
              lapsedAt: answers[0]?.[at]?.lapsedAt ?? null
            }))
        )
    }))
  ],
  [
    "webhooks/rows",
    "lists the webhooks",
    leaking(WebhookStore, (store, ask) => ({ list: () => flat(ask(store.list)) }))
  ],
  [
    "webhooks/rows",
    "finds webhooks",
    leaking(WebhookStore, (store, ask) => ({
      find: ({ id }) => Effect.map(ask((orgId) => store.find({ orgId, id })), Option.firstSomeOf)
    }))
  ],
  [
    "webhooks/remove",
    "removes webhooks",
    leaking(WebhookStore, (store, ask) => ({
      remove: ({ id }) => Effect.map(ask((orgId) => store.remove({ orgId, id })), (was) => was.includes(true))
    }))
  ],
  [
    "webhooks/reseal",
    "replaces webhook secrets",
    leaking(WebhookStore, (store, ask) => ({
      reseal: (webhook, sealedSecret) =>
        Effect.asVoid(ask((orgId) => store.reseal({ ...webhook, orgId }, sealedSecret)))
    }))
  ],
  [
    "deliveries/standing",
    "returns the delivery positions",
    leaking(WebhookStore, (store, ask) => ({
      progress: ({ id }) => Effect.map(ask((orgId) => store.progress({ orgId, id })), Option.firstSomeOf)
    }))
  ],
  [
    "deliveries/rewound",
    "rewinds webhooks",
    leaking(WebhookStore, (store, ask) => ({
      rewind: ({ id }, after) =>
        Effect.map(ask((orgId) => store.rewind({ orgId, id }, after)), (was) => was.includes(true))
    }))
  ],
  [
    "deliveries/pending",
    "returns pending events",
    leaking(DeliveryQueue, (queue, ask) => ({
      pending: (webhook, after, limit) =>
        Effect.map(ask((orgId) => queue.pending({ ...webhook, orgId }, after, limit)), (pages) => ({
          events: pages.flatMap(({ events }) => events),
          head: Math.max(...pages.map(({ head }) => head))
        }))
    }))
  ],
  [
    "events/latest",
    "returns the latest events",
    leaking(EventLog, (log, ask) => ({ latest: (_, limit) => flat(ask((orgId) => log.latest(orgId, limit))) }))
  ],
  [
    "events/about-customer",
    "returns events about customers",
    leaking(EventLog, (log, ask) => ({
      about: (_, customer, after, limit) => flat(ask((orgId) => log.about(orgId, customer, after, limit)))
    }))
  ],
  [
    "events/rewrite",
    "rewrites events",
    leaking(EventLog, (log, ask) => ({
      rewrite: (_, events) => Effect.asVoid(ask((orgId) => log.rewrite(orgId, events)))
    }))
  ],
  [
    "events/heads",
    "touches the event logs",
    leaking(EventLog, (log, ask) => ({ touch: () => Effect.asVoid(ask(log.touch)) }))
  ]
]
