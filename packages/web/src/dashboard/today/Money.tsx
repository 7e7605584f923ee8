/** The amounts due today, and the money received and returned yesterday. */
import * as LocalDate from "@trailbook/core/time/LocalDate"
import { methodTitle } from "../bookings/payments.tsx"
import { Amount, Button, Card, Empty, Link } from "../kit/elements.tsx"
import { usePage } from "../Page.ts"
import type { Day } from "./TodayPage.tsx"

/** Today's bookings with the largest amounts due. */
export const Unpaid = ({ due: { count, data } }: Pick<Day, "due">) => {
  const { format } = usePage()
  return data.length === 0 ? null : (
    <Card id="unpaid" title="Unpaid today">
      {data.map(({ currency, due_cents, id, name, offering, quantity, starts_at }) => (
        <div class="row unbroken" key={id}>
          <div class="grow">
            <Link to={`/bookings/${id}`} dir="auto">{name}</Link>
            <p class="soft small" dir="auto">
              {`${format.time(starts_at)}, party of ${format.number(quantity)}, ${offering}`}
            </p>
          </div>
          <Button to={`/bookings/${id}/payments/new`} aria-label={`Record payment: ${name}`}>
            <Amount cents={due_cents} currency={currency} />
          </Button>
        </div>
      ))}
      {count > data.length && (
        <p class="pad soft small">
          {`And ${format.number(count - data.length)} more. Open a departure to see the amounts due.`}
        </p>
      )}
    </Card>
  )
}

/** The money received and returned on the previous local day, by method. */
export const Collected = ({ collected }: Pick<Day, "collected">) => {
  const { clock: { today } } = usePage()
  const yesterday = LocalDate.format(LocalDate.addDays(today, -1))
  const currencies = [...new Set(collected.map(({ currency }) => currency))]
  return (
    <Card
      id="collected"
      title="Collected yesterday"
      headerEnd={
        <span class="end">
          <Link to={`/ledger?from=${yesterday}&to=${yesterday}`}>Payments</Link>{" "}
          <Link to="/reports/sales">Reports</Link>
        </span>
      }
    >
      {collected.length === 0 && <Empty>No payments or refunds yesterday.</Empty>}
      {currencies.map((currency) => {
        const rows = collected.filter((row) => row.currency === currency)
        const refunds = rows.reduce((sum, { refunds_cents }) => sum + refunds_cents, 0)
        return (
          <div class="pad stack tight" key={currency}>
            <p class="sum">
              <Amount cents={rows.reduce((sum, { net_cents }) => sum + net_cents, 0)} currency={currency} />
            </p>
            <dl class="ledger small">
              {rows.filter(({ payments_cents }) => payments_cents > 0).map(({ method, payments_cents }) => (
                <div key={method}>
                  <dt>{methodTitle(method)}</dt>
                  <dd>
                    <Amount cents={payments_cents} currency={currency} />
                  </dd>
                </div>
              ))}
              {refunds > 0 && (
                <div>
                  <dt>Refunds</dt>
                  <dd>
                    <Amount cents={-refunds} currency={currency} />
                  </dd>
                </div>
              )}
            </dl>
          </div>
        )
      })}
    </Card>
  )
}
