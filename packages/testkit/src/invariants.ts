/**
 * What is true of any storage at any time, whatever was done to it by however
 * many at once: nothing sold twice, histories that may happen, a feed without
 * holes that tells what is stored, and nothing left of erased guests.
 */
import type { Storage } from "@trailbook/core/storage/Storage"
import * as Effect from "effect/Effect"
import { capacity } from "./invariant/capacity.ts"
import { erasure } from "./invariant/erasure.ts"
import { feed } from "./invariant/feed.ts"
import { history } from "./invariant/history.ts"
import * as Ledger from "./invariant/OrgSnapshot.ts"
import { uniqueness } from "./invariant/uniqueness.ts"

/** Every invariant that a ledger breaks, in words; none when all is well. */
export const violations = (ledger: Ledger.OrgSnapshot): ReadonlyArray<string> => [
  ...feed(ledger),
  ...history(ledger),
  ...capacity(ledger),
  ...uniqueness(ledger),
  ...erasure(ledger)
]

/**
 * Reads all that a storage has of an org, and checks it. It asks the storage
 * and nothing else, so it may follow any test on any database.
 */
export const invariants = (orgId: string): Effect.Effect<ReadonlyArray<string>, never, Storage> =>
  Effect.map(Ledger.read(orgId), violations)
