/** Changes made directly to a database while other processes use it. */
import { ApiKeys } from "@trailbook/core/actor"
import { coreLayer } from "@trailbook/core/layer"
import { Orgs } from "@trailbook/core/org"
import { Payments } from "@trailbook/core/payment"
import { EventLog, type StoredEvent } from "@trailbook/core/port"
import type { Storage } from "@trailbook/core/storage"
import { layerNone } from "@trailbook/core/webhook"
import * as NodeIds from "@trailbook/runtime/NodeIds"
import { Database } from "@trailbook/sql/Database"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import type { Target } from "../reliability/Target.ts"

const inside = <A, E>({ storage }: Target, work: Effect.Effect<A, E, Storage | Database>): Promise<A> =>
  // Suppress the warning about superusers, because unrestricted access is intended here.
  Effect.runPromise(Effect.provide(work, storage).pipe(Logger.withMinimumLogLevel(LogLevel.Error)))

export interface Account {
  readonly orgId: string
  readonly key: string
}

/** Creates this many accounts. Using the CLI would start a process for each account. */
export const accounts = (target: Target, count: number): Promise<ReadonlyArray<Account>> =>
  inside(
    target,
    Effect.replicateEffect(
      Effect.gen(function*() {
        const { id } = yield* (yield* Orgs).create({ name: "Salida River Co.", timezone: "America/Denver" })
        const { token } = yield* (yield* ApiKeys).create({ orgId: id, name: "test" })
        return { orgId: id, key: token }
      }),
      count
    ).pipe(Effect.provide(
      coreLayer({ batches: "none" }).pipe(
        Layer.provideMerge(Layer.mergeAll(NodeIds.layer, Payments.layerNone, layerNone))
      )
    ))
  )

/** Returns each org's events, ordered by ID. */
export const logs = (
  target: Target,
  orgIds: ReadonlyArray<string>
): Promise<ReadonlyArray<ReadonlyArray<StoredEvent>>> =>
  inside(target, Effect.flatMap(EventLog, ({ latest }) => Effect.forEach(orgIds, (orgId) => latest(orgId, 1_000_000))))

/** Expires all leases, as if their time had passed. No delivery may be in progress. */
export const endLeases = (target: Target): Promise<void> =>
  inside(
    target,
    Effect.flatMap(Database, ({ dialect, execute }) =>
      Effect.asVoid(
        execute(`update ${dialect.table("webhooks")} set lease_until = 0 where lease_until is not null`)
      ))
  )
