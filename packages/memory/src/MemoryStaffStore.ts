import { StaffStore } from "@trailbook/core/staff/StaffStore"
import { storeLayer } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { orgKey, putOfOrg } from "./Tables.ts"

export const layer = storeLayer(StaffStore, ({ read, write }) => ({
  list: (orgId) => read(({ staff }) => [...Table.range(staff, "created", orgId)]),
  withEmail: (email) => read(({ staff }) => [...Table.range(staff, "email", email)]),
  put: (member) => write((tables) => ({ ...tables, staff: putOfOrg(tables, tables.staff, [member]) })),
  remove: ({ id, orgId }) => write((tables) => ({ ...tables, staff: Table.remove(tables.staff, orgKey(orgId, id)) }))
}))
