import { Orgs } from "@trailbook/core/org"
import { accounts } from "@trailbook/runtime/accounts"
import { orgIdFromDetails } from "../../database/orgIdFromDetails.ts"
import { withDatabase } from "../../database/withDatabase.ts"
import type { Run } from "../Command.ts"
import * as Print from "../Print.ts"

export const run: Run<"org update"> = async ({ database, json, newPlan, org }) => {
  const { id, plan, slug } = await withDatabase(database, accounts, function*() {
    const { id } = yield* orgIdFromDetails(org)
    return yield* (yield* Orgs).update(id, { plan: newPlan })
  })
  if (json) Print.json({ org_id: id, slug, plan })
  else Print.line(`${slug} is on the ${plan} plan.`)
}
