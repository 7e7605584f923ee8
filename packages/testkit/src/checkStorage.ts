/**
 * A stand-alone checker. It reads the complete contents of a storage adapter and returns every violation of the
 * capacity, event, and history invariants. Run it after a test, a restore, or a crash.
 */
import { OrgStore } from "@trailbook/core/org"
import type { Storage } from "@trailbook/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { checkInvariants } from "./invariants.ts"

/**
 * Returns the violations in all orgs, each prefixed with the org's slug. The check only reads data, using one snapshot
 * per org.
 */
export const findAllViolations: Effect.Effect<ReadonlyArray<string>, never, Storage> = Effect.gen(function*() {
  const orgs = yield* (yield* OrgStore).all
  const complaints = yield* Effect.forEach(
    orgs,
    ({ id, slug }) =>
      Effect.map(checkInvariants(id), (sentences) => sentences.map((sentence) => `${slug}: ${sentence}`))
  )
  return complaints.flat()
})

/**
 * Runs {@link findAllViolations} and returns a promise. Rejects if the storage cannot be read.
 *
 * @example
 * import * as Memory from "@trailbook/memory"
 * import { checkStorage } from "@trailbook/testkit/checkStorage"
 *
 * await checkStorage(Memory.layer) // []
 */
export const checkStorage = <E>(storage: Layer.Layer<Storage, E>): Promise<ReadonlyArray<string>> =>
  Effect.runPromise(Effect.provide(findAllViolations, Layer.fresh(storage)))
