import { memberView, type StaffMember, StaffMembers } from "@trailbook/core/staff"
import * as Instant from "@trailbook/core/time/Instant"
import { accounts } from "@trailbook/runtime/accounts"
import { orgIdFromDetails } from "../../database/orgIdFromDetails.ts"
import { withDatabase } from "../../database/withDatabase.ts"
import type { Run } from "../Command.ts"
import * as Print from "../Print.ts"
import { table } from "../table.ts"

export const run: Run<"staff list"> = async ({ database, json, org }) => {
  const staff = await withDatabase(database, accounts, function*() {
    const { id } = yield* orgIdFromDetails(org)
    return yield* (yield* StaffMembers).list(id)
  })
  if (json) Print.json({ data: staff.map(memberView) })
  else if (staff.length === 0) Print.note("No staff members. To add a staff member, run trailbook staff add.")
  else for (const line of table(heads, staff.map(cells))) Print.line(line)
}

const heads = ["EMAIL", "NAME", "ROLE", "NOTIFIED", "ADDED"]

const cells = ({ createdAt, email, name, notify, role }: StaffMember): ReadonlyArray<string> => [
  email,
  name,
  role,
  notify ? "yes" : "no",
  Instant.format(createdAt).slice(0, 10)
]
