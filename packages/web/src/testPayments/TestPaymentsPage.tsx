import { addSpanishArticle } from "../text/book.ts"
import * as Formats from "../text/Format.ts"
import type { Language } from "../text/Text.ts"
import type { Page } from "../ui/Document.tsx"
import { href } from "../ui/href.ts"
import type { RenderContext } from "../ui/RenderContext.ts"
import { FactRow } from "../ui/TripInfo.tsx"
import type { TestCheckoutView, TestPaymentAction, TestPaymentState } from "./TestPaymentsPort.ts"

/** Why the last action was declined. */
export type TestDeclineReason = "declined" | "late" | undefined

/**
 * Renders the test checkout, which charges nothing. The page states upfront that it is a test and does not imitate any
 * provider.
 */
export const testPaymentsPage = (
  context: RenderContext,
  checkout: TestCheckoutView,
  notice: TestDeclineReason
): Page => {
  const labels = labelsIn(context.reader.language)
  const format = Formats.make(context.reader, checkout)
  const amount = format.money(checkout.cents)
  const { heading, lead } = describeStatus(checkout, labels, amount, format)
  return {
    title: `${heading} – ${labels.title}`,
    body: (
      <div class="wrap">
        <header class="top">
          <span class="mark" aria-hidden="true">T</span>
          <span class="name">{labels.title}</span>
        </header>
        <main id="content" class="stack">
          <p class="note" role="note">{labels.marker}</p>
          {notice !== undefined && (
            <p class="note wrong" role="alert">{notice === "declined" ? labels.declined : labels.tooLate}</p>
          )}
          <div class="split">
            <section class="card pad stack">
              <h1 dir="auto">{heading}</h1>
              <p class="soft" dir="auto">{lead}</p>
              <ActionForms shown={context} checkout={checkout} amount={amount} />
            </section>
            <aside class="stack">
              <section class="card pad">
                <dl class="sum">
                  {checkout.items.map(({ cents, details, name, quantity }, at) => (
                    <FactRow key={at} label={quantity === 1 ? name : `${quantity} × ${name}`} class="num">
                      {format.money(cents * quantity)}
                      {details !== "" && <div class="soft small" dir="auto">{details}</div>}
                    </FactRow>
                  ))}
                  <FactRow label={labels.booking}>{checkout.reference}</FactRow>
                  <FactRow label={labels.total} total class="num">{amount}</FactRow>
                </dl>
              </section>
              {checkout.money.length > 0 && (
                <section class="card pad stack tight">
                  <h2>{labels.money.title}</h2>
                  <dl class="sum">
                    {checkout.money.map((money) => (
                      <FactRow key={money.intent} label={amountStatus(money, labels)} class="num">{amount}</FactRow>
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

const describeStatus = (
  checkout: TestCheckoutView,
  { ended, open, paid }: Labels,
  amount: string,
  format: Formats.Format
) => {
  switch (checkout.status) {
    case "open":
      return { heading: open.title(amount, checkout.outfitter), lead: open.until(format.time(checkout.expiresAt)) }
    case "paid":
      return { heading: paid.title(amount), lead: paid.lead(checkout.outfitter) }
    case "ended":
      return { heading: ended.title, lead: ended.lead }
  }
}

const amountStatus = ({ isDisputed, isReturned }: TestPaymentState, { money }: Labels): string =>
  isReturned ? money.returned : isDisputed ? money.disputed : money.kept

const ActionForms = ({ amount, checkout, shown }: {
  readonly shown: RenderContext
  readonly checkout: TestCheckoutView
  readonly amount: string
}) => {
  const { more, open, paid } = labelsIn(shown.reader.language)
  const action = href(shown, `/till/${checkout.session}`)
  const renderButton = (act: TestPaymentAction, label: string, kind: string) => (
    <form method="post" action={action}>
      <button class={`btn wide ${kind}`} name="act" value={act}>{label}</button>
    </form>
  )
  const actions = ({ open: ["end"], paid: ["again", "dispute"], ended: ["late"] } as const)[checkout.status]
  const isSettled = checkout.money.every(({ isDisputed, isReturned }) => isDisputed || isReturned)
  const visibleActions = actions.filter((act) => act !== "dispute" || !isSettled)
  return (
    <>
      {checkout.status === "open"
        ? (
          <>
            {renderButton("pay", open.pay(amount), "")}
            {renderButton("decline", open.decline, "ghost")}
            <a href={checkout.back}>{open.leave}</a>
          </>
        )
        : <a class="btn wide" href={checkout.back}>{paid.back}</a>}
      <hr />
      <h2>{more.title}</h2>
      {visibleActions.map((act) => (
        <div key={act} class="stack tight">
          {renderButton(act, more[act].label, "ghost")}
          <p class="hint">{more[act].text}</p>
        </div>
      ))}
    </>
  )
}

const english = {
  title: "Trailbook test payments",
  marker: "This is a test checkout. No money moves, and no card is needed.",
  booking: "Booking",
  total: "Total",
  open: {
    title: (amount: string, outfitter: string) => `Pay ${amount} to ${outfitter}`,
    until: (time: string) => `You have until ${time} to pay. Your spot may be released sooner.`,
    pay: (amount: string) => `Pay ${amount}`,
    decline: "Decline card",
    leave: "Leave without paying"
  },
  declined: "The card was declined. You were not charged. Try again.",
  tooLate: "This action is no longer available. This page shows the current status.",
  paid: {
    title: (amount: string) => `You paid ${amount}`,
    lead: (outfitter: string) => `${outfitter} has been notified.`,
    back: "View booking"
  },
  ended: {
    title: "This checkout has expired",
    lead: "This checkout no longer accepts payments. If your spot is still held, your booking has a new payment link."
  },
  money: {
    title: "Payments",
    kept: "Received",
    returned: "Refunded",
    disputed: "Disputed"
  },
  more: {
    title: "Other test cases",
    end: { label: "Expire checkout", text: "Simulates a checkout that the provider closes without a payment." },
    again: { label: "Pay a second time", text: "The second payment is refunded automatically." },
    late: {
      label: "Pay after expiry",
      text: "Simulates a payment that arrives late. The payment is refunded unless the spot is still available."
    },
    dispute: {
      label: "Dispute payment",
      text: "Simulates a chargeback by the guest's bank. Staff members are notified."
    }
  }
}

type Labels = typeof english

const spanish: Labels = {
  title: "Pagos de prueba de Trailbook",
  marker: "Este es un pago de prueba. No se cobra nada y no se necesita tarjeta.",
  booking: "Reserva",
  total: "Total",
  open: {
    title: (amount, outfitter) => `Pagar ${amount} a ${outfitter}`,
    until: (time) => `Tiene hasta ${addSpanishArticle(time)} para pagar. Es posible que el lugar se libere antes.`,
    pay: (amount) => `Pagar ${amount}`,
    decline: "Rechazar tarjeta",
    leave: "Salir sin pagar"
  },
  declined: "La tarjeta fue rechazada. No se le cobró nada. Intente de nuevo.",
  tooLate: "Esta acción ya no está disponible. La página muestra el estado actual.",
  paid: {
    title: (amount) => `Pagó ${amount}`,
    lead: (outfitter) => `Avisamos a ${outfitter}.`,
    back: "Ver reserva"
  },
  ended: {
    title: "Esta página de pago venció",
    lead: "Esta página ya no acepta pagos. Si su lugar sigue reservado, su reserva tiene un nuevo enlace de pago."
  },
  money: {
    title: "Pagos",
    kept: "Recibido",
    returned: "Reembolsado",
    disputed: "En disputa"
  },
  more: {
    title: "Otros casos de prueba",
    end: {
      label: "Hacer vencer la página de pago",
      text: "Simula una página de pago que el proveedor cierra sin cobrar."
    },
    again: { label: "Pagar otra vez", text: "El segundo pago se reembolsa automáticamente." },
    late: {
      label: "Pagar después del vencimiento",
      text: "Simula un pago que llega tarde. El pago se reembolsa si el lugar ya no está disponible."
    },
    dispute: {
      label: "Disputar pago",
      text: "Simula un contracargo por parte del banco del cliente. Se avisa al equipo."
    }
  }
}

const words: Readonly<Record<Language, Labels>> = { en: english, es: spanish }

const labelsIn = (language: Language): Labels => words[language]
