/**
 * Closes dates while other requests create bookings. A booking locks its session, or its offering if it has no session.
 * A closure therefore locks the offerings that it closes and their sessions on these dates. Bookings that acquired
 * their locks first are completed and counted, and later bookings see the closure. A closure for all offerings also
 * locks the org, because creating an offering locks it, too.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import {
  checkClosure,
  type Closure,
  type closureEvents,
  ClosureStore,
  closureView,
  makeFindClosure,
  toClosureSpan
} from "../../offering/closure/Closure.ts"
import { loadOffering } from "../../offering/Offerings.ts"
import { OfferingStore, type OrgKey } from "../../offering/OfferingStore.ts"
import { OrgStore } from "../../org/Orgs.ts"
import * as Event from "../../port/Event.ts"
import { EventLog } from "../../port/EventLog.ts"
import { failIfNotFound } from "../../port/failIfNotFound.ts"
import { type IdempotentRequest, makeIdempotentRunner, makeResultDeletedRefusal } from "../../port/idempotency.ts"
import { Ids } from "../../port/Ids.ts"
import { readInPages, smallRowPageSize } from "../../port/readInPages.ts"
import { UnitOfWork } from "../../port/UnitOfWork.ts"
import type { Refusal } from "../../Refusal.ts"
import { type BookedSession, SessionStore } from "../../session/Session.ts"
import { currentTime } from "../../time/currentTime.ts"
import * as Zone from "../../time/Zone.ts"
import { toStartPosition } from "../../wire/Cursor.ts"
import { isLive } from "../Booking.ts"
import { BookingStore } from "../BookingStore.ts"
import type { BookingRecord } from "../BookingView.ts"

/** A closure, the number of live bookings in it, and the number of people or items that they include. */
export interface ClosureWithBookings {
  readonly closure: Closure
  readonly bookings: number
  readonly guests: number
}

export class Closures extends Context.Tag("@trailbook/core/Closures")<
  Closures,
  {
    /** Closes dates. A repeated request returns the same closure. */
    readonly create: (
      input: Omit<Closure, "id" | "createdAt">,
      request?: IdempotentRequest
    ) => Effect.Effect<ClosureWithBookings, Refusal<"not_found" | "invalid_request" | "idempotency_conflict">>
    /** Removes a closure so that its dates can be booked again. */
    readonly remove: (key: OrgKey) => Effect.Effect<void, Refusal<"not_found">>
    /** Returns the live bookings that start within a closure, sorted by start. */
    readonly bookingsIn: (closure: Closure) => Effect.Effect<ReadonlyArray<BookingRecord>>
  }
>() {
  static readonly layer = Layer.effect(Closures, Effect.suspend(() => makeClosures))
}

const makeClosures = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const ids = yield* Ids
  const append = Event.makeAppend<Event.EventPayload<typeof closureEvents>>(yield* EventLog)
  const offerings = yield* OfferingStore
  const orgs = yield* OrgStore
  const sessions = yield* SessionStore
  const store = yield* ClosureStore
  const { run } = yield* UnitOfWork
  const { make } = yield* makeIdempotentRunner

  const loadZone = (orgId: string) =>
    Effect.map(Effect.orDie(Effect.flatten(orgs.find(orgId))), ({ timezone }) => Zone.get(timezone))

  const lockPlaces = (closure: Closure) =>
    Effect.gen(function*() {
      const { offeringId, orgId } = closure
      if (offeringId === null) {
        yield* orgs.lock(orgId)
        yield* offerings.lockOfOrg(orgId)
      } else {
        const key = { orgId, id: offeringId }
        yield* Effect.flatMap(offerings.lock([key]), loadOffering(key))
      }
      const now = yield* currentTime
      const span = {
        ...toClosureSpan(closure, yield* loadZone(orgId)),
        orgId,
        offeringId: offeringId ?? undefined,
        now
      }
      // Sessions are created under their offering's lock, so no session is added in the meantime.
      const sessionRows = yield* readInPages({
        limit: Infinity,
        atOnce: smallRowPageSize,
        positionOf: ({ session }: BookedSession) => toStartPosition(session),
        read: (after, limit) => sessions.list({ ...span, status: "scheduled", after, limit })
      })
      yield* sessions.lock(sessionRows.map(({ session }) => session))
    })

  const bookingsIn = (closure: Closure) =>
    Effect.gen(function*() {
      const { offeringId, orgId } = closure
      const zone = yield* loadZone(orgId)
      const records = yield* readInPages({
        limit: Infinity,
        atOnce: smallRowPageSize,
        positionOf: ({ booking }: BookingRecord) => toStartPosition(booking),
        read: (after, limit) =>
          bookings.list({
            ...toClosureSpan(closure, zone),
            orgId,
            offeringId: offeringId ?? undefined,
            order: "asc",
            after,
            limit
          })
      })
      const now = yield* currentTime
      return records.filter(({ booking }) =>
        isLive(booking, now) &&
        makeFindClosure([closure], zone, { orgId, id: booking.offeringId })(booking.startsAt) !== undefined
      )
    })

  const withBookings = (closure: Closure): Effect.Effect<ClosureWithBookings> =>
    Effect.map(bookingsIn(closure), (records) => ({
      closure,
      bookings: records.length,
      guests: records.reduce((sum, { booking }) => sum + booking.quantity, 0)
    }))

  const appendEvent = (closure: Closure, type: (typeof closureEvents)[number]["type"]) =>
    append({ orgId: closure.orgId, type, data: closureView(closure) })

  return Closures.of({
    bookingsIn,
    create: (input, request) =>
      Effect.suspend(() => {
        const id = ids.uuid()
        const createClosure = Effect.gen(function*() {
          const closure = yield* checkClosure({ ...input, id, createdAt: yield* currentTime })
          yield* lockPlaces(closure)
          yield* store.put(closure)
          const result = yield* withBookings(closure)
          yield* appendEvent(closure, "closure.created")
          return result
        })
        return make(request, {
          createdIds: [id],
          make: createClosure,
          replay: ({ made, orgId }) =>
            Effect.map(
              store.find({ orgId, id: made.join() }),
              Option.match({
                onNone: () => ({ isObsolete: true, result: makeResultDeletedRefusal("closure", made.join()) }),
                onSome: (closure) => ({ isObsolete: false, result: withBookings(closure) })
              })
            )
        })
      }),
    remove: (key) =>
      run(Effect.gen(function*() {
        const closure = yield* Effect.flatMap(store.lock(key), failIfNotFound("closure", key.id))
        yield* store.remove(key)
        yield* appendEvent(closure, "closure.deleted")
      }))
  })
})
