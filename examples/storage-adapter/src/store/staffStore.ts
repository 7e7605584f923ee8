import type { StaffStore } from "@trailbook/core/staff"
import type { Journal } from "../Journal.ts"
import { byCreation, page } from "../page.ts"
import { within } from "../Rows.ts"
import { get, inGroup } from "../State.ts"

export const staffStore = ({ read, write }: Journal): StaffStore["Type"] => ({
  list: (orgId) => read(({ staff }) => page(inGroup(staff, `org ${orgId}`), byCreation, { limit: Infinity })),
  withEmail: (email) =>
    read(({ staff }) => inGroup(staff, `email ${email}`).toSorted((a, b) => a.orgId < b.orgId ? -1 : 1)),
  put: (row) => write(() => [{ table: "staff", row }]),
  remove: ({ id, orgId }) =>
    write(({ staff }) => {
      const row = get(staff, within(orgId, id))
      return row === undefined ? [] : [{ table: "staff", row, gone: true }]
    })
})
