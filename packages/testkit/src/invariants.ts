/**
 * Invariants that hold for every storage adapter, at any time and under any concurrency. No booking exceeds the
 * capacity, histories are valid, the feed has no gaps and matches the stored state, and no erased guest's data remains.
 */
import type { Storage } from "@trailbook/core/storage"
import * as Effect from "effect/Effect"
import { capacity } from "./invariant/capacity.ts"
import { erasure } from "./invariant/erasure.ts"
import { feed } from "./invariant/feed.ts"
import { history } from "./invariant/history.ts"
import { money } from "./invariant/money.ts"
import * as Ledger from "./invariant/OrgSnapshot.ts"
import { uniqueness } from "./invariant/uniqueness.ts"

/** Returns a description of every violated invariant. */
export const violations = (ledger: Ledger.OrgSnapshot): ReadonlyArray<string> => [
  ...feed(ledger),
  ...history(ledger),
  ...capacity(ledger),
  ...money(ledger),
  ...uniqueness(ledger),
  ...erasure(ledger)
]

/**
 * Reads the complete data of an org and checks it. The check uses only the storage, so it can run after any test on any
 * database.
 */
export const invariants = (orgId: string): Effect.Effect<ReadonlyArray<string>, never, Storage> =>
  Effect.map(Ledger.read(orgId), violations)
