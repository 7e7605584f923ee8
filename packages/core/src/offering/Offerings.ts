import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Decider from "../Decider.ts"
import { OrgStore } from "../org/Orgs.ts"
import type * as Event from "../port/Event.ts"
import { EventLog } from "../port/EventLog.ts"
import {
  type ExecutedRequest,
  type IdempotentRequest,
  makeIdempotentRunner,
  makeResultDeletedRefusal
} from "../port/idempotency.ts"
import { Ids } from "../port/Ids.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { notFound, type Refusal } from "../Refusal.ts"
import { currentTime } from "../time/currentTime.ts"
import type { Instant } from "../time/Instant.ts"
import * as Offering from "./Offering.ts"
import { type OfferingCommand, offeringDecider, type OfferingEvent, type OfferingRefusals } from "./OfferingDecider.ts"
import { OfferingStore, type OrgKey } from "./OfferingStore.ts"
import { hoursEntryView, type offeringEvents, offeringView } from "./OfferingView.ts"

type NotFound = Refusal<"not_found">

/**
 * Creates offerings and sets their hours. Deleted offerings are not found. `OfferingChanges` updates offerings under
 * its locks, because an offering can be booked concurrently. `Cancellations` deletes offerings, because deleting one
 * can cancel bookings.
 */
export class Offerings extends Context.Tag("@trailbook/core/Offerings")<
  Offerings,
  {
    readonly get: (key: OrgKey) => Effect.Effect<Offering.Offering, NotFound>
    /** Creates an offering, once per idempotency key. After the offering is deleted, the same key creates a new one. */
    readonly create: (
      input: Pick<Offering.Offering, "orgId" | "kind" | "name"> & Partial<Offering.OfferingSettings>,
      request?: IdempotentRequest
    ) => Effect.Effect<Offering.Offering, OfferingRefusals["Create"] | Refusal<"idempotency_conflict">>
    readonly setHours: (
      key: OrgKey,
      hours: ReadonlyArray<Offering.HoursEntry>
    ) => Effect.Effect<Offering.Offering, NotFound | OfferingRefusals["SetHours"]>
  }
>() {
  static readonly layer = Layer.effect(Offerings, Effect.suspend(() => makeOfferings))
}

const makeOfferings = Effect.gen(function*() {
  const store = yield* OfferingStore
  const ids = yield* Ids
  const orgs = yield* OrgStore
  const { run } = yield* UnitOfWork
  const write = yield* makeWriteOffering
  const { make } = yield* makeIdempotentRunner

  const replay = ({ made, orgId }: ExecutedRequest) =>
    Effect.map(
      store.find(made.map((id) => ({ orgId, id }))),
      ([offering]) =>
        offering === undefined || offering.deletedAt !== null
          ? { isObsolete: true, result: makeResultDeletedRefusal("offering", made.join()) }
          : { isObsolete: false, result: Effect.succeed(offering) }
    )

  return Offerings.of({
    get: (key) => Effect.flatMap(store.find([key]), loadOffering(key)),
    create: (input, request) =>
      Effect.suspend(() => {
        const id = ids.uuid()
        // Lock the org, because a closure of all offerings also locks it. Otherwise, a booking for the new offering
        // could miss a concurrent closure.
        const createOffering = Effect.zipRight(
          orgs.lock(input.orgId),
          Effect.flatMap(currentTime, (createdAt) =>
            write(Offering.make({ ...input, id, createdAt }), { _tag: "Create" }))
        )
        return make(request, { createdIds: [id], make: createOffering, replay })
      }),
    setHours: (key, hours) =>
      run(
        Effect.flatMap(Effect.flatMap(store.lock([key]), loadOffering(key)), (offering) =>
          write(offering, { _tag: "SetHours", hours }))
      )
  })
})

/** Returns the offering that was looked up, or refuses with `not_found` if it is missing or deleted. */
export const loadOffering = (key: OrgKey) => ([offering]: ReadonlyArray<Offering.Offering>) =>
  offering === undefined || offering.deletedAt !== null ? notFound("offering", key.id) : Effect.succeed(offering)

/** Applies a command to a new or locked offering, stores the result, and appends the events last. */
export const makeWriteOffering = Effect.gen(function*() {
  const store = yield* OfferingStore
  const log = yield* EventLog
  return <Command extends OfferingCommand>(offering: Offering.Offering, command: Command) =>
    Effect.gen(function*() {
      const { events, state } = yield* Decider.run(offeringDecider)(offering, command)
      if (events.length === 0) return state
      const now = yield* currentTime
      yield* store.put([state])
      yield* log.append(events.map((event) => makeOfferingEvent(state, event._tag, now)))
      return state
    })
})

/** Returns the event for a change. An event for new hours contains the complete offering. */
export const makeOfferingEvent = (
  offering: Offering.Offering,
  type: OfferingEvent["_tag"],
  now: Instant
): Event.EventPayload<typeof offeringEvents> => {
  const common = { orgId: offering.orgId, person: null, createdAt: now }
  const data = offeringView(offering)
  return type === "offering.hours_updated"
    ? { ...common, type, data: { ...data, hours: offering.hours.map(hoursEntryView) } }
    : { ...common, type, data }
}
