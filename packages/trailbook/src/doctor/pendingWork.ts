/** What waits to leave: events to webhooks, mails and refunds. */
import { failuresOfADay } from "@trailbook/core/task/retryPolicy"
import type { Webhook } from "@trailbook/core/webhook/Webhook"
import { WebhookStore } from "@trailbook/core/webhook/WebhookStore"
import { Database } from "@trailbook/sql/Database"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { fault, type Finding, makePassed } from "./Finding.ts"

/** Which webhooks are stopped. That is for their owners to mend, so it is told and no fault of this service. */
export const webhooks: Effect.Effect<Finding, never, WebhookStore> = Effect.map(
  Effect.flatMap(WebhookStore, (store) => store.page("", many)),
  (all) => {
    const stopped = all.filter(({ lastError }) => lastError !== null)
    if (stopped.length === 0) return makePassed("webhooks", `${all.length}, none of them stopped`)
    const more = stopped.length > shown ? ` and ${stopped.length - shown} more` : ""
    return makePassed(
      "webhooks",
      `${stopped.length} of ${all.length} stopped: ${stopped.slice(0, shown).map(named).join(", ")}${more}`
    )
  }
)

const named = ({ id, lastError, lastStatus }: Webhook): string =>
  `${id} (${lastError === "status" ? lastStatus : lastError})`

const many = 100_000
const shown = 5

interface Waiting {
  readonly n: number
  readonly failed: number
  readonly for_a_day: number
  readonly given_up: number
  /** The longest due, in epoch milliseconds. */
  readonly oldest: number | null
  readonly last_error: string | null
}

/**
 * How long mails and refunds wait. One that failed waits for its next attempt
 * and is told; one that nobody tries means that no worker runs. One that has failed
 * for a day is for people to look at; so is what was given up, which is told.
 */
export const tasks: Effect.Effect<Finding, never, Database> = Effect.gen(function*() {
  const { dialect, query } = yield* Database
  const count = (condition: string) => `cast(coalesce(sum(case when ${condition} then 1 else 0 end), 0) as integer)`
  const waits = "given_up_at is null"
  const [waiting] = yield* query<Waiting>(
    `select ${count(waits)} as n, min(case when ${waits} then due_at end) as oldest,
      max(case when ${waits} then last_error end) as last_error, ${count(`${waits} and attempts > 0`)} as failed,
      ${count(`${waits} and attempts >= ${failuresOfADay}`)} as for_a_day, ${count(`not ${waits}`)} as given_up
    from ${dialect.table("tasks")}`
  )
  const givenUp = waiting === undefined || waiting.given_up === 0
    ? ""
    : `; ${waiting.given_up} given up: trailbook tasks list says which`
  if (waiting === undefined || waiting.oldest === null) {
    return makePassed("mails", `none waits, and no refund either${givenUp}`)
  }
  const minutes = Math.floor(((yield* Clock.currentTimeMillis) - waiting.oldest) / 60_000)
  const failed = waiting.failed === 0 ? "" : `; ${waiting.failed} failed and are tried again: ${waiting.last_error}`
  if (minutes >= toleratedMinutes) {
    return fault(
      "mails",
      `${waiting.n} mails and refunds wait, the longest for ${minutes} minutes${failed}${givenUp}`,
      "Nobody sends them: start trailbook worker, or a server with --worker on."
    )
  }
  const found = `${waiting.n} wait to leave${failed}${givenUp}`
  if (waiting.for_a_day === 0) return makePassed("mails", found)
  return fault(
    "mails",
    `${found}; ${waiting.for_a_day} of them for a day`,
    "Look at trailbook tasks list, mend what it says, and start them again with trailbook tasks retry --all."
  )
})

const toleratedMinutes = 5
