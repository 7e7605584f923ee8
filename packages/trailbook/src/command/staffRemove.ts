import { memberView } from "@trailbook/core/staff/MemberView"
import { StaffMembers } from "@trailbook/core/staff/StaffMembers"
import * as Effect from "effect/Effect"
import { accounts, orgIdFromDetails } from "../runtime/accounts.ts"
import { withDatabase } from "../runtime/withDatabase.ts"
import type { Run } from "./Command.ts"
import { Failure } from "./CommandError.ts"
import * as Print from "./Print.ts"

export const run: Run<"staff remove"> = async ({ database, json, memberEmail: email, org }) => {
  const member = await withDatabase(database, accounts, function*() {
    const { id: orgId, slug } = yield* orgIdFromDetails(org)
    const { remove } = yield* StaffMembers
    return yield* Effect.mapError(
      remove({ orgId, email, by: { _tag: "Operator" } }),
      ({ code, message }) =>
        code === "invalid_request" ? new Failure(message) : new Failure(
          `${slug} has no staff member ${email}. List staff members with trailbook staff list.`
        )
    )
  })
  if (json) Print.json(memberView(member))
  else Print.line(`Removed ${email} from the staff.`)
}
