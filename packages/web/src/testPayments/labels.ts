import type { Language } from "../text/Language.ts"

const english = {
  title: "Trailbook Test Till",
  marker: "This is a test till. No money moves here, and no card is asked for.",
  what: "Paying for",
  booking: "Booking",
  total: "Total",
  open: {
    title: (amount: string, outfitter: string) => `Pay ${amount} to ${outfitter}`,
    until: (time: string) => `This page takes payments until ${time}. The place may be given up sooner.`,
    pay: (amount: string) => `Pay ${amount}`,
    decline: "Let the card be declined",
    leave: "Leave without paying"
  },
  declined: "The card was declined. Nothing was taken; you can try again.",
  tooLate: "That cannot be done any more. This is how things stand now.",
  paid: {
    title: (amount: string) => `You have paid ${amount}`,
    lead: (outfitter: string) => `${outfitter} has been told.`,
    back: "Go to the booking"
  },
  ended: {
    title: "This checkout has ended",
    lead: "Nothing can be paid here any more. If the place is still held, the booking has a new address to pay at."
  },
  money: {
    title: "What the till has taken",
    kept: "Taken",
    returned: "Given back",
    disputed: "Disputed"
  },
  more: {
    title: "Try what else can happen",
    end: { label: "End this checkout", text: "As a payment provider does by itself, unpaid." },
    again: { label: "Pay a second time", text: "The second payment should be given back by itself." },
    late: {
      label: "Pay all the same",
      text: "As if the money had been on its way. It is kept if the place is still free, and given back if not."
    },
    dispute: {
      label: "Dispute the payment",
      text: "As if the guest's bank wanted it back. The outfitter's people are told."
    }
  }
}

type Words = typeof english

const spanish: Words = {
  title: "Caja de pruebas de Trailbook",
  marker: "Esta es una caja de pruebas. Aquí no se mueve dinero ni se pide ninguna tarjeta.",
  what: "Concepto",
  booking: "Reserva",
  total: "Total",
  open: {
    title: (amount, outfitter) => `Pagar ${amount} a ${outfitter}`,
    until: (time) => `Esta página admite pagos hasta las ${time}. La plaza puede liberarse antes.`,
    pay: (amount) => `Pagar ${amount}`,
    decline: "Hacer que se rechace la tarjeta",
    leave: "Salir sin pagar"
  },
  declined: "La tarjeta fue rechazada. No se ha cobrado nada; puede intentarlo de nuevo.",
  tooLate: "Eso ya no se puede hacer. Así están las cosas ahora.",
  paid: {
    title: (amount) => `Ha pagado ${amount}`,
    lead: (outfitter) => `${outfitter} ya lo sabe.`,
    back: "Ir a la reserva"
  },
  ended: {
    title: "Este pago ha terminado",
    lead: "Aquí ya no se puede pagar nada. Si la plaza sigue retenida, la reserva tiene otra dirección para pagar."
  },
  money: {
    title: "Lo que ha cobrado la caja",
    kept: "Cobrado",
    returned: "Devuelto",
    disputed: "Reclamado"
  },
  more: {
    title: "Pruebe qué más puede pasar",
    end: { label: "Terminar este pago", text: "Como hace un proveedor por sí mismo, sin cobrar." },
    again: { label: "Pagar otra vez", text: "El segundo pago debería devolverse solo." },
    late: {
      label: "Pagar de todos modos",
      text: "Como si el dinero ya estuviera en camino. Se queda si la plaza sigue libre y, si no, se devuelve."
    },
    dispute: {
      label: "Reclamar el pago",
      text: "Como si el banco del cliente pidiera el dinero. Se avisa a la gente de la empresa."
    }
  }
}

const words: Readonly<Record<Language, Words>> = { en: english, es: spanish }

/**
 * @category getters
 */
export const labelsIn = (language: Language): Words => words[language]
