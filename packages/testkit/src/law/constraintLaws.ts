/**
 * What a storage refuses to hold, whoever asks: a second row under a unique key,
 * and a row that refers to none of its org. Core prevents all of it; these are
 * what catches two processes that do the same at once, and core when it errs.
 */
import { ApiKeyStore } from "@trailbook/core/actor/ApiKeyStore"
import { GrantStore } from "@trailbook/core/application/GrantStore"
import { BookingStore } from "@trailbook/core/booking/BookingStore"
import { CustomerStore } from "@trailbook/core/customer/CustomerStore"
import { OfferingStore } from "@trailbook/core/offering/OfferingStore"
import { OrgStore } from "@trailbook/core/org/OrgStore"
import { EventLog } from "@trailbook/core/port/EventLog"
import { RequestKeys } from "@trailbook/core/port/RequestKeys"
import { UnfinishedStore } from "@trailbook/core/port/UnfinishedStore"
import { UnitOfWork } from "@trailbook/core/port/UnitOfWork"
import { SessionStore } from "@trailbook/core/session/SessionStore"
import { AuditStore } from "@trailbook/core/staff/AuditStore"
import { LoginStore } from "@trailbook/core/staff/LoginStore"
import { PasskeyStore } from "@trailbook/core/staff/PasskeyStore"
import { StaffStore } from "@trailbook/core/staff/StaffStore"
import type { Storage } from "@trailbook/core/storage/Storage"
import * as Task from "@trailbook/core/task/Task"
import { TaskStore } from "@trailbook/core/task/TaskStore"
import { WebhookStore } from "@trailbook/core/webhook/WebhookStore"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"
import { assert } from "vitest"
import { inState } from "../generator/inState.ts"
import { origin } from "../generator/moment.ts"
import { type Town, town } from "../generator/town.ts"
import { forAll } from "./forAll.ts"
import { effectOf, type Law, law, type Steps } from "./Law.ts"
import { freshId, openOrg, settle, type Settled } from "./settle.ts"
import {
  newCode,
  newEntry,
  newGrant,
  newKey,
  newLink,
  newLogin,
  newMember,
  newPasskey,
  newRequest,
  newToken,
  newUnfinished,
  newWebhook
} from "./traces.ts"

/** A unit of work that stores this ends in a defect, and what it stored before is gone too. */
const refused = (write: Effect.Effect<void, never, Storage>): Effect.Effect<void, never, Storage> =>
  Effect.gen(function*() {
    const { run } = yield* UnitOfWork
    const orgs = yield* OrgStore
    const id = freshId()
    const before = Effect.map(openOrg, (org) => ({ ...org, id, slug: id })).pipe(Effect.flatMap(orgs.put))
    const exit = yield* Effect.exit(run(Effect.zipRight(before, write)))
    assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause), "the row was stored")
    assert.isTrue(Option.isNone(yield* orgs.find(id)))
  })

/** Towns in which everything there can be is there at least once. */
const full: FastCheck.Arbitrary<Town> = town(4).filter(({ bookings, sessions }) =>
  bookings.length > 0 && sessions.length > 0
)

const inFullTown = (
  check: (
    settled: Settled & {
      readonly booking: Town["bookings"][number]
      readonly customer: Town["customers"][number]
      readonly session: Town["sessions"][number]
    }
  ) => Steps
): Law["check"] =>
(conditions) =>
  forAll({ ...conditions, runs: 2 }, full, (town) =>
    Effect.gen(function*() {
      const settled = yield* settle(town)
      const [[booking], [customer], [session]] = [settled.bookings, settled.customers, settled.sessions]
      if (booking === undefined || customer === undefined || session === undefined) return
      yield* effectOf(check({ ...settled, booking, customer, session }))
    }))

const another = (booking: Town["bookings"][number]) => ({
  ...booking,
  id: freshId(),
  reference: freshId().slice(-8),
  handle: freshId(),
  idempotency: { key: freshId(), fingerprint: "" }
})

/**
 * @category laws
 */
export const constraintLaws = [
  law("constraints/slug", "two orgs never have one slug", function*() {
    const { slug } = yield* openOrg
    const other = yield* openOrg
    yield* refused(Effect.flatMap(OrgStore, (orgs) => orgs.put({ ...other, slug })))
  }),

  law(
    "constraints/email",
    "two customers of an org never have one address, unless one is erased",
    inFullTown(function*({ customer }) {
      const customers = yield* CustomerStore
      const known = { ...customer, email: "known@a.co", erasedAt: null }
      yield* customers.put([known])
      yield* refused(customers.put([{ ...known, id: freshId() }]))
      yield* customers.put([{ ...known, id: freshId(), erasedAt: origin }])
    })
  ),

  law(
    "constraints/reference",
    "two bookings of an org never have one reference",
    inFullTown(({ booking }) =>
      Effect.flatMap(
        BookingStore,
        (bookings) => refused(bookings.put([{ ...another(booking), reference: booking.reference }]))
      )
    )
  ),

  law(
    "constraints/handle",
    "two bookings of the service never have one handle",
    inFullTown(({ booking, twinId }) =>
      Effect.flatMap(
        BookingStore,
        (bookings) => refused(bookings.put([{ ...another(booking), orgId: twinId, handle: booking.handle }]))
      )
    )
  ),

  law(
    "constraints/idempotency",
    "two bookings of an org are never made with one key",
    inFullTown(({ booking }) =>
      Effect.flatMap(BookingStore, (bookings) =>
        refused(bookings.put([{
          ...inState(another(booking), { status: "cancelled", cancelledAt: origin }),
          idempotency: { ...booking.idempotency, fingerprint: "another" }
        }])))
    )
  ),

  law(
    "constraints/booking-refers",
    "a booking refers to an offering, a guest and a session of its own org",
    inFullTown(function*({ booking, orgId, session }) {
      const bookings = yield* BookingStore
      const elsewhere = yield* settle({ offerings: [], sessions: [], customers: [], bookings: [] })
      yield* refused(bookings.put([{ ...another(booking), orgId: elsewhere.orgId }]))
      yield* refused(bookings.put([{ ...another(booking), offeringId: freshId() }]))
      yield* refused(bookings.put([{ ...another(booking), customerId: freshId() }]))
      yield* refused(bookings.put([{ ...another(booking), sessionId: freshId() }]))
      // So the one that refers to what is there is stored.
      const { offeringId, id: sessionId } = session
      yield* bookings.put([{ ...another(booking), orgId, offeringId, sessionId }])
    })
  ),

  law(
    "constraints/others-refer",
    "sessions, offerings and guests refer to what their own org has, and tasks to their org",
    inFullTown(function*({ booking, customer, offerings, session }) {
      const { id: orgId } = yield* openOrg
      const nowhere = freshId()
      const taskStore = yield* TaskStore
      const task = Task.make({ id: freshId(), orgId: nowhere, kind: "refund", subjectId: booking.id, dueAt: origin })
      yield* refused(Effect.flatMap(SessionStore, (sessions) => sessions.put([{ ...session, orgId }])))
      yield* refused(
        Effect.flatMap(OfferingStore, (store) => store.put(offerings.map((row) => ({ ...row, orgId: nowhere }))))
      )
      yield* refused(Effect.flatMap(CustomerStore, (store) => store.put([{ ...customer, orgId: nowhere }])))
      yield* refused(taskStore.add([task]))
    })
  ),

  law("constraints/staff", "two people of an org never have one address", function*() {
    const { put } = yield* StaffStore
    const member = newMember((yield* openOrg).id)
    yield* put(member)
    yield* refused(put({ ...member, id: freshId() }))
    yield* put({ ...member, orgId: (yield* openOrg).id })
  }),

  law("constraints/login", "no two logins of the service are opened by one secret", function*() {
    const { put } = yield* LoginStore
    const login = newLogin((yield* openOrg).id)
    yield* put(login)
    yield* refused(put({ ...login, id: freshId() }))
    yield* refused(put({ ...newLogin((yield* openOrg).id), digest: login.digest }))
    yield* put({ ...login, digest: freshId() })
  }),

  law("constraints/passkey", "two passkeys of the service never have one id", function*() {
    const { put } = yield* PasskeyStore
    const passkey = newPasskey((yield* openOrg).id)
    yield* put(passkey)
    yield* refused(put({ ...newPasskey((yield* openOrg).id), id: passkey.id }))
    yield* put({ ...passkey, counter: 7 })
  }),

  law("constraints/grant", "codes and tokens belong to a grant of their org", function*() {
    const { put, putCode, putToken } = yield* GrantStore
    const grant = newGrant((yield* openOrg).id)
    const { id: otherId } = yield* openOrg
    yield* refused(put(newGrant(freshId())))
    yield* refused(putCode(newCode(grant)))
    yield* refused(putToken(newToken(grant)))
    yield* put(grant)
    yield* putCode(newCode(grant))
    yield* putToken(newToken(grant))
    yield* refused(putCode(newCode({ ...grant, orgId: otherId })))
    yield* refused(putToken(newToken({ ...grant, orgId: otherId })))
  }),

  law("constraints/webhook", "two webhooks of the service never have one id", function*() {
    const { add } = yield* WebhookStore
    const webhook = newWebhook((yield* openOrg).id)
    yield* add(webhook)
    yield* refused(add(webhook))
    yield* refused(add({ ...newWebhook((yield* openOrg).id), id: webhook.id }))
  }),

  law(
    "constraints/org",
    "an API key, somebody of the staff, what they sign in with and what they changed, an event, a webhook, a request's key and work in parts belong to an org that is there",
    function*() {
      const { id: orgId } = yield* openOrg
      const nowhere = freshId()
      const keys = yield* ApiKeyStore
      const log = yield* EventLog
      const event = { orgId, type: "org.updated" as const, data: {}, person: null, createdAt: origin }
      yield* refused(keys.put(newKey(nowhere)))
      yield* refused(Effect.flatMap(StaffStore, ({ put }) => put(newMember(nowhere))))
      yield* refused(Effect.flatMap(LoginStore, ({ putLink }) => putLink(newLink(nowhere))))
      yield* refused(Effect.flatMap(LoginStore, ({ put }) => put(newLogin(nowhere))))
      yield* refused(Effect.flatMap(PasskeyStore, ({ put }) => put(newPasskey(nowhere))))
      yield* refused(Effect.flatMap(AuditStore, ({ add }) => add(newEntry(nowhere))))
      yield* refused(Effect.flatMap(WebhookStore, ({ add }) => add(newWebhook(nowhere))))
      yield* refused(log.append([event, { ...event, orgId: nowhere }]))
      yield* refused(log.touch(nowhere))
      yield* refused(Effect.flatMap(RequestKeys, ({ bind }) => bind(newRequest(nowhere))))
      yield* refused(Effect.flatMap(UnfinishedStore, ({ put }) => put(newUnfinished(nowhere))))
      yield* keys.put(newKey(orgId))
      yield* log.append([event])
      // What was refused has used up no id.
      assert.deepStrictEqual((yield* log.latest(orgId, 10)).map(({ id }) => id), [1])
    }
  )
]
