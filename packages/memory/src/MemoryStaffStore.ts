import { StaffStore } from "@trailbook/core/staff/StaffStore"
import { over } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { putOfOrg, within } from "./Tables.ts"

/**
 * @category layers
 */
export const layer = over(StaffStore, ({ read, write }) => ({
  list: (orgId) => read(({ staff }) => [...Table.range(staff, "created", orgId)]),
  withEmail: (email) => read(({ staff }) => [...Table.range(staff, "email", email)]),
  put: (member) => write((tables) => ({ ...tables, staff: putOfOrg(tables, tables.staff, [member]) })),
  remove: ({ id, orgId }) => write((tables) => ({ ...tables, staff: Table.remove(tables.staff, within(orgId, id)) }))
}))
