import { StaffStore } from "@trailbook/core/staff/StaffStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { putOfOrg, within } from "./Tables.ts"

/**
 * @category layers
 */
export const layer: Layer.Layer<StaffStore, never, MemoryDatabase> = Layer.effect(
  StaffStore,
  Effect.map(MemoryDatabase, ({ read, write }) =>
    StaffStore.of({
      list: (orgId) => read(({ staff }) => [...Table.range(staff, "created", orgId)]),
      withEmail: (email) => read(({ staff }) => [...Table.range(staff, "email", email)]),
      put: (member) => write((tables) => ({ ...tables, staff: putOfOrg(tables, tables.staff, [member]) })),
      remove: ({ id, orgId }) =>
        write((tables) => ({ ...tables, staff: Table.remove(tables.staff, within(orgId, id)) }))
    }))
)
