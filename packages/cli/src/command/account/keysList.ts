import { type ApiKey, ApiKeys } from "@trailbook/core/actor"
import { keyView } from "@trailbook/core/staff"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import { accounts } from "@trailbook/runtime/accounts"
import { orgIdFromDetails } from "../../database/orgIdFromDetails.ts"
import { withDatabase } from "../../database/withDatabase.ts"
import type { Run } from "../Command.ts"
import * as Print from "../Print.ts"
import { table } from "../table.ts"

export const run: Run<"keys list"> = async ({ database, json, org }) => {
  const { keys, now } = await withDatabase(database, accounts, function*() {
    const { id } = yield* orgIdFromDetails(org)
    return { keys: yield* (yield* ApiKeys).list(id), now: yield* currentTime }
  })
  if (json) Print.json({ data: keys.map(keyView) })
  else if (keys.length === 0) Print.note("No API keys.")
  else for (const line of table(heads, keys.map((key) => cells(key, now)))) Print.line(line)
}

const heads = ["ID", "NAME", "ENDS IN", "SCOPES", "CREATED", "LAST USED", "STATE"]

const cells = (key: ApiKey, now: Instant.Instant): ReadonlyArray<string> => [
  key.id,
  key.name,
  `${key.mode} …${key.last4}`,
  key.scopes.join(","),
  day(key.createdAt),
  key.lastUsedAt === null ? "never" : day(key.lastUsedAt),
  stateOf(key, now)
]

const stateOf = ({ expiresAt, revokedAt }: ApiKey, now: Instant.Instant): string => {
  if (revokedAt !== null) return `revoked ${day(revokedAt)}`
  if (expiresAt === null) return "active"
  return expiresAt <= now ? `expired ${day(expiresAt)}` : `expires ${day(expiresAt)}`
}

/** Returns the date in UTC. With `--json`, the command prints the full timestamp instead. */
const day = (instant: Instant.Instant): string => Instant.format(instant).slice(0, 10)
