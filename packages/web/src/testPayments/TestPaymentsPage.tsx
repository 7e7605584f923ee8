import * as Formats from "../text/Format.ts"
import type { Page } from "../ui/Document.tsx"
import { href } from "../ui/href.ts"
import type { RenderContext } from "../ui/RenderContext.ts"
import { Row } from "../ui/Row.tsx"
import { labelsIn } from "./labels.ts"
import type { TestCheckoutView, TestPaymentAction, TestPaymentAmounts } from "./TestPaymentsPort.ts"

/** The reason that the last action was not performed. */
export type TestPaymentNotice = "declined" | "late" | undefined

/**
 * Renders the test checkout, which charges nothing. The page states upfront that it is a test and does not imitate any
 * provider.
 */
export const testPaymentsPage = (
  context: RenderContext,
  checkout: TestCheckoutView,
  notice: TestPaymentNotice
): Page => {
  const words = labelsIn(context.reader.language)
  const format = Formats.make(context.reader, checkout)
  const amount = format.money(checkout.cents)
  const { heading, lead } = headOf(checkout, words, amount, format)
  return {
    title: `${heading} – ${words.title}`,
    body: (
      <div class="wrap">
        <header class="top">
          <span class="mark" aria-hidden="true">T</span>
          <span class="name">{words.title}</span>
        </header>
        <main id="content" class="stack">
          <p class="note" role="note">{words.marker}</p>
          {notice !== undefined && (
            <p class="note wrong" role="alert">{notice === "declined" ? words.declined : words.tooLate}</p>
          )}
          <div class="split">
            <section class="card pad stack">
              <h1 dir="auto">{heading}</h1>
              <p class="soft" dir="auto">{lead}</p>
              <Forms shown={context} checkout={checkout} amount={amount} />
            </section>
            <aside class="stack">
              <section class="card pad">
                <dl class="sum">
                  {checkout.items.map(({ cents, details, name, quantity }, at) => (
                    <Row key={at} label={quantity === 1 ? name : `${quantity} × ${name}`} class="num">
                      {format.money(cents * quantity)}
                      {details !== "" && <div class="soft small" dir="auto">{details}</div>}
                    </Row>
                  ))}
                  <Row label={words.booking}>{checkout.reference}</Row>
                  <Row label={words.total} total class="num">{amount}</Row>
                </dl>
              </section>
              {checkout.money.length > 0 && (
                <section class="card pad stack tight">
                  <h2>{words.money.title}</h2>
                  <dl class="sum">
                    {checkout.money.map((money) => (
                      <Row key={money.intent} label={stateOf(money, words)} class="num">{amount}</Row>
                    ))}
                  </dl>
                </section>
              )}
            </aside>
          </div>
        </main>
      </div>
    )
  }
}

type Words = ReturnType<typeof labelsIn>

const headOf = (checkout: TestCheckoutView, { ended, open, paid }: Words, amount: string, format: Formats.Format) => {
  switch (checkout.status) {
    case "open":
      return { heading: open.title(amount, checkout.outfitter), lead: open.until(format.time(checkout.expiresAt)) }
    case "paid":
      return { heading: paid.title(amount), lead: paid.lead(checkout.outfitter) }
    case "ended":
      return { heading: ended.title, lead: ended.lead }
  }
}

const stateOf = ({ isDisputed, isReturned }: TestPaymentAmounts, { money }: Words): string =>
  isReturned ? money.returned : isDisputed ? money.disputed : money.kept

const Forms = ({ amount, checkout, shown }: {
  readonly shown: RenderContext
  readonly checkout: TestCheckoutView
  readonly amount: string
}) => {
  const { more, open, paid } = labelsIn(shown.reader.language)
  const action = href(shown, `/till/${checkout.session}`)
  const button = (act: TestPaymentAction, label: string, kind: string) => (
    <form method="post" action={action}>
      <button class={`btn wide ${kind}`} name="act" value={act}>{label}</button>
    </form>
  )
  const acts = ({ open: ["end"], paid: ["again", "dispute"], ended: ["late"] } as const)[checkout.status]
  const isSettled = checkout.money.every(({ isDisputed, isReturned }) => isDisputed || isReturned)
  const visibleActs = acts.filter((act) => act !== "dispute" || !isSettled)
  return (
    <>
      {checkout.status === "open"
        ? (
          <>
            {button("pay", open.pay(amount), "")}
            {button("decline", open.decline, "ghost")}
            <a href={checkout.back}>{open.leave}</a>
          </>
        )
        : <a class="btn wide" href={checkout.back}>{paid.back}</a>}
      <hr />
      <h2>{more.title}</h2>
      {visibleActs.map((act) => (
        <div key={act} class="stack tight">
          {button(act, more[act].label, "ghost")}
          <p class="hint">{more[act].text}</p>
        </div>
      ))}
    </>
  )
}
