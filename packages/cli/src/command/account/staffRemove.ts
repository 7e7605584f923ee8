import { memberView, StaffMembers } from "@trailbook/core/staff"
import { accounts } from "@trailbook/runtime/accounts"
import { Failure } from "@trailbook/runtime/Failure"
import * as Effect from "effect/Effect"
import { orgIdFromDetails } from "../../database/orgIdFromDetails.ts"
import { withDatabase } from "../../database/withDatabase.ts"
import type { Run } from "../Command.ts"
import * as Print from "../Print.ts"

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
