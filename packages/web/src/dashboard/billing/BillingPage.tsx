import { billingGet } from "@trailbook/core/org/orgOperations"
import * as Effect from "effect/Effect"
import type { PageView } from "../Page.ts"
import { Card } from "../parts/Card.tsx"
import { LinkList } from "../parts/LinkList.tsx"

/** The plan and its usage this month. */
export const view: PageView = ({ clock: { stamp }, run, shown: { format, isOwner, site } }) =>
  Effect.map(run(billingGet, {}), ({ plan, usage: { cap, pct, used } }) => {
    const month = format.month(`${stamp.slice(0, 7)}-01`)
    const isFree = plan === "free"
    return {
      title: "Billing",
      part: "billing",
      lead: "Your plan and this month's usage.",
      body: (
        <div class="stack">
          <Card id="plan" title={isFree ? "Free plan" : "Pro plan"} pad="stack">
            <div class="stack tight">
              <p id="usage">
                <b class="num">{format.number(used)}</b> {isFree
                  ? `of ${format.number(cap)} confirmed bookings in ${month}`
                  : `confirmed ${used === 1 ? "booking" : "bookings"} in ${month}. There is no limit.`}
              </p>
              {isFree && <progress class="meter wide" aria-labelledby="usage" value={Math.min(used, cap)} max={cap} />}
              {isFree && pct >= 100 && (
                <p class="note">
                  You have exceeded your plan's monthly bookings. Guests can still book.
                </p>
              )}
            </div>
            <div class="stack tight soft small">
              <p>
                A confirmed booking counts in the month in which it was made. Expired holds and canceled bookings do not
                count. Months use UTC.
              </p>
              <p>
                {isFree
                  ? "On the Free plan, bookings are confirmed without online payment. The server operator can change the plan."
                  : "On the Pro plan, guests pay online if a payment account is connected. The server operator can change the plan."}
              </p>
            </div>
          </Card>
          {isOwner && (
            <Card id="more" title="Money and data">
              <LinkList site={site} to={more} />
            </Card>
          )}
        </div>
      )
    }
  })

const more = [
  { path: "/dashboard/payments", title: "Payments", text: "The account that receives guests' payments." },
  {
    path: "/dashboard/tasks",
    title: "Failed jobs",
    text: "Emails, refunds, and webhooks that failed, and guests who were not reached."
  },
  { path: "/dashboard/export", title: "Export", text: "All your data in one file." }
] as const
