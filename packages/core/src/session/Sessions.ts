import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { OfferingStore, type OrgKey } from "../offering/OfferingStore.ts"
import { OrgStore } from "../org/OrgStore.ts"
import type * as Event from "../port/Event.ts"
import { EventLog } from "../port/EventLog.ts"
import { type KeyedRequest, makeIdempotent } from "../port/idempotent.ts"
import { Ids } from "../port/Ids.ts"
import type { KeptRequest } from "../port/RequestKeys.ts"
import { invalid, notFound, type Refusal, refuse } from "../Refusal.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import * as Zone from "../time/Zone.ts"
import type { Session } from "./Session.ts"
import type { SessionEvent } from "./SessionDecider.ts"
import type { sessionEvents } from "./sessionEvents.ts"
import { SessionStore } from "./SessionStore.ts"
import { sessionView } from "./SessionView.ts"
import { weeklyStarts } from "./weeklyStarts.ts"

/** Schedules sessions. `Cancellations` cancels them. */
export class Sessions extends Context.Tag("@trailbook/core/Sessions")<
  Sessions,
  {
    /**
     * Schedules `weeks` sessions of a class, one week apart in local time. A repeated request returns the same
     * sessions, even if some of them were canceled since.
     */
    readonly create: (given: {
      readonly offering: OrgKey
      readonly startsAt: Instant.Instant
      readonly weeks: number
      readonly capacity: number | null
      readonly keyed?: KeyedRequest | undefined
    }) => Effect.Effect<
      ReadonlyArray<Session>,
      Refusal<"not_found" | "wrong_kind" | "invalid_request" | "idempotency_conflict">
    >
  }
>() {
  static readonly layer = Layer.effect(
    Sessions,
    Effect.gen(function*() {
      const store = yield* SessionStore
      const ids = yield* Ids
      const log = yield* EventLog
      const offerings = yield* OfferingStore
      const orgs = yield* OrgStore
      const { make } = yield* makeIdempotent

      const again = ({ made, orgId }: KeptRequest) =>
        Effect.map(store.lock(made.map((id) => ({ orgId, id }))), (found) => {
          const sessions = made.flatMap((id) => found.find((session) => session.id === id) ?? [])
          return {
            over: sessions.every(({ status }) => status === "cancelled"),
            answer: Effect.succeed<ReadonlyArray<Session>>(sessions)
          }
        })

      const schedule = (
        { capacity, offering: key, startsAt, weeks }: Parameters<Sessions["Type"]["create"]>[0],
        drawn: ReadonlyArray<string>
      ) =>
        Effect.gen(function*() {
          // Locked, so that the class cannot be deleted concurrently.
          const [offering] = yield* offerings.lock([key])
          if (offering === undefined || offering.deletedAt !== null) return yield* notFound("offering", key.id)
          if (offering.kind !== "class") {
            return yield* refuse("wrong_kind", "Only a class has sessions. This offering has weekly hours.")
          }
          const org = yield* Effect.orDie(Effect.flatten(orgs.find(key.orgId)))
          const now = yield* currentTime
          const sessions = weeklyStarts(Zone.get(org.timezone), startsAt, weeks).map((startsAt, at): Session => ({
            id: drawn[at] ?? ids.uuid(),
            orgId: key.orgId,
            offeringId: key.id,
            startsAt,
            endsAt: Instant.addMinutes(startsAt, offering.durationMinutes),
            capacity,
            status: "scheduled",
            createdAt: now,
            judgedAt: Instant.make(0)
          }))
          if (sessions.some(({ endsAt }) => endsAt > Instant.max)) {
            return yield* invalid("starts_at: every session must end before the year 10000")
          }
          yield* store.put(sessions)
          yield* log.append(sessions.map((session) => sessionEvent(session, "session.created", now)))
          return sessions
        })

      return Sessions.of({
        create: (given) => {
          const made = Array.from({ length: given.weeks }, ids.uuid)
          return make(given.keyed, { made, make: schedule(given, made), again })
        }
      })
    })
  )
}

export const sessionEvent = (
  session: Session,
  type: SessionEvent["_tag"],
  now: Instant.Instant
): Event.EventPayload<typeof sessionEvents> => ({
  orgId: session.orgId,
  type,
  data: sessionView(session),
  person: null,
  createdAt: now
})
