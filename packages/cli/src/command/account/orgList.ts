import { OrgStore } from "@trailbook/core/org"
import type { Org } from "@trailbook/core/org/Org"
import * as Instant from "@trailbook/core/time/Instant"
import { storage } from "@trailbook/runtime/adapter"
import { withDatabase } from "../../database/withDatabase.ts"
import type { Run } from "../Command.ts"
import * as Print from "../Print.ts"
import { table } from "../table.ts"

export const run: Run<"org list"> = async ({ database, json }) => {
  const orgs = await withDatabase(database, storage, function*() {
    return yield* (yield* OrgStore).all
  })
  if (json) Print.json({ data: orgs.map(view) })
  else if (orgs.length === 0) Print.note("No outfitters. To create an outfitter, run trailbook org create.")
  else for (const line of table(heads, orgs.map(cells))) Print.line(line)
}

const view = ({ createdAt, currency, id, name, slug, timezone }: Org) => ({
  id,
  slug,
  name,
  timezone,
  currency,
  created_at: Instant.format(createdAt)
})

const heads = ["SLUG", "NAME", "TIME ZONE", "CREATED", "ID"]

const cells = ({ createdAt, id, name, slug, timezone }: Org): ReadonlyArray<string> => [
  slug,
  name,
  timezone,
  Instant.format(createdAt).slice(0, 10),
  id
]
