import { spanishHour } from "../text/book.ts"
import type { Language } from "../text/Language.ts"

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

type Words = typeof english

const spanish: Words = {
  title: "Pagos de prueba de Trailbook",
  marker: "Este es un pago de prueba. No se cobra nada y no se necesita tarjeta.",
  booking: "Reserva",
  total: "Total",
  open: {
    title: (amount, outfitter) => `Pagar ${amount} a ${outfitter}`,
    until: (time) => `Tiene hasta ${spanishHour(time)} para pagar. Es posible que el lugar se libere antes.`,
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

const words: Readonly<Record<Language, Words>> = { en: english, es: spanish }

export const labelsIn = (language: Language): Words => words[language]
