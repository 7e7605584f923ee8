import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Instant } from "../../time/Instant.ts"
import type { Position } from "../../wire/Cursor.ts"
import type { OrgKey } from "../OfferingStore.ts"
import type { DiscountCode } from "./DiscountCode.ts"

export type CodeKey = Pick<DiscountCode, "orgId" | "code">

/** A discount code's uses and revenue. */
export interface DiscountUses {
  readonly id: string
  readonly uses: number
  /** The total price of the code's confirmed bookings, in the org's currency. */
  readonly revenueCents: number
}

/** Stores discount codes. A code is unique in its org. A write that violates this rule fails as a defect. */
export class DiscountStore extends Context.Tag("@trailbook/core/DiscountStore")<
  DiscountStore,
  {
    /** Finds a discount code and locks it until the transaction ends. */
    readonly lock: (key: OrgKey) => Effect.Effect<Option.Option<DiscountCode>>
    readonly findByCode: (key: CodeKey) => Effect.Effect<Option.Option<DiscountCode>>
    /** Finds discount codes and locks them in ID order until the transaction ends. */
    readonly lockByCode: (keys: ReadonlyArray<CodeKey>) => Effect.Effect<ReadonlyArray<DiscountCode>>
    /** Lists the discount codes after a position, ordered by creation time and ID. */
    readonly list: (query: {
      readonly orgId: string
      readonly after?: Position | undefined
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<DiscountCode>>
    /** Returns the uses and the revenue of discount codes as of `now`, in any order. */
    readonly uses: (keys: ReadonlyArray<OrgKey>, now: Instant) => Effect.Effect<ReadonlyArray<DiscountUses>>
    readonly put: (discount: DiscountCode) => Effect.Effect<void>
    readonly remove: (key: OrgKey) => Effect.Effect<void>
  }
>() {}
