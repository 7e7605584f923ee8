import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Instant } from "../../time/Instant.ts"
import type { Position } from "../../wire/Cursor.ts"
import type { OrgKey } from "../OfferingStore.ts"
import type { DiscountCode } from "./DiscountCode.ts"

export type CodeKey = Pick<DiscountCode, "orgId" | "code">

/** The bookings of a discount code. */
export interface DiscountUses {
  readonly id: string
  readonly uses: number
  /** The sum of its confirmed bookings in the currency of the org. */
  readonly revenueCents: number
}

/** A discount code refers to its org, and is unique in it. Storing another one is a defect. */
export class DiscountStore extends Context.Tag("@trailbook/core/DiscountStore")<
  DiscountStore,
  {
    /** Finds and locks a discount code until the transaction ends. */
    readonly lock: (key: OrgKey) => Effect.Effect<Option.Option<DiscountCode>>
    readonly findByCode: (key: CodeKey) => Effect.Effect<Option.Option<DiscountCode>>
    /** Finds and locks discount codes, in the order of their IDs, until the transaction ends. */
    readonly lockByCode: (keys: ReadonlyArray<CodeKey>) => Effect.Effect<ReadonlyArray<DiscountCode>>
    /** By creation and ID, after a position. */
    readonly list: (query: {
      readonly orgId: string
      readonly after?: Position | undefined
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<DiscountCode>>
    /** The uses of these discount codes at this time, in any order. */
    readonly uses: (keys: ReadonlyArray<OrgKey>, now: Instant) => Effect.Effect<ReadonlyArray<DiscountUses>>
    readonly put: (discount: DiscountCode) => Effect.Effect<void>
    readonly remove: (key: OrgKey) => Effect.Effect<void>
  }
>() {}
