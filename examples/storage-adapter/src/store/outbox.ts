import type { Outbox } from "@trailbook/core/port/Outbox"
import type { Journal } from "../Journal.ts"
import { page } from "../page.ts"
import { within } from "../Rows.ts"
import { found, inGroup } from "../State.ts"

export const outbox = ({ read, write }: Journal): Outbox["Type"] => ({
  add: (errands) => write(() => errands.map((row) => ({ table: "errands", row }))),
  due: (now, limit) =>
    read(({ errands }) => {
      const due = inGroup(errands, "all").filter(({ dueAt }) => dueAt <= now)
      return page(due, ({ dueAt: at, id, orgId }) => ({ at, id: within(orgId, id) }), { limit })
    }),
  done: (row) => write(() => [{ table: "errands", row, gone: true }]),
  // Somebody else may have done it meanwhile; then it must not come back.
  postpone: (row) => write(({ errands }) => found(errands, [row]).length === 0 ? [] : [{ table: "errands", row }])
})
