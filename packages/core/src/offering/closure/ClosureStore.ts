import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Instant } from "../../time/Instant.ts"
import * as LocalDate from "../../time/LocalDate.ts"
import type { Position } from "../../wire/Cursor.ts"
import type { OrgKey } from "../OfferingStore.ts"
import type { Closure } from "./Closure.ts"

/**
 * Stores closures. A closure references its org and, if it closes a single offering, an offering in the org. A write
 * that violates this rule fails as a defect.
 */
export class ClosureStore extends Context.Tag("@trailbook/core/ClosureStore")<
  ClosureStore,
  {
    readonly find: (key: OrgKey) => Effect.Effect<Option.Option<Closure>>
    /** Finds a closure and locks it until the transaction ends. */
    readonly lock: (key: OrgKey) => Effect.Effect<Option.Option<Closure>>
    /** Lists the closures with `toDate >= since` after a position, ordered by first date and ID. */
    readonly list: (query: {
      readonly orgId: string
      readonly since?: LocalDate.LocalDate | undefined
      readonly after?: Position | undefined
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Closure>>
    /** Returns all closures in these orgs with `toDate >= since`, in any order. */
    readonly since: (
      orgIds: ReadonlyArray<string>,
      since: LocalDate.LocalDate
    ) => Effect.Effect<ReadonlyArray<Closure>>
    readonly put: (closure: Closure) => Effect.Effect<void>
    readonly remove: (key: OrgKey) => Effect.Effect<void>
  }
>() {}

/** Returns the position of a row in a list of closures. */
export const closurePosition = ({ fromDate: at, id }: Closure): Position => ({ at, id })

/**
 * Returns the first date on which a closure can still affect a booking that is decided now. An expired hold can still
 * be confirmed for 1 day, so its start is at most 2 days ago. A local date can be 1 day before the UTC date, and 1 more
 * day is added as a margin.
 */
export const relevantSince = (now: Instant): LocalDate.LocalDate => LocalDate.make(Math.floor(now / 86_400_000) - 4)
