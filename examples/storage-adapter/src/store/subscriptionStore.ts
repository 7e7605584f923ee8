import type { SubscriptionClaim, SubscriptionKey, SubscriptionStore } from "@trailbook/core/event"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Struct from "effect/Struct"
import type { Journal } from "../Journal.ts"
import { claimRow, isClaimOf, isFree, unclaimedLease } from "../Lease.ts"
import { type Subscription, within } from "../Rows.ts"
import { type Change, get, type State } from "../State.ts"
import { lastId } from "./eventLog.ts"

export const subscriptionStore = ({ read, unitOfWork, write }: Journal): SubscriptionStore["Type"] => {
  /** Changes a subscription and returns its new value, or nothing if the subscription is not in the expected state. */
  const change = (
    key: SubscriptionKey,
    isRight: (place: Subscription, now: number) => boolean,
    update: (place: Subscription, now: number) => Subscription
  ) =>
    unitOfWork.run(Effect.gen(function*() {
      const now = yield* currentTime
      const place = yield* read((state) => find(state, key))
      if (place === undefined || !isRight(place, now)) return Option.none()
      const row = update(place, now)
      yield* write(() => [put(row)])
      return Option.some(row)
    }))
  const under = (claim: SubscriptionClaim, update: (place: Subscription, now: number) => Subscription) =>
    Effect.map(change(claim, (place) => isClaimOf(claim, place), update), Option.isSome)

  return {
    begin: (places) =>
      write((state) =>
        places.filter((place) => find(state, place) === undefined).map(({ from, name, orgId }) =>
          put({ orgId, name, cursor: from === "start" ? 0 : lastId(state, orgId), ...untried, ...unclaimedLease })
        )
      ),
    waiting: (places) =>
      Effect.flatMap(currentTime, (now) =>
        read((state) =>
          places
            .filter((place) => isWaitedAt(state, place, now))
            .map(({ name, orgId }) => ({ orgId, name, cursor: find(state, { orgId, name })?.cursor ?? null }))
        )),
    claim: (key, leaseMs) =>
      Effect.map(
        change(key, isOpen, (place, now) => claimRow(place, now, leaseMs)),
        Option.map(Struct.omit("leaseUntil", "retryAt"))
      ),
    advance: (claim, cursor, leaseMs) =>
      under(claim, (place, now) => ({ ...place, ...untried, cursor, leaseUntil: now + leaseMs })),
    postpone: (claim, retryMs) =>
      under(claim, (place, now) => ({
        ...place,
        failures: place.failures + 1,
        retryAt: now + retryMs,
        leaseUntil: null
      })),
    release: (claim, position) =>
      Effect.asVoid(under(claim, (place) => ({
        ...place,
        ...(position === undefined ? {} : { ...untried, cursor: position }),
        leaseUntil: null
      })))
  }
}

const untried = { retryAt: null, failures: 0 } as const

const isOpen = (place: Subscription, now: number): boolean =>
  isFree(place, now) && (place.retryAt === null || place.retryAt <= now)

const find = ({ subscriptions }: State, { name, orgId }: SubscriptionKey): Subscription | undefined =>
  get(subscriptions, within(orgId, name))

/** Whether a subscription has pending events or does not exist yet. */
export const isWaitedAt = (state: State, key: SubscriptionKey, now: number): boolean => {
  const place = find(state, key)
  return place === undefined || (isOpen(place, now) && lastId(state, key.orgId) > place.cursor)
}

const put = (row: Subscription): Change => ({ table: "subscriptions", row })
