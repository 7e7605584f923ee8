/**
 * The checker as one program: it takes any storage, reads all that is in it, and
 * says which laws of capacity, events and history do not hold. It may follow a
 * test, a restore from a backup or a crash.
 */
import { OrgStore } from "@trailbook/core/org/OrgStore"
import type { Storage } from "@trailbook/core/storage/Storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { invariants } from "./invariants.ts"

/**
 * What is wrong with every org of a storage, each sentence after the org's slug;
 * nothing when all is well. It only reads, and each org at one moment.
 */
export const everyViolation: Effect.Effect<ReadonlyArray<string>, never, Storage> = Effect.gen(function*() {
  const orgs = yield* (yield* OrgStore).all
  const complaints = yield* Effect.forEach(
    orgs,
    ({ id, slug }) => Effect.map(invariants(id), (sentences) => sentences.map((sentence) => `${slug}: ${sentence}`))
  )
  return complaints.flat()
})

/**
 * The same for those who have a storage and no use for effects. It rejects when
 * the storage cannot be read.
 *
 * @example
 * import * as Memory from "@trailbook/memory"
 * import { checkStorage } from "@trailbook/testkit/checkStorage"
 *
 * await checkStorage(Memory.layer) // []
 */
export const checkStorage = <E>(storage: Layer.Layer<Storage, E>): Promise<ReadonlyArray<string>> =>
  Effect.runPromise(Effect.provide(everyViolation, Layer.fresh(storage)))
