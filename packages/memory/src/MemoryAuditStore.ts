import { AuditStore } from "@trailbook/core/staff/AuditStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { firstOf } from "./firstOf.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { putOfOrg } from "./Tables.ts"

/**
 * @category layers
 */
export const layer: Layer.Layer<AuditStore, never, MemoryDatabase> = Layer.effect(
  AuditStore,
  Effect.map(MemoryDatabase, ({ read, write }) =>
    AuditStore.of({
      add: (entry) => write((tables) => ({ ...tables, audit: putOfOrg(tables, tables.audit, [entry]) })),
      page: ({ before, limit, orgId }) =>
        read(({ audit }) =>
          firstOf(
            Table.range(audit, "at", orgId, { order: "desc", ...(before === undefined ? {} : { below: before }) }),
            limit
          )
        )
    }))
)
