/** Texts of the booking page. */
import type { Reason } from "@trailbook/core/availability/explainNoSlots"
import type { Kind } from "@trailbook/core/offering/Offering"

export const bookEnglish = {
  title: (org: string) => `Book with ${org}`,
  lead: "Choose an activity.",
  nothing: "No activities can be booked online right now. Check back soon.",
  next: (when: string) => `Next: ${when}`,
  noneNear: "No upcoming availability",
  free: "Free",
  each: { class: "per guest", appointment: "per booking", rental: "per item" } satisfies Record<Kind, string>,
  eachPeriod: (length: string) => `per item for ${length}`,
  steps: { label: "Steps", offering: "Activity", time: "Date and time", details: "Your details" },
  quantity: { class: "Guests", appointment: "Party size", rental: "Items" } satisfies Record<Kind, string>,
  periods: "Duration",
  update: "Show times",
  earlierMonth: "Previous month",
  laterMonth: "Next month",
  day: (day: string, starts: number, left: number) =>
    `${day}: ${starts === 1 ? "1 time" : `${starts} times`}, ${left === 1 ? "1 left" : `up to ${left} left`}`,
  dayFull: (day: string) => `${day}: full`,
  timesOn: (day: string) => `Times on ${day}`,
  timesHint: (zone: string, city: string) => `Times are shown in ${city} time (${zone}).`,
  device: (city: string) => `Your device is set to ${city} time.`,
  left: (n: number) => n === 1 ? "1 left" : `${n} left`,
  full: "Full",
  parts: ["Night", "Morning", "Afternoon", "Evening"],
  chooseTime: "Choose a time",
  go: "Continue",
  noTimes: "No times are left on this day. Choose another day.",
  none: {
    paused: "Online booking is paused.",
    full: "This month is fully booked.",
    notice: "The online booking deadline for this month has passed.",
    horizon: "Booking for this month is not open yet.",
    past: "This month has passed.",
    nothing_scheduled: "No times are scheduled this month.",
    too_long: "This duration is not available this month. Choose a shorter one.",
    closed: "Closed this month."
  } satisfies Record<Reason, string>,
  nextOpen: (day: string) => `Next available date: ${day}`,
  askInstead: "Ask about another date",
  name: "Your name",
  email: "Email",
  emailHint: "We send your confirmation to this address.",
  phone: "Phone",
  phoneHint: "We only call if plans change on the day of your trip.",
  optional: "optional",
  notes: "Anything we should know?",
  confirm: "Confirm booking",
  confirmOnline: "Book and continue",
  payHint: "If online payment is required, you pay in the next step. Your place is held in the meantime.",
  summary: "Your booking",
  when: "When",
  where: "Where",
  until: "until",
  total: "Total",
  change: "Change date or time",
  problems: "Check these fields:",
  errors: {
    slot: "Choose a time.",
    name: "Enter a name of at most 120 characters, without a web address.",
    email: "Enter your email address, such as name@example.com.",
    phone: "Enter a phone number of at most 40 characters, or leave this field empty.",
    notes: "Shorten your note to 2,000 characters or less.",
    question: "Enter a question of at most 5,000 characters.",
    quantity: "Choose a different number.",
    again: "This form has expired. Check your details and submit it again."
  },
  lost: "That time is no longer available, and nothing was booked. Choose one of the times below.",
  kept: "Your details are saved in the form.",
  conflict: "You already submitted this form with different details. To make another booking, submit it again.",
  holds: (minutes: number) =>
    `Too many bookings are waiting for confirmation. If one is yours, open the link in your email or finish the payment. ` +
    `Otherwise, try again in ${
      minutes > 90 ? `${Math.ceil(minutes / 60)} hours` : minutes === 1 ? "1 minute" : `${minutes} minutes`
    }.`,
  group: (most: number) =>
    `Nothing was booked, because your group is too large to book before you pay or confirm your email. ` +
    `Book for ${most} here first, and open the link in your email or pay. Then book for the others. ` +
    `To book for everyone at the same time, ask us.`,
  busy: "We could not complete your booking. Submit the form again. You will not be booked twice.",
  payTitle: "One more step: payment",
  payText: (until: string) => `Your place is held until ${until}. Continue to payment.`,
  payTextEmbedded: (until: string) => `Your place is held until ${until}.`,
  pay: (amount: string) => `Pay ${amount}`,
  done: "You are booked.",
  doneText: "We sent the details to your email.",
  confirmFirst: "Check your email to confirm.",
  confirmText: (email: string, until: string) =>
    `We sent a link to ${email}. Open it by ${until} to confirm your booking. After that, the place is released.`,
  reference: "Reference",
  openBooking: "View your booking",
  ask: {
    title: (org: string) => `Ask ${org}`,
    lead: "Ask a question before you book. We reply by email.",
    window: (when: string) => `Reply time: ${when}`,
    body: "Your question",
    send: "Send question",
    sent: "Your question was sent.",
    sentText: "We reply by email.",
    back: "Back to activities"
  },
  trap: "Leave this field empty"
}

export const bookSpanish: typeof bookEnglish = {
  title: (org) => `Reserve con ${org}`,
  lead: "Elija una actividad.",
  nothing: "Por ahora no hay actividades para reservar en línea. Vuelva a consultar pronto.",
  next: (when) => `Próxima: ${when}`,
  noneNear: "Sin fechas disponibles",
  free: "Gratis",
  each: { class: "por persona", appointment: "por reserva", rental: "por unidad" },
  eachPeriod: (length) => `por unidad por ${length}`,
  steps: { label: "Pasos", offering: "Actividad", time: "Fecha y hora", details: "Sus datos" },
  quantity: { class: "Personas", appointment: "Personas", rental: "Unidades" },
  periods: "Duración",
  update: "Ver horarios",
  earlierMonth: "Mes anterior",
  laterMonth: "Mes siguiente",
  day: (day, starts, left) =>
    `${day}: ${starts === 1 ? "1 horario" : `${starts} horarios`}, ${left === 1 ? "queda 1" : `quedan hasta ${left}`}`,
  dayFull: (day) => `${day}: completo`,
  timesOn: (day) => `Horarios: ${day}`,
  timesHint: (zone, city) => `Los horarios se muestran en la hora de ${city} (${zone}).`,
  device: (city) => `Su dispositivo usa la hora de ${city}.`,
  left: (n) => n === 1 ? "queda 1" : `quedan ${n}`,
  full: "Completo",
  parts: ["Madrugada", "Mañana", "Tarde", "Noche"],
  chooseTime: "Elija una hora",
  go: "Continuar",
  noTimes: "No quedan horarios este día. Elija otro día.",
  none: {
    paused: "Las reservas en línea están en pausa.",
    full: "Este mes está completo.",
    notice: "El plazo para reservar este mes en línea ya terminó.",
    horizon: "Las reservas para este mes aún no están abiertas.",
    past: "Este mes ya pasó.",
    nothing_scheduled: "No hay horarios programados este mes.",
    too_long: "Esta duración no está disponible este mes. Elija una más corta.",
    closed: "Cerrado este mes."
  },
  nextOpen: (day) => `Próxima fecha disponible: ${day}`,
  askInstead: "Preguntar por otra fecha",
  name: "Su nombre",
  email: "Correo electrónico",
  emailHint: "Enviaremos la confirmación a esta dirección.",
  phone: "Teléfono",
  phoneHint: "Solo llamaremos si cambian los planes ese día.",
  optional: "opcional",
  notes: "¿Algo que debamos saber?",
  confirm: "Confirmar reserva",
  confirmOnline: "Reservar y continuar",
  payHint: "Si se requiere pago en línea, pagará en el siguiente paso. Mientras tanto, guardamos su lugar.",
  summary: "Su reserva",
  when: "Cuándo",
  where: "Dónde",
  until: "hasta",
  total: "Total",
  change: "Cambiar fecha u hora",
  problems: "Revise estos campos:",
  errors: {
    slot: "Elija una hora.",
    name: "Escriba un nombre de 120 caracteres como máximo, sin direcciones web.",
    email: "Escriba su correo electrónico, por ejemplo nombre@example.com.",
    phone: "Escriba un teléfono de 40 caracteres como máximo o deje el campo vacío.",
    notes: "Acorte la nota a 2,000 caracteres como máximo.",
    question: "Escriba una pregunta de 5,000 caracteres como máximo.",
    quantity: "Elija otra cantidad.",
    again: "Este formulario venció. Revise sus datos y envíelo de nuevo."
  },
  lost: "Ese horario ya no está disponible y no se reservó nada. Elija uno de los siguientes.",
  kept: "Sus datos siguen en el formulario.",
  conflict: "Ya envió este formulario con otros datos. Para hacer otra reserva, envíelo de nuevo.",
  holds: (minutes) =>
    `Hay demasiadas reservas por confirmar. Si una es suya, abra el enlace de su correo o termine el pago. ` +
    `Si no, intente de nuevo en ${
      minutes > 90 ? `${Math.ceil(minutes / 60)} horas` : minutes === 1 ? "1 minuto" : `${minutes} minutos`
    }.`,
  group: (most) =>
    `No se reservó nada, porque su grupo es demasiado grande para reservar antes de pagar o confirmar su correo. ` +
    `Reserve aquí primero para ${most}, y abra el enlace de su correo o pague. Después, reserve para los demás. ` +
    `Para reservar para todos a la vez, pregúntenos.`,
  busy: "No pudimos completar su reserva. Envíe el formulario de nuevo. No se reservará dos veces.",
  payTitle: "Un paso más: el pago",
  payText: (until) => `Guardamos su lugar hasta las ${until}. Continúe al pago.`,
  payTextEmbedded: (until) => `Guardamos su lugar hasta las ${until}.`,
  pay: (amount) => `Pagar ${amount}`,
  done: "Su reserva está hecha.",
  doneText: "Le enviamos los detalles por correo.",
  confirmFirst: "Revise su correo para confirmar.",
  confirmText: (email, until) =>
    `Enviamos un enlace a ${email}. Ábralo antes del ${until} para confirmar su reserva. Después de esa hora, el lugar queda libre.`,
  reference: "Referencia",
  openBooking: "Ver su reserva",
  ask: {
    title: (org) => `Pregunte a ${org}`,
    lead: "Haga una pregunta antes de reservar. Respondemos por correo.",
    window: (when) => `Tiempo de respuesta: ${when}`,
    body: "Su pregunta",
    send: "Enviar pregunta",
    sent: "Su pregunta se envió.",
    sentText: "Respondemos por correo.",
    back: "Volver a las actividades"
  },
  trap: "Deje este campo vacío"
}
