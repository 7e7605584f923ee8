import { WebhookStore, type WebhookView, webhookView } from "@trailbook/core/webhook"
import { storage } from "@trailbook/runtime/adapter"
import { orgIdFromDetails } from "../../database/orgIdFromDetails.ts"
import { withDatabase } from "../../database/withDatabase.ts"
import type { Run } from "../Command.ts"
import * as Print from "../Print.ts"
import { table } from "../table.ts"

export const run: Run<"webhooks list"> = async ({ database, json, org }) => {
  const webhooks = await withDatabase(database, storage, function*() {
    const { id } = yield* orgIdFromDetails(org)
    return (yield* (yield* WebhookStore).list(id)).map(webhookView)
  })
  if (json) Print.json({ data: webhooks })
  else if (webhooks.length === 0) Print.note("No webhooks.")
  else for (const line of table(heads, webhooks.map(cells))) Print.line(line)
}

const heads = ["ID", "URL", "EVENTS", "LAST ATTEMPT", "STATE"]

const cells = (webhook: WebhookView): ReadonlyArray<string> => [
  webhook.id,
  webhook.url,
  webhook.events.join(","),
  webhook.last_attempt_at ?? "never",
  stateOf(webhook)
]

const stateOf = ({ last_error, last_status }: WebhookView): string => {
  if (last_status === null) return "no deliveries"
  return last_error === null
    ? `ok (${last_status})`
    : `failing (${last_error === "status" ? last_status : last_error})`
}
