/** Manages an org's discount codes. Changes lock the org so that two requests cannot create the same code. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { OrgStore } from "../../org/Orgs.ts"
import * as Event from "../../port/Event.ts"
import { EventLog } from "../../port/EventLog.ts"
import { failIfNotFound } from "../../port/failIfNotFound.ts"
import { Ids } from "../../port/Ids.ts"
import { UnitOfWork } from "../../port/UnitOfWork.ts"
import type { Discount } from "../../pricing/Pricing.ts"
import { type Refusal, refuse } from "../../Refusal.ts"
import { currentTime } from "../../time/currentTime.ts"
import { type Position, toCreationPosition } from "../../wire/Cursor.ts"
import type { OrgKey } from "../OfferingStore.ts"
import {
  applyDiscountCode,
  applyDiscountPatch,
  type DiscountableBooking,
  type DiscountCode,
  type discountEvents,
  type DiscountPatch,
  DiscountStore,
  type DiscountUses,
  discountView
} from "./DiscountCode.ts"

/** A discount code with its uses and revenue. */
export interface DiscountWithUses extends Omit<DiscountUses, "id"> {
  readonly discount: DiscountCode
}

export const toDiscountWithUsesPosition = ({ discount }: DiscountWithUses): Position => toCreationPosition(discount)

type DiscountRefusal = Refusal<"invalid_request" | "code_taken">

export class Discounts extends Context.Tag("@trailbook/core/Discounts")<
  Discounts,
  {
    readonly create: (
      orgId: string,
      input: DiscountPatch & Pick<DiscountCode, "code">
    ) => Effect.Effect<DiscountWithUses, DiscountRefusal>
    readonly update: (
      key: OrgKey,
      patch: DiscountPatch
    ) => Effect.Effect<DiscountWithUses, DiscountRefusal | Refusal<"not_found">>
    readonly remove: (key: OrgKey) => Effect.Effect<void, Refusal<"not_found">>
    /** Returns the discount that a booking with this code would get now. Takes no lock. */
    readonly find: (
      orgId: string,
      code: string,
      booking: DiscountableBooking
    ) => Effect.Effect<Discount, Refusal<"discount_invalid">>
    /** Returns discount codes with their uses and revenue. */
    readonly withUses: (discounts: ReadonlyArray<DiscountCode>) => Effect.Effect<ReadonlyArray<DiscountWithUses>>
  }
>() {
  static readonly layer = Layer.effect(Discounts, Effect.suspend(() => makeDiscounts))
}

const makeDiscounts = Effect.gen(function*() {
  const ids = yield* Ids
  const append = Event.makeAppend<Event.EventPayload<typeof discountEvents>>(yield* EventLog)
  const orgs = yield* OrgStore
  const store = yield* DiscountStore
  const { run } = yield* UnitOfWork

  const lock = (key: OrgKey) => Effect.flatMap(store.lock(key), failIfNotFound("discount code", key.id))

  const appendEvent = (discount: DiscountCode, type: (typeof discountEvents)[number]["type"]) =>
    append({ orgId: discount.orgId, type, data: discountView(discount) })

  const checkUnique = ({ code, id, orgId }: DiscountCode) =>
    Effect.flatMap(
      store.findByCode({ orgId, code }),
      (match) => Option.exists(match, (other) => other.id !== id) ? refuse("code_taken", code) : Effect.void
    )

  const withUses = (discounts: ReadonlyArray<DiscountCode>) =>
    Effect.gen(function*() {
      if (discounts.length === 0) return []
      const usesById = new Map((yield* store.uses(discounts, yield* currentTime)).map(({ id, ...uses }) => [id, uses]))
      return discounts.map((discount) => ({ uses: 0, revenueCents: 0, ...usesById.get(discount.id), discount }))
    })

  return Discounts.of({
    withUses,
    find: (orgId, code, booking) =>
      Effect.gen(function*() {
        const [match] = yield* withUses(Option.toArray(yield* store.findByCode({ orgId, code })))
        return yield* applyDiscountCode(match && { code: match.discount, uses: match.uses }, booking)
      }),
    create: (orgId, input) =>
      run(Effect.gen(function*() {
        yield* orgs.lock(orgId)
        const discount = yield* applyDiscountPatch({
          id: ids.uuid(),
          orgId,
          code: input.code,
          percentBps: null,
          cents: null,
          offeringIds: null,
          bookFrom: null,
          bookUntil: null,
          startFrom: null,
          startUntil: null,
          maxUses: null,
          active: true,
          returnsOnCancel: true,
          createdAt: yield* currentTime
        }, input)
        yield* checkUnique(discount)
        yield* store.put(discount)
        yield* appendEvent(discount, "discount.created")
        return { discount, uses: 0, revenueCents: 0 }
      })),
    update: (key, patch) =>
      Effect.gen(function*() {
        const discount = yield* run(Effect.gen(function*() {
          yield* orgs.lock(key.orgId)
          const current = yield* lock(key)
          const updatedDiscount = yield* applyDiscountPatch(current, patch)
          if (JSON.stringify(updatedDiscount) === JSON.stringify(current)) return current
          yield* checkUnique(updatedDiscount)
          yield* store.put(updatedDiscount)
          yield* appendEvent(updatedDiscount, "discount.updated")
          return updatedDiscount
        }))
        const [discountAndUses = { discount, uses: 0, revenueCents: 0 }] = yield* withUses([discount])
        return discountAndUses
      }),
    remove: (key) =>
      run(Effect.gen(function*() {
        const discount = yield* lock(key)
        yield* store.remove(key)
        yield* appendEvent(discount, "discount.deleted")
      }))
  })
})
