/** Checks the pending work: webhook deliveries, emails, and refunds. */
import { failuresPerDay } from "@trailbook/core/task"
import { type Webhook, WebhookStore } from "@trailbook/core/webhook"
import { Database } from "@trailbook/sql/Database"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type Finding, makeFailedFinding, makePassedFinding } from "./Finding.ts"

/** Reports failing webhooks, which only the endpoints' owners can fix. */
export const checkWebhooks: Effect.Effect<Finding, never, WebhookStore> = Effect.map(
  Effect.flatMap(WebhookStore, (store) => store.page("", maxWebhooks)),
  (webhookList) => {
    const failingWebhooks = webhookList.filter(({ lastError }) => lastError !== null)
    if (failingWebhooks.length === 0) return makePassedFinding("webhooks", `${webhookList.length}, none failing`)
    const suffix = failingWebhooks.length > maxListed ? ` and ${failingWebhooks.length - maxListed} more` : ""
    return makeFailedFinding(
      "webhooks",
      `${failingWebhooks.length} of ${webhookList.length} failing: ${
        failingWebhooks.slice(0, maxListed).map(formatWebhook).join(", ")
      }${suffix}`,
      "Check the receivers and this machine's firewall. Events are kept until a receiver accepts them."
    )
  }
)

const formatWebhook = ({ id, lastError, lastStatus }: Webhook): string =>
  `${id} (${lastError === "status" ? lastStatus : lastError})`

const maxWebhooks = 100_000
const maxListed = 5

interface WaitingWork {
  readonly n: number
  readonly failed: number
  readonly for_a_day: number
  readonly given_up: number
  /** The earliest due time, in epoch milliseconds. */
  readonly oldest: number | null
  readonly last_error: string | null
}

/**
 * Checks pending emails and refunds. Overdue tasks mean that no worker is running. A task needs attention if it has
 * been failing for a day or has failed permanently. Other failures are reported, but do not fail the check.
 */
export const checkTasks: Effect.Effect<Finding, never, Database> = Effect.gen(function*() {
  const { dialect, query } = yield* Database
  const countIf = (condition: string) => `cast(coalesce(sum(case when ${condition} then 1 else 0 end), 0) as integer)`
  const isPending = "given_up_at is null"
  const [work] = yield* query<WaitingWork>(
    `select ${countIf(isPending)} as n, min(case when ${isPending} then due_at end) as oldest,
      max(case when ${isPending} then last_error end) as last_error, ${
      countIf(`${isPending} and attempts > 0`)
    } as failed,
      ${countIf(`${isPending} and attempts >= ${failuresPerDay}`)} as for_a_day, ${
      countIf(`not ${isPending}`)
    } as given_up
    from ${dialect.table("tasks")}`
  )
  const givenUpText = work === undefined || work.given_up === 0
    ? ""
    : `; ${work.given_up} failed permanently`
  if (work === undefined || work.oldest === null) {
    const idleText = `no pending emails or refunds${givenUpText}`
    return givenUpText === "" ? makePassedFinding("mails", idleText) : makeFailedFinding("mails", idleText, fix)
  }
  const minutes = Math.floor(((yield* Clock.currentTimeMillis) - work.oldest) / 60_000)
  const pendingText = work.n === 1 ? "1 pending email or refund" : `${work.n} pending emails and refunds`
  const failedText = work.failed === 0 ? "" : `; ${work.failed} failed and will be retried: ${work.last_error}`
  if (minutes >= maxOverdueMinutes) {
    return makeFailedFinding(
      "mails",
      `${pendingText}, overdue by up to ${minutes} minutes${failedText}${givenUpText}`,
      "Start trailbook worker, or a server with --worker on."
    )
  }
  const text = `${pendingText}${failedText}${givenUpText}`
  if (work.for_a_day > 0) {
    const verb = work.for_a_day === 1 ? "has" : "have"
    return makeFailedFinding("mails", `${text}; ${work.for_a_day} ${verb} been failing for at least a day`, fix)
  }
  return givenUpText === "" ? makePassedFinding("mails", text) : makeFailedFinding("mails", text, fix)
})

const fix = "Run trailbook tasks list, fix the errors, and run trailbook tasks retry --all."

const maxOverdueMinutes = 5
